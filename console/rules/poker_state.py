"""What a poker table remembers, part of a table's state.

docs/reference/poker-rules.md 13 to 20.
"""

from enum import Enum

from msgspec import UNSET, Struct, UnsetType

from console.rules.poker_acts import (
    BreakDeclared,
    ClockSet,
    ClockSwitched,
    Go,
    HandForHand,
    MatchNew,
)
from console.rules.poker_clock import Blinds, ClockRow, TournamentClock
from console.rules.poker_settings import CARDS, OUT_AT_RIVER
from devices.card_reports import Back
from jackpot.money.rake import RakeCap

Pots = tuple[tuple[int, ...], ...]
"""The chips of each pot in cents, as they were entered; the main pot first."""


class Street(Enum):
    """How far the board of a hand is."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


STREETS = tuple(Street)

OUT = dict(zip(STREETS, (0, 4, 6, OUT_AT_RIVER), strict=True))
"""Board and burnt cards on each street."""


class Hand(Struct, frozen=True):
    """A hand in play; what it began with is latched.

    `deal`: 1, after each misdeal one more. `awaited`: the cards are to be dealt. `level`: 0 in
    cash. `back`: of the deck that the shuffler gave out; None: unknown. `boards`: each number that
    was agreed, and how many of the 8 cards were out then. `mended`: the board was mended, so
    nothing is counted.
    """

    deal: int
    awaited: bool
    level: int
    blinds: Blinds
    players: int
    back: Back | None = None
    street: Street = Street.PREFLOP
    boards: tuple[tuple[int, int], ...] = ()
    mended: bool = False

    def count_dealt(self, hole: int) -> int | None:
        """The cards dealt, with `hole` to each player; None: unknown."""
        if self.awaited:
            return 0
        board = sum(self._boards_of(card) for card in range(1, OUT[self.street] + 1))
        count = hole * self.players + board
        return None if self.mended or count > CARDS else count

    @property
    def most_boards(self) -> int:
        """The number that was agreed last."""
        return self._boards_of(OUT_AT_RIVER)

    def _boards_of(self, card: int) -> int:
        """How often this card of the 8 is dealt."""
        return max((boards for boards, out in self.boards if out < card), default=1)


class TimeCall(Struct, frozen=True):
    """A player has until `until` (ms of the monotonic clock); 0: the time is up."""

    until: int
    countdown_ms: int


class LastHand(Struct, frozen=True):
    """The hand that is over. `parts`: its rake in euro; None: none was taken.

    `disputed`: it may be. `disputed_until`: not longer, ms; None: until the next one begins.
    `shown`: line 2 shows its rake. `takings`: how often its rake was posted. `closed`: its rake is
    final: the table was closed since, or there was none.
    """

    players: int = 0
    level: int = 0
    parts: tuple[int, ...] | None = None
    takings: int = 0
    disputed: bool = False
    disputed_until: int | None = None
    shown: bool = False
    closed: bool = True


ClockWish = ClockSwitched | ClockSet | BreakDeclared | MatchNew | HandForHand | Go
"""What is declared of a clock."""


class SharedClock(Struct, frozen=True):
    """What a table knows of the row that all tables of its tournament share.

    `version`: of the row that it follows; 0: of none since the start. `n`: its last change;
    `changed`: the centre has not taken it yet; `wishes`: what was declared in it. `go`: how many
    the centre has sent; `paid`: up to which hands have cost their time; `begun`: that of the last
    hand. `away`: the centre was silent; `noted`, `noted_at`: the row that holds from the next hand.
    """

    version: int = 0
    n: int = 0
    changed: bool = False
    wishes: tuple[ClockWish, ...] = ()
    go: int = 0
    paid: int = 0
    begun: int = 0
    away: bool = False
    noted: ClockRow | None = None
    noted_at: int = 0


class TournamentEntries(Struct, frozen=True):
    """What was declared of a tournament: its entries so far, and the chips in play."""

    entries: int
    chips: int


class PokerState(Struct, frozen=True):
    """A poker table. `players` of the next hand. `pots`: of the hand that is counted.

    `clock`: None in cash. `go`: the next hand may begin, hand for hand. `owes`: the last hand's two
    minutes are still to be taken. `change`: a deck change is due. `changed_at`: when the deck was
    changed or the night opened (ms); `changed_hand`: the hand before. `asked`: the back of the deck
    that GREEN asked for and that is not out yet. `deck_hands`: the last hand of each back's deck.
    `silent`: the shuffler has not been heard since a loss or a start.
    `seconds`: of a time call; None: the house's. `cap`: of the rake; None: the configured one.
    `won`: no hand has a share of the jackpot until the night is closed. `players_until`: line 2
    shows the players until then. `drop_mark`: the rake account when the box was counted last.
    `shared`: None at a table whose clock is its own. `entries`: unset until they are declared.
    """

    players: int
    hand: Hand | None = None
    last: LastHand = LastHand()
    clock: TournamentClock | None = None
    hand_for_hand: bool = False
    go: bool = False
    owes: bool = False
    time_call: TimeCall | None = None
    seconds: int | None = None
    change: bool = False
    changed_at: int | None = None
    changed_hand: int = 0
    asked: Back | None = None
    deck_hands: dict[str, int] = {}
    silent: bool = False
    pots: Pots = ()
    half_rake: bool = False
    cap: RakeCap | None = None
    won: bool = False
    players_until: int | None = None
    drop_mark: int = 0
    shared: SharedClock | None = None
    entries: TournamentEntries | UnsetType = UNSET

    def count_entries(self) -> tuple[int, int]:
        """Entries and chips as they were declared; 0: they were not."""
        declared = self.entries
        return (declared.entries, declared.chips) if declared else (0, 0)
