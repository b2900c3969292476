"""Money added up by its reason, for `meters`, the supervisor's page and the bordereau."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from jackpot.accounts import Account, Reason, Transaction
from jackpot.amounts import Units


@dataclass(frozen=True, slots=True)
class ReasonTotal:
    """The transactions of one reason."""

    count: int = 0
    units: Mapping[Account, int] = field(default_factory=dict)
    """What each account gained by them."""

    def of(self, account: Account) -> Units:
        """What one account gained."""
        return Units(self.units.get(account, 0))

    def after(self, transaction: Transaction) -> "ReasonTotal":
        """This total with one more transaction."""
        units = dict(self.units)
        for posting in transaction.postings:
            units[posting.account] = units.get(posting.account, 0) + posting.amount
        return ReasonTotal(self.count + 1, units)


NO_TRANSACTIONS = ReasonTotal()


@dataclass(frozen=True, slots=True)
class MoneyTotals:
    """Transactions added up one by one; nothing is taken from a balance on record."""

    by_reason: Mapping[Reason, ReasonTotal] = field(default_factory=dict)

    def after(self, transaction: Transaction) -> "MoneyTotals":
        """These totals with one more transaction."""
        reason = transaction.reason
        return MoneyTotals({**self.by_reason, reason: self.of(reason).after(transaction)})

    def of(self, reason: Reason) -> ReasonTotal:
        """The transactions of one reason."""
        return self.by_reason.get(reason, NO_TRANSACTIONS)

    def rows(self) -> Iterator[tuple[Reason, ReasonTotal]]:
        """The reasons there are transactions of, in the order of `Reason`."""
        return ((reason, self.by_reason[reason]) for reason in Reason if reason in self.by_reason)

    @property
    def tokens_taken(self) -> int:
        """Tokens accepted."""
        return self.of(Reason.STAKE).count

    @property
    def tokens_returned(self) -> int:
        """Tokens accepted that went back."""
        return self.of(Reason.TOKEN_RETURNED).count

    @property
    def tokens_left(self) -> int:
        """Tokens accepted, less those that went back."""
        return self.tokens_taken - self.tokens_returned

    @property
    def awards(self) -> int:
        """Final awards."""
        return self.of(Reason.AWARD_FINAL).count

    @property
    def paid(self) -> Units:
        """What the final awards paid."""
        return self.of(Reason.AWARD_FINAL).of(Account.PAID)

    def contribution(self, account: Account) -> Units:
        """What the tokens, less those that went back, brought to an account."""
        staked, returned = self.of(Reason.STAKE), self.of(Reason.TOKEN_RETURNED)
        return Units(staked.of(account) + returned.of(account))
