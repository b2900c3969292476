"""What the floor manager declares at a poker table (docs/reference/poker-rules.md, section 20)."""

from typing import ClassVar

from msgspec import Struct

from console.rules.poker_clock import ClockRow
from jackpot.money.amounts import Cents


class BoardsAgreed(Struct, frozen=True):
    """Players have agreed on several boards for the cards that are still to come."""

    kind: ClassVar[str] = "boards"
    boards: int
    who: str


class BoardCorrected(Struct, frozen=True):
    """A board that was dealt wrongly was mended."""

    kind: ClassVar[str] = "board-corrected"
    who: str


class TimeAdjusted(Struct, frozen=True):
    """Later calls of time last so many seconds; None: as the house has it."""

    kind: ClassVar[str] = "time-adjusted"
    seconds: int | None
    who: str


class ClockSwitched(Struct, frozen=True, tag="clock"):
    """The tournament's clock runs, or stands."""

    kind: ClassVar[str] = "clock"
    running: bool
    who: str


class ClockSet(Struct, frozen=True, tag="clock-set"):
    """The clock is set: this level, with so much left."""

    kind: ClassVar[str] = "clock-set"
    level: int
    left_ms: int
    who: str


class BreakDeclared(Struct, frozen=True, tag="break"):
    """An extra break begins at once, of so many ms."""

    kind: ClassVar[str] = "break"
    break_ms: int
    who: str


class MatchNew(Struct, frozen=True, tag="match-new"):
    """A heads-up event: the next match begins, and the clock from level 1, standing."""

    kind: ClassVar[str] = "match-new"
    who: str


class PriorLevel(Struct, frozen=True):
    """The hand in play was begun with the blinds of the level before, and keeps them."""

    kind: ClassVar[str] = "prior-level"
    who: str


class HandForHand(Struct, frozen=True, tag="hand-for-hand"):
    """Hand for hand begins, or ends."""

    kind: ClassVar[str] = "hand-for-hand"
    on: bool
    who: str


class Go(Struct, frozen=True, tag="go"):
    """Hand for hand: the next hand may begin."""

    kind: ClassVar[str] = "go"
    who: str


class ChangeDemanded(Struct, frozen=True):
    """A card is damaged, or fell: the deck must be changed."""

    kind: ClassVar[str] = "change"
    who: str


class HalfRake(Struct, frozen=True):
    """Half of the rake is taken from now on, or all of it."""

    kind: ClassVar[str] = "half-rake"
    on: bool
    who: str


class RakeCapSet(Struct, frozen=True):
    """The rake's cap from the next hand on, as `RakeCap` writes it; until the table is closed."""

    kind: ClassVar[str] = "rake-cap"
    cap: str
    who: str


class JackpotHit(Struct, frozen=True):
    """The floor has verified a royal flush that wins the tournament jackpot."""

    kind: ClassVar[str] = "jackpot-hit"
    seat: int
    who: str


class PlayersSet(Struct, frozen=True):
    """So many players are dealt in from the next hand on."""

    kind: ClassVar[str] = "players"
    players: int
    who: str


class EntriesSet(Struct, frozen=True):
    """A tournament has had so many entries, and so many chips are in play."""

    kind: ClassVar[str] = "entries"
    entries: int
    chips: int
    who: str


class RakeCorrected(Struct, frozen=True):
    """The last hand's rake, pot by pot in euro; none: it should not have been taken."""

    kind: ClassVar[str] = "rake-corrected"
    parts: tuple[int, ...]
    who: str


class DropCounted(Struct, frozen=True):
    """The rake box was counted at closing."""

    kind: ClassVar[str] = "drop"
    cents: Cents
    who: str


class ClockShown(Struct, frozen=True):
    """The centre has answered with the tournament's row, which held at `at` (ms)."""

    row: ClockRow
    at: int


PokerDeclaration = (
    BoardsAgreed
    | BoardCorrected
    | TimeAdjusted
    | ClockSwitched
    | ClockSet
    | BreakDeclared
    | MatchNew
    | PriorLevel
    | HandForHand
    | Go
    | ChangeDemanded
    | HalfRake
    | RakeCapSet
    | JackpotHit
    | PlayersSet
    | EntriesSet
    | RakeCorrected
    | DropCounted
)
