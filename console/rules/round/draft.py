"""The next state under construction, with decisions and transactions."""

from enum import Enum
from typing import Self

from msgspec import Struct, UnsetType
from msgspec.structs import astuple

from console.rules.board_marks import BoardMarks
from console.rules.card_state import DeckMarks, ShoeMarks
from console.rules.codes import LEDGER_FAULTS, LOCKS, Fault, Phase, Refusal
from console.rules.drive import Drive
from console.rules.link_state import LeftLink, LinkState
from console.rules.poker_state import PokerState
from console.rules.release_marks import ReleaseMarks
from console.rules.settings import NextJackpot, Settings, Written
from console.rules.state import (
    ConfigurationMarks,
    Deadlines,
    DoorMarks,
    LastHandsCount,
    Notice,
    PeopleMarks,
    RailMarks,
    Rules,
    SeatMarks,
    TableState,
)
from devices.roles import KeyPosition
from jackpot.money.accounts import Balances, Transaction
from jackpot.money.awards import Award
from jackpot.money.prizes import CombinationName

STATE = slice(2, 2 + len(TableState.__struct_fields__))
"""Where a draft has the fields of its state."""

NOTICE_MS = 2000
"""A refusal replaces the display's first line for 2 s (docs/reference/rules.md, section 5)."""


class ActOutcome(Enum):
    """The outcome of an act. NO_EFFECT is recorded and is not a refusal."""

    DONE = "done"
    REFUSED = "refused"
    NO_EFFECT = "no effect"


class Decision(Struct, frozen=True):
    """Something the table decided, for the record: `what`, and the facts to understand it."""

    what: str
    facts: dict[str, int | str | None]


class Transition(Struct, frozen=True):
    """An act's consequences: the state after it, and everything for its record."""

    state: TableState
    outcome: ActOutcome
    refusal: Refusal | None
    decisions: tuple[Decision, ...]
    transactions: tuple[Transaction, ...]


class Draft(Struct):
    """The state under construction, and the consequences of one act. Lives only within `advance`.

    From `settings` to `next_jackpot` these are the fields of `TableState` in their order, because
    they are copied by position.
    """

    rules: Rules
    now: int
    settings: Settings | None
    phase: Phase
    service: bool
    round: int
    turn: int
    key: KeyPosition | None
    inspector: bool
    seats: SeatMarks
    rail: RailMarks
    choice: CombinationName | None
    award: Award | None
    awards: int
    places_used: int
    faults: tuple[Fault, ...]
    notice: Notice | None
    deadlines: Deadlines
    last_hands: LastHandsCount | None
    deck: DeckMarks
    shoe: ShoeMarks
    balances: Balances
    tray_mark: int
    drive: Drive | None
    corrections: int
    link: LinkState | LeftLink | UnsetType
    written: Written | UnsetType
    boards: BoardMarks | UnsetType
    poker: PokerState | UnsetType
    over_limit: int | UnsetType
    release: ReleaseMarks | UnsetType
    doors: DoorMarks | UnsetType
    configuration: ConfigurationMarks | UnsetType
    people: PeopleMarks | UnsetType
    next_jackpot: NextJackpot | UnsetType
    outcome: ActOutcome = ActOutcome.DONE
    refusal: Refusal | None = None
    decisions: list[Decision] = []
    transactions: list[Transaction] = []

    @classmethod
    def of(cls, state: TableState, rules: Rules, now: int) -> Self:
        """The draft of the state that follows this one."""
        return cls(rules, now, *astuple(state))

    @property
    def locked(self) -> bool:
        """Whether a ledger fault locks the table."""
        return not LEDGER_FAULTS.isdisjoint(self.faults)

    @property
    def key_is_at_s(self) -> bool:
        """In SERVICE, the key still at S: what a technician does needs both (6.17)."""
        return self.service and self.key is KeyPosition.S

    @property
    def play_locked(self) -> bool:
        """Whether nothing is played: a ledger fault locks the table, or a changed program."""
        return not LOCKS.isdisjoint(self.faults)

    @property
    def places_left(self) -> int:
        """How many winners the round can still have, including those of the pending award."""
        return len(self.seats.eligible) - self.places_used

    def decide(self, what: str, **facts: int | str | None) -> None:
        """Note a decision for the record."""
        self.decisions.append(Decision(what, facts))

    def refuse(self, code: Refusal) -> None:
        """Refuse the act: the state stays, and the display shows why for 2 s."""
        self.outcome = ActOutcome.REFUSED
        self.refusal = code
        self.notice = Notice(code, self.now + NOTICE_MS)

    def note_late_token(self, seat: int, **tokens: int) -> None:
        """Note a token that came late, which the display says for 2 s."""
        self.decide("token-late", seat=seat, **tokens)
        self.notice = Notice(None, self.now + NOTICE_MS)

    def no_effect(self) -> None:
        """Note that the act changes nothing, which is not a refusal."""
        self.outcome = ActOutcome.NO_EFFECT

    def move(self, transaction: Transaction | None) -> None:
        """Move money; None if there is nothing to move."""
        if transaction is not None:
            self.transactions.append(transaction)
            self.balances = self.balances.after(transaction)

    def identity(self, rest: str, number: int | None = None) -> str:
        """A transaction's identity, unique in the house: table, round and purpose.

        `number`: of another round than the present one.
        """
        return f"{self.rules.table}/round-{self.round if number is None else number}/{rest}"

    def raise_fault(self, fault: Fault) -> None:
        """Raise the fault, if it is not present."""
        if fault not in self.faults:
            self.faults = (*self.faults, fault)
            self.decide("fault-raised", fault=fault.value)

    def clear_fault(self, fault: Fault) -> None:
        """Clear the fault, if it is present."""
        if fault in self.faults:
            self.faults = tuple(kept for kept in self.faults if kept is not fault)
            self.decide("fault-cleared", fault=fault.value)

    def set_fault(self, fault: Fault, present: bool) -> None:
        """Raise the fault if it is present, else clear it."""
        if present:
            self.raise_fault(fault)
        else:
            self.clear_fault(fault)

    def count_hand_begun(self) -> None:
        """A hand begins: of the last hands it counts once it is over."""
        last = self.last_hands
        if last is not None:
            self.last_hands = LastHandsCount(last.left, begun=True) if last.left else None

    def count_hand_over(self) -> None:
        """A hand is over; one that began before they were announced does not count."""
        last = self.last_hands
        if last is not None and last.begun:
            self.last_hands = LastHandsCount(last.left - 1)

    def step(self) -> Transition:
        """The transition."""
        return Transition(
            TableState(*astuple(self)[STATE]),
            self.outcome,
            self.refusal,
            tuple(self.decisions),
            tuple(self.transactions),
        )
