"""What a bordereau holds, computed from the record alone (docs/reference/rules.md, section 11).

Amounts of accounts are exact, in units; awards are in cents. Times are the clock's labels as they
stand on record.
"""

from collections.abc import Mapping
from enum import Enum

from msgspec import UNSET, Struct, field

from console.bordereau.money_totals import MoneyTotals
from console.rules.acts import HeadSigned
from console.rules.codes import Phase
from console.rules.release_marks import ReleaseChange
from console.rules.settings import Settings
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, Units
from jackpot.money.awards import Envy
from jackpot.money.prizes import EURO, CombinationName, Prize, PrizeTable


class RecordRange(Struct, frozen=True):
    """The records of a bordereau: those after `after`, up to `last`."""

    after: int
    last: int
    night: bool = True
    """A night; else rounds that somebody asked for."""
    closed: bool = True
    """A night whose tray or rake box was counted at its end."""


class When(Struct, frozen=True):
    """A place on record."""

    seq: int
    wall: str
    round: int


class AwardStatus(Enum):
    """What became of an award."""

    PENDING = "pending"
    FINAL = "final"
    CANCELLED = "cancelled"


class AwardEntry(Struct, frozen=True):
    """One award."""

    begun: When
    ended: When | None
    """None while it is pending."""
    status: AwardStatus
    combination: CombinationName
    winners: int
    reading: Cents
    each: Cents
    total: Cents
    inspector: bool | None
    """Whether the inspector was present; None if the table has no contact for that."""
    prize: Prize | None = None
    """Of a prize file."""
    envy: Envy | None = None
    by_house: Cents = Cents(0)
    """What of prizes and envy the house pays."""

    @property
    def of_envy(self) -> Cents:
        """The envy of all that get it."""
        return Cents(self.envy.seats * self.envy.each if self.envy is not None else 0)

    @property
    def prizes_by_house(self) -> Cents:
        """What the house pays to the winners alone."""
        return self.total if self.by_house > self.of_envy else Cents(0)

    @property
    def envy_by_house(self) -> Cents:
        """What the house pays to the others."""
        return self.of_envy if self.by_house else Cents(0)


class FaultEntry(Struct, frozen=True):
    """One fault."""

    code: str
    raised: When | None
    """None: before the first record."""
    cleared: When | None = None
    """None: it is still present."""
    who: str = ""
    """Who cleared it; "" if it cleared without a technician."""


class ServiceEntry(Struct, frozen=True):
    """A time in SERVICE."""

    begun: When | None
    ended: When | None = None
    people: tuple[str, ...] = ()
    """Who did something on the table's line meanwhile."""


class DeclarationEntry(Struct, frozen=True):
    """A declaration."""

    when: When
    kind: str
    who: str
    facts: Mapping[str, object]
    """What was declared."""
    refusal: str = ""
    """Why it was refused; "" if it was done."""


class CorrectionEntry(Struct, frozen=True):
    """A correction of the accounts by two people."""

    when: When
    who: str
    second: str
    reason: str
    moved: Mapping[Account, Units]


class TrayEntry(Struct, frozen=True):
    """A hand count of the tray; `expected` and `difference` as the table computed them then."""

    when: When
    who: str
    counted: int
    expected: int
    difference: int


class CardsEntry(Struct, frozen=True):
    """The cards of a bordereau."""

    decks: int = 0
    """Decks that became ready."""
    dealt: int = 0
    """Cards dealt in packets."""
    shoes: int = 0
    """Shoes loaded."""
    drawn: int = 0
    """Cards that left the shoe, burnt cards included."""
    coups: Mapping[str, int] = field(default_factory=dict)
    """Coups by their result."""


class DropEntry(Struct, frozen=True):
    """A count of the rake box; `expected` and `difference` as the table computed them then."""

    when: When
    who: str
    counted: Cents
    expected: Cents
    difference: Cents


class PokerEntry(Struct, frozen=True):
    """The hands of a poker table."""

    hands: int
    misdeals: int
    voids: int
    counted: int
    """Hands whose pots were entered."""
    pots: Cents
    """The sum of these pots."""
    flops_without_entry: int
    """Hands that had a flop, were not void, and whose pots were not entered."""
    time_calls: int
    expired: int
    dealers: int
    """New dealers."""
    early: int
    """Of them, in the last 90 s of a level."""
    changes: int
    """Decks changed."""
    drops: tuple[DropEntry, ...]


class TimeStamp(Struct, frozen=True):
    """A time stamp (RFC 3161) over the last record's hash."""

    at: str
    """Its time, UTC."""
    serial: str
    """Its number at the server, hexadecimal."""
    server: str
    reply: bytes
    """What the server answered: a TimeStampResp in DER."""


class NotStamped(Struct, frozen=True):
    """A server is configured, and there is no time stamp."""

    why: str


