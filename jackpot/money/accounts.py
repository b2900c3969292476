"""Double entry: accounts, postings that sum to zero, balances.

The jackpot is the balance of its account, and only listed reasons may lower it
(docs/reference/rules.md, section 4).
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from jackpot.money.amounts import Cents, Units, to_cents


class Account(StrEnum):
    """Where money can be."""

    TRAY = "tray"  # value of the tokens in it; negative, because the money came from there
    JACKPOT = "jackpot"
    RESERVE = "reserve"
    HOUSE = "house"
    PENDING = "pending"  # awards that are not final
    PAID = "paid"
    POTS = "pots"  # outside: what players have at a poker table; negative, as the tray
    RAKE = "rake"


class Reason(StrEnum):
    """Why money moves."""

    OPENING = "opening"
    STAKE = "stake"
    TOKEN_RETURNED = "token_returned"
    AWARD_PENDING = "award_pending"
    AWARD_RAISED = "award_raised"  # one more winner
    AWARD_FINAL = "award_final"
    AWARD_CANCELLED = "award_cancelled"
    RESEED = "reseed"
    CORRECTION = "correction"
    RAKE = "rake"
    RAKE_RETURNED = "rake_returned"
    LEFT = "left"  # a linked jackpot, whose money stays at the centre


LOWERS_JACKPOT = frozenset(
    (
        Reason.AWARD_PENDING,
        Reason.AWARD_RAISED,
        Reason.TOKEN_RETURNED,
        Reason.CORRECTION,
        Reason.LEFT,
    )
)


OFTEN_UNUSED = frozenset((Account.POTS.value, Account.RAKE.value))
"""A poker table's accounts: not on record while they are 0."""


class Posting(Struct, frozen=True):
    """What one account gains; negative: what it loses."""

    account: Account
    amount: Units


class Transaction(Struct, frozen=True):
    """One movement of money.

    Sending the same `identity` twice does no harm (docs/reference/rules.md, section 10). A
    transaction without postings moves nothing, such as an award of 0.00 from an empty jackpot.
    Raises ValueError if it does not sum to zero, names an account twice, has a posting of 0, or
    lowers the jackpot for a reason that may not.
    """

    identity: str
    reason: Reason
    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        """Check it. Raises ValueError."""
        if not self.identity:
            raise ValueError("a transaction needs an identity")
        accounts = {posting.account for posting in self.postings}
        if len(accounts) != len(self.postings):
            raise ValueError(f"{self.identity}: an account is posted to twice")
        total = 0
        for posting in self.postings:
            amount = posting.amount
            total += amount
            if amount == 0:
                raise ValueError(f"{self.identity}: nothing is posted to {posting.account.value}")
            if amount < 0 and posting.account is Account.JACKPOT:
                self._may_lower_the_jackpot()
        if total != 0:
            raise ValueError(f"{self.identity}: the postings sum to {total}, not to zero")

    def _may_lower_the_jackpot(self) -> None:
        if self.reason not in LOWERS_JACKPOT:
            raise ValueError(f"{self.identity}: {self.reason.value} may not lower the jackpot")


class Balances(Struct, frozen=True, omit_defaults=True):
    """The balance of every account, in units; the fields are the accounts' names.

    On record the first six always stand, as they did before there were the others.
    """

    tray: int = field(default_factory=int)  # with a factory it is never left out
    jackpot: int = field(default_factory=int)
    reserve: int = field(default_factory=int)
    house: int = field(default_factory=int)
    pending: int = field(default_factory=int)
    paid: int = field(default_factory=int)
    pots: int = 0
    rake: int = 0

    @property
    def jackpot_cents(self) -> Cents:
        """The jackpot's reading: its whole cents."""
        return to_cents(self.jackpot)

    def of(self, account: Account) -> Units:
        """The balance of one account."""
        units: int = getattr(self, account)
        return Units(units)

    def after(self, transaction: Transaction) -> "Balances":
        """These balances plus the transaction's postings."""
        if not transaction.postings:
            return self
        changed: dict[str, int] = {}
        for posting in transaction.postings:
            changed[posting.account] = self.of(posting.account) + posting.amount
        return replace(self, **changed)

    def to_dict(self) -> dict[str, int]:
        """Units by the account's name, as on record."""
        units = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: each for name, each in units.items() if each or name not in OFTEN_UNUSED}

    @classmethod
    def from_dict(cls, balances: Mapping[str, object]) -> "Balances":
        """The reverse of `to_dict`. Raises ValueError unless it names exactly the accounts."""
        units = {name: value for name, value in balances.items() if type(value) is int}
        accounts = cls.__struct_fields__
        always = set(accounts) - OFTEN_UNUSED
        if not always <= set(balances) <= set(accounts) or len(units) != len(balances):
            raise ValueError(f"not the balances of {', '.join(accounts)}: {dict(balances)}")
        return cls(**units)


def accounts_of(*balances: Balances) -> tuple[Account, ...]:
    """The accounts that stand on record in any of these."""
    there = {name for each in balances for name in each.to_dict()}
    return tuple(account for account in Account if account.value in there)
