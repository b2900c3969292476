"""What a bordereau holds (docs/rules.md, section 11). All of it is computed from the record.

Amounts of accounts are exact, in units; awards are in cents. Times are the clock's labels as they
stand on record.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from console.office.money_totals import MoneyTotals
from console.rules.codes import Phase
from console.rules.settings import Settings
from jackpot.accounts import Account, Balances
from jackpot.amounts import Cents, Units
from jackpot.prizes import Combination


@dataclass(frozen=True, slots=True)
class RecordRange:
    """Which records are told: those after `after`, up to and with `last`.

    `night`: a night, else rounds somebody asked for. `closed`: the tray was counted at its end.
    """

    after: int
    last: int
    night: bool = True
    closed: bool = True


@dataclass(frozen=True, slots=True)
class When:
    """Where something stands on record."""

    seq: int
    wall: str
    round: int


class AwardStatus(Enum):
    """What became of an award."""

    PENDING = "pending"
    FINAL = "final"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class AwardEntry:
    """One award; `ended` is None while it is pending.

    `inspector`: was he present; None where no contact is fitted.
    """

    begun: When
    ended: When | None
    status: AwardStatus
    combination: Combination
    winners: int
    reading: Cents
    each: Cents
    total: Cents
    inspector: bool | None


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """One fault; `raised` is None if it was present before, `cleared` if it still is.

    `who` cleared it; "" where it cleared by itself.
    """

    code: str
    raised: When | None
    cleared: When | None = None
    who: str = ""


@dataclass(frozen=True, slots=True)
class ServiceEntry:
    """The table in SERVICE, and who did something on its line meanwhile."""

    begun: When | None
    ended: When | None = None
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeclarationEntry:
    """A declaration as it was made; `refusal` is "" where it was done.

    `facts`: what was declared, beside the name.
    """

    when: When
    kind: str
    who: str
    facts: Mapping[str, int | str | bool]
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class CorrectionEntry:
    """A correction of the accounts by two people, with its reason."""

    when: When
    who: str
    second: str
    reason: str
    moved: Mapping[Account, Units]


@dataclass(frozen=True, slots=True)
class TrayEntry:
    """The tray counted by hand; `expected` and `difference` as the table told them then."""

    when: When
    who: str
    counted: int
    expected: int
    difference: int


@dataclass(frozen=True, slots=True)
class CardsEntry:
    """Shuffler and shoe: decks ready, cards dealt in packets; shoes loaded, coups by their result.

    `drawn`: cards that left the shoe, the burnt ones among them.
    """

    decks: int = 0
    dealt: int = 0
    shoes: int = 0
    drawn: int = 0
    coups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bordereau:
    """A stretch of the record, added up.

    `first` to `last`: its records; `hash` is that of the last one. `opened`: its first round's
    GAME OVER. `settings`: those in force, each with when it came (None: from before). `differs`:
    accounts whose postings do not lead to the balance on record; none, unless the ledger was
    changed. `noticed`: how often the table decided what a floor manager asks about, by its name on
    record. `starts`: when the service started within it. `forgotten`: refused acts of a locked
    table that are not on record one by one.
    """

    stretch: RecordRange
    first: int
    last: When
    hash: str
    opened: When | None
    phase: Phase
    rounds: tuple[int, int]
    rounds_staked: int
    settings: tuple[tuple[When | None, Settings], ...]
    opening: Balances
    closing: Balances
    differs: tuple[str, ...]
    money: MoneyTotals
    awards: tuple[AwardEntry, ...]
    declarations: tuple[DeclarationEntry, ...]
    corrections: tuple[CorrectionEntry, ...]
    trays: tuple[TrayEntry, ...]
    faults: tuple[FaultEntry, ...]
    services: tuple[ServiceEntry, ...]
    starts: tuple[When, ...]
    entered: Mapping[str, int]
    wrong_pins: Mapping[str, int]
    refused: Mapping[str, int]
    forgotten: int
    noticed: Mapping[str, int]
    cards: CardsEntry

    @property
    def rounds_opened(self) -> int:
        """How many rounds were opened."""
        return self.rounds[1] - self.rounds[0] + 1

    @property
    def difference(self) -> int | None:
        """Tokens counted last less tokens on record; None: the tray was not counted."""
        return self.trays[-1].counted - self.money.tokens_left if self.trays else None
