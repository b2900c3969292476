"""What the floor manager declares at a poker table (docs/poker-rules.md, section 20)."""

from msgspec import Struct

from console.rules.poker.clock_row import ClockRow
from jackpot.amounts import Cents


class BoardsAgreed(Struct, frozen=True):
    """Players have agreed on several boards for the cards that are still to come."""

    boards: int
    who: str


class BoardCorrected(Struct, frozen=True):
    """A board that was dealt wrongly was mended."""

    who: str


class TimeAdjusted(Struct, frozen=True):
    """Later calls of time last so many seconds; None: as the house has it."""

    seconds: int | None
    who: str


class ClockSwitched(Struct, frozen=True, tag="clock"):
    """The tournament's clock runs, or stands."""

    running: bool
    who: str


class ClockSet(Struct, frozen=True, tag="clock-set"):
    """The clock is set: this level, with so much left."""

    level: int
    left_ms: int
    who: str


class BreakDeclared(Struct, frozen=True, tag="break"):
    """An extra break begins at once, of so many ms."""

    break_ms: int
    who: str


class MatchNew(Struct, frozen=True, tag="match-new"):
    """A heads-up event: the next match begins, and the clock from level 1, standing."""

    who: str


class PriorLevel(Struct, frozen=True):
    """The hand in play was begun with the blinds of the level before, and keeps them."""

    who: str


class HandForHand(Struct, frozen=True, tag="hand-for-hand"):
    """Hand for hand begins, or ends."""

    on: bool
    who: str


class Go(Struct, frozen=True, tag="go"):
    """Hand for hand: the next hand may begin."""

    who: str


class ChangeDemanded(Struct, frozen=True):
    """A card is damaged, or fell: the deck must be changed."""

    who: str


class HalfRake(Struct, frozen=True):
    """Half of the rake is taken from now on, or all of it."""

    on: bool
    who: str


class RakeCapSet(Struct, frozen=True):
    """The rake's cap from the next hand on, as `RakeCap` writes it; until the table is closed."""

    cap: str
    who: str


class JackpotHit(Struct, frozen=True):
    """The floor has verified a royal flush that wins the tournament jackpot."""

    seat: int
    who: str


class PlayersSet(Struct, frozen=True):
    """So many players are dealt in from the next hand on."""

    players: int
    who: str


class RakeCorrected(Struct, frozen=True):
    """The last hand's rake, pot by pot in euro; none: it should not have been taken."""

    parts: tuple[int, ...]
    who: str


class DropCounted(Struct, frozen=True):
    """The rake box was counted at closing."""

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
    | RakeCorrected
    | DropCounted
)
