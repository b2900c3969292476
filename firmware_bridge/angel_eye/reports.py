"""The meaning of an Angel Eye II-EX's reports (docs/reference/angel-eye.md, "Reports"). Pure."""

from collections.abc import Callable
from enum import IntEnum

from msgspec import Struct

from firmware_bridge.angel_eye.framing import LONGEST_DATA, ShoeReport
from firmware_bridge.protocol_error import ProtocolError

RANKS = "A23456789TJQK"
SUITS = {1: "D", 2: "C", 3: "S", 4: "H"}

HIGHEST_PLACE = 3
CARD_LETTERS = frozenset("DRd")
"""The letters of reports of cards that have left the shoe."""

_SUIT_CODES = {suit: code for code, suit in SUITS.items()}

ERROR_NAMES = {
    1: "cannot read",
    2: "overdraw",
    3: "button mishandled",
    4: "card run backwards at the exit",
    5: "card run backwards midway",
    6: "card code",
    7: "time-out of drawing",
}


class Target(IntEnum):
    """Where a card of the game went."""

    PLAYER = 0
    BANKER = 1
    BURN = 2
    FIRST_CARD = 4
    BURN_COUNT = 5


class ReportedResult(IntEnum):
    """How a coup ended."""

    PLAYER = 1
    TIE = 2
    BANKER = 4
    FORCED_END = 7


class CommunicationStarted(Struct, frozen=True):
    """`S`: the shoe starts anew."""


class StandBy(Struct, frozen=True):
    """`P`: the shoe stands by."""


class CutCardDrawn(Struct, frozen=True):
    """`C`: the cut card is out."""


class GameCard(Struct, frozen=True):
    """`D`, or `R` with `again`: a card, such as `4H`, at its place in the game, 1 to 3."""

    target: Target
    place: int
    card: str
    again: bool = False


class OutsideCard(Struct, frozen=True):
    """`d`: a card drawn outside the game: while locked (0), in error (1) or being set (2)."""

    target: int
    card: str


class CoupEnded(Struct, frozen=True):
    """`G`: the result, and which sides had a pair."""

    result: ReportedResult
    player_pair: bool = False
    banker_pair: bool = False


class ErrorReported(Struct, frozen=True):
    """`E`, or `e` with `over`: an error."""

    code: int
    over: bool = False

    @property
    def name(self) -> str:
        """The error in words."""
        return ERROR_NAMES.get(self.code, "unknown error")


class LockReported(Struct, frozen=True):
    """`L`: the shoe was locked or unlocked."""

    locked: bool


class ShoeSettingChanged(Struct, frozen=True):
    """`M`: a setting: an address of two digits, a value of four characters."""

    address: str
    value: str


Meaning = (
    CommunicationStarted
    | StandBy
    | CutCardDrawn
    | GameCard
    | OutsideCard
    | CoupEnded
    | ErrorReported
    | LockReported
    | ShoeSettingChanged
)


def parse_report(report: ShoeReport) -> Meaning:
    """The meaning of a report. Raises ProtocolError for an unknown letter, length or value."""
    known = _READERS.get(report.letter)
    if known is None:
        raise ProtocolError(f"a report {report.letter} is not known")
    length, read = known
    if len(report.data) != length:
        raise ProtocolError(
            f"{report.letter} has {len(report.data)} bytes of data, {length} are known"
        )
    return read(report)


def card_byte(card: str) -> int:
    """The byte of a card such as `4H`, without bit 7.

    Raises KeyError or ValueError for another text.
    """
    return _SUIT_CODES[card[1:]] << 4 | RANKS.index(card[0]) + 1


def _card(report: ShoeReport) -> str:
    suit, rank = report.data[1] >> 4, report.data[1] & 0x0F
    if suit not in SUITS or not 1 <= rank <= len(RANKS):
        raise ProtocolError(f"{report.letter}: {report.data[1]:#04x} is no card")
    return RANKS[rank - 1] + SUITS[suit]


def _game_card(report: ShoeReport) -> GameCard:
    code, place = report.data[0] >> 4, report.data[0] & 0x0F
    if code not in Target.__members__.values():
        raise ProtocolError(f"{report.letter}: {code} is no target")
    target = Target(code)
    if target in (Target.PLAYER, Target.BANKER) and not 1 <= place <= HIGHEST_PLACE:
        raise ProtocolError(f"{report.letter}: {place} is no place, they are 1 to {HIGHEST_PLACE}")
    return GameCard(target, place, _card(report), again=report.letter == "R")


def _outside_card(report: ShoeReport) -> OutsideCard:
    return OutsideCard(report.data[0], _card(report))


def _coup_ended(report: ShoeReport) -> CoupEnded:
    code = report.data[0] >> 4
    if code not in ReportedResult.__members__.values():
        raise ProtocolError(f"G: {code} is no result")
    return CoupEnded(ReportedResult(code), bool(report.data[0] & 1), bool(report.data[0] & 2))


def _error(report: ShoeReport) -> ErrorReported:
    return ErrorReported(report.data[0] & 0x3F)  # bit 6: it is in error mode


def _error_over(report: ShoeReport) -> ErrorReported:
    return ErrorReported(report.data[0] & 0x3F, over=True)


def _setting(report: ShoeReport) -> ShoeSettingChanged:
    text = report.data.decode("ascii")
    if not (text.isprintable() and text[:2].isdecimal()):
        raise ProtocolError(f"M: {text!r} is no address and value")
    return ShoeSettingChanged(text[:2], text[2:])


_READERS: dict[str, tuple[int, Callable[[ShoeReport], Meaning]]] = {
    "S": (0, lambda _: CommunicationStarted()),
    "P": (0, lambda _: StandBy()),
    "C": (0, lambda _: CutCardDrawn()),
    "D": (2, _game_card),
    "R": (2, _game_card),
    "d": (2, _outside_card),
    "G": (1, _coup_ended),
    "E": (1, _error),
    "e": (1, _error_over),
    "L": (1, lambda report: LockReported(report.data[0] & 1 == 1)),
    "M": (LONGEST_DATA, _setting),
}
