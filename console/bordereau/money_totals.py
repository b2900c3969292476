"""Transactions added up by reason, for `meters`, the supervisor's page and the bordereau."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from console.rules.linked_prizes import is_envy
from jackpot.money.accounts import Account, Reason, Transaction
from jackpot.money.amounts import Units


class ReasonTotal(Struct, frozen=True):
    """The transactions of one reason.

    `count`: how many; the envy of a linked award, which has one of its own, is part of the award.
    """

    count: int = 0
    units: Mapping[Account, int] = field(default_factory=dict)
    """What each account gained."""

    def of(self, account: Account) -> Units:
        """What one account gained."""
        return Units(self.units.get(account, 0))

    def after(self, transaction: Transaction) -> "ReasonTotal":
        """This total with one more transaction."""
        units = dict(self.units)
        for posting in transaction.postings:
            units[posting.account] = units.get(posting.account, 0) + posting.amount
        return ReasonTotal(self.count + (not is_envy(transaction.identity)), units)

    def plus(self, other: "ReasonTotal") -> "ReasonTotal":
        """Both together."""
        units = {one: self.of(one) + other.of(one) for one in {**self.units, **other.units}}
        return ReasonTotal(self.count + other.count, units)


NO_TRANSACTIONS = ReasonTotal()


class MoneyTotals(Struct, frozen=True):
    """Totals of transactions; no balance on record is used."""

    by_reason: Mapping[Reason, ReasonTotal] = field(default_factory=dict)

    def after(self, transaction: Transaction) -> "MoneyTotals":
        """These totals with one more transaction."""
        reason = transaction.reason
        return MoneyTotals({**self.by_reason, reason: self.of(reason).after(transaction)})

    def plus(self, other: "MoneyTotals") -> "MoneyTotals":
        """Both together."""
        reasons = {**self.by_reason, **other.by_reason}
        return MoneyTotals({one: self.of(one).plus(other.of(one)) for one in reasons})

    def of(self, reason: Reason) -> ReasonTotal:
        """The transactions of one reason."""
        return self.by_reason.get(reason, NO_TRANSACTIONS)

    def rows(self) -> Iterator[tuple[Reason, ReasonTotal]]:
        """Each reason with transactions, and its total, in the order of `Reason`."""
        return ((reason, self.by_reason[reason]) for reason in Reason if reason in self.by_reason)

    @property
    def tokens_taken(self) -> int:
        """Tokens accepted."""
        return self.of(Reason.STAKE).count

    @property
    def tokens_returned(self) -> int:
        """Accepted tokens that were returned."""
        return self.of(Reason.TOKEN_RETURNED).count

    @property
    def tokens_left(self) -> int:
        """Accepted tokens less returned ones."""
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
        """What an account gained from accepted tokens, less returned ones."""
        staked, returned = self.of(Reason.STAKE), self.of(Reason.TOKEN_RETURNED)
        return Units(staked.of(account) + returned.of(account))

    @property
    def drop(self) -> Units:
        """The value of accepted tokens, less returned ones."""
        return Units(-self.contribution(Account.TRAY))

    @property
    def rake(self) -> Units:
        """The rake that was taken, less what was reversed."""
        reasons = (Reason.RAKE, Reason.RAKE_RETURNED)
        return Units(sum(self.of(reason).of(Account.RAKE) for reason in reasons))