class Bordereau(Struct, frozen=True):
    """A range of records, added up."""

    stretch: RecordRange
    first: int
    """The number of its first record."""
    last: When
    hash: str
    """The last record's hash."""
    opened: When | None
    """Its first round's GAME OVER."""
    simulated: bool
    """Whether the cabinet is simulated."""
    phase: Phase
    rounds: tuple[int, int]
    """The first and the last round."""
    rounds_staked: int
    """Rounds with at least one token."""
    settings: tuple[tuple[When | None, Settings], ...]
    """The settings in force, each with its beginning (None: before the first record)."""
    opening: Balances
    closing: Balances
    differs: tuple[str, ...]
    """Accounts whose postings do not lead to the balance on record: the ledger was changed."""
    money: MoneyTotals
    by_currency: Mapping[str, MoneyTotals]
    """The same, each movement under the currency then in force."""
    awards: tuple[AwardEntry, ...]
    declarations: tuple[DeclarationEntry, ...]
    corrections: tuple[CorrectionEntry, ...]
    trays: tuple[TrayEntry, ...]
    faults: tuple[FaultEntry, ...]
    services: tuple[ServiceEntry, ...]
    starts: tuple[When, ...]
    """Starts of the service."""
    configurations: tuple[tuple[When | None, str], ...]
    """SHA-256 of each configuration that it ran, with its beginning (None: before the first
    record); "": not on record."""
    releases: tuple[tuple[When | None, ReleaseChange], ...]
    """Each release that it ran, with its beginning as above; none of a checkout."""
    entered: Mapping[str, int]
    """Logins, by name."""
    wrong_pins: Mapping[str, int]
    refused: Mapping[str, int]
    """Refusals, by code."""
    forgotten: int
    """Refused acts of a locked table that have no record each."""
    noticed: Mapping[str, int]
    """Decisions that a floor manager asks about, by their names on record."""
    cards: CardsEntry
    poker: PokerEntry | None = None
    """None at another game's table."""
    stamp: TimeStamp | NotStamped | None = None
    """None: no server is configured."""
    signed: HeadSigned | None = None
    """The signed head of its last record or a later one, else of an earlier one; None: no key."""

    @property
    def link(self) -> str:
        """The linked jackpot at its end; "": the table's own. Its accounts are then its part."""
        link = self.settings[-1][1].link if self.settings else UNSET
        return link if isinstance(link, str) else ""

    @property
    def has_prize_file(self) -> bool:
        """Whether a prize file was in force at any time."""
        return any(isinstance(one.prizes, PrizeTable) for _, one in self.settings)

    @property
    def currencies(self) -> tuple[tuple[When | None, str], ...]:
        """Each currency with its beginning (None: before the first record); at least one.

        One in which nothing moved counts only where it is the only one.
        """
        found: list[tuple[When | None, str]] = []
        for since, settings in self.settings:
            prizes = settings.prizes
            currency = prizes.currency if isinstance(prizes, PrizeTable) else EURO
            if found and found[-1][1] not in self.by_currency:
                found.pop()
            if not found or found[-1][1] != currency:
                found.append((since, currency))
        if len(found) > 1 and found[-1][1] not in self.by_currency:
            found.pop()
        return tuple(found) or ((None, EURO),)

    @property
    def currency(self) -> str:
        """Of its amounts; where it changed, all: `EUR / CHF`."""
        return " / ".join(dict.fromkeys(currency for _, currency in self.currencies))

    def currency_at(self, when: When) -> str:
        """The currency of an amount that was put on record then."""
        begun = [one for since, one in self.currencies if since is None or since.seq <= when.seq]
        return begun[-1] if begun else self.currencies[0][1]

    @property
    def rounds_opened(self) -> int:
        """How many rounds were opened."""
        return self.rounds[1] - self.rounds[0] + 1

    @property
    def rake(self) -> int:
        """The rake that was taken, in units, less what was reversed."""
        return self.closing.of(Account.RAKE) - self.opening.of(Account.RAKE)

    @property
    def difference(self) -> int | None:
        """Tokens of the last count less tokens on record; None if the tray was not counted."""
        return self.trays[-1].counted - self.money.tokens_left if self.trays else None


class PrizePaid(Struct, frozen=True):
    """What one prize paid; `is_envy`: to the other seats. `paid_to`: how many got something."""

    combination: str
    prize: Prize | None
    currency: str
    is_envy: bool
    paid_to: int
    by_jackpot: Cents
    by_house: Cents


def add_up_prizes(report: Bordereau) -> tuple[PrizePaid, ...]:
    """A row for each prize that was paid, then one for its envy, in the order of the first award.

    Together they are what the final awards paid. A prize that changed within the night has rows of
    its own before and after.
    """
    final = [one for one in report.awards if one.status is AwardStatus.FINAL]
    rows: list[PrizePaid] = []
    kinds = [(report.currency_at(one.begun), one.combination, one.prize) for one in final]
    for kind in dict.fromkeys(kinds):
        awards = [one for one, its in zip(final, kinds, strict=True) if its == kind]
        rows.append(_add_up(awards, kind[0]))
        if any(one.envy is not None for one in awards):
            rows.append(_add_up_envy(awards, kind[0]))
    return tuple(rows)


def _add_up(awards: list[AwardEntry], currency: str) -> PrizePaid:
    house = sum(one.prizes_by_house for one in awards)
    total = sum(one.total for one in awards)
    winners = sum(one.winners for one in awards)
    last = awards[-1]
    jackpot = Cents(total - house)
    return PrizePaid(last.combination, last.prize, currency, False, winners, jackpot, Cents(house))


def _add_up_envy(awards: list[AwardEntry], currency: str) -> PrizePaid:
    house = sum(one.envy_by_house for one in awards)
    total = sum(one.of_envy for one in awards)
    seats = sum(one.envy.seats for one in awards if one.envy is not None)
    last = awards[-1]
    jackpot = Cents(total - house)
    return PrizePaid(last.combination, last.prize, currency, True, seats, jackpot, Cents(house))
