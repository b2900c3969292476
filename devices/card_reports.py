"""Reports of shuffler and shoe, and orders to the shuffler.

docs/reference/rules.md, sections 8 and 9.

None of them reveals the order of cards that are not dealt.
"""

from enum import Enum

from msgspec import UNSET, Struct, UnsetType

from devices.boards import Boards


class Back(Enum):
    """The back of a deck, or of a set of six decks."""

    RED = "red"
    BLUE = "blue"


class DeckState(Enum):
    """The state of the deck being prepared; JAMMED also stops the deck in play."""

    EMPTY = "EMPTY"
    SHUFFLING = "SHUFFLING"
    READY = "READY"
    JAMMED = "JAMMED"


class ShufflerSeen(Struct, frozen=True):
    """The shuffler's whole state; reported after every (re)connection, then when it changes."""

    boot: int
    preparing: DeckState
    prepared_back: Back | None = None
    """The back of the deck being prepared; None without one."""
    counted: int | None = None
    """Cards of the deck being prepared; None until they are counted."""
    playing_back: Back | None = None
    """The back of the deck in play; None when the machine has nothing left of it (green light)."""
    hand: int = 0
    """The hand dealt last; `dealt`, `packets` and `unloaded` belong to it."""
    dealt: int = 0
    """Cards that were taken."""
    packets: int = 0
    """Packets that were taken."""
    unloaded: int | None = None
    """Cards counted when the rest was unloaded; None before that."""
    waiting: bool = False
    """A packet is at the exit; it is not dealt yet."""
    presses: int | UnsetType = UNSET
    """A deck shuffler's: how often its green button was pressed, modulo 65536, kept without
    power."""
    late_presses: int | UnsetType = UNSET
    """How many of those since the driver's start were told late: STATEs were missed before. Modulo
    65536."""
    notices: frozenset[int] | UnsetType = UNSET
    """As in `RailSeen`."""


class Place(Enum):
    """The side a card belongs to in Punto Banco."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"


class Card(Struct, frozen=True):
    """A card by its name: rank `A23456789TJQK`, then suit `SHDC`."""

    name: str


class CoupResult(Enum):
    """A coup's result by a reading shoe; FORCED: it was ended by hand."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"
    EGALITE = "EGALITE"
    FORCED = "FORCED"


class ShoeSeen(Struct, frozen=True):
    """A counting shoe's whole state; reported after every (re)connection, then when it changes."""

    boot: int
    loads: int
    """Shoes put in since the boot `boot`, modulo 65536."""
    cards: int
    """Cards in the last shoe when it was put in."""
    draws: int
    """Cards that have left the last shoe."""
    cut_after: int | None = None
    """After how many cards the cut card came out; None: not yet."""
    notices: frozenset[int] | UnsetType = UNSET
    """As in `RailSeen`."""


class ShoeLoaded(Struct, frozen=True):
    """A reading shoe was filled and starts anew; None: it did not report the number of cards."""

    cards: int | None


class CardDrawn(Struct, frozen=True):
    """A reading shoe dealt a card to a place, as its card `number` (1 to 3)."""

    place: Place
    number: int
    card: Card


class CardBurnt(Struct, frozen=True):
    """A card left a reading shoe outside any coup."""


class CutCardOut(Struct, frozen=True):
    """The cut card came out of a reading shoe."""


class ResultReported(Struct, frozen=True):
    """A reading shoe reports the result of the coup."""

    result: CoupResult


class ShoeTrouble(Struct, frozen=True):
    """A reading shoe reports an error, by code and name; with `over`, that the error is cleared."""

    code: int
    what: str
    over: bool = False

    @property
    def overdraw(self) -> bool:
        """Whether a card was drawn against the drawing rule."""
        return self.code == OVERDRAW and not self.over


OVERDRAW = 2


class ReportsMissed(Struct, frozen=True):
    """A reading shoe was not heard for a while; cards may have left it unreported."""


class ShufflerOrders(Struct, frozen=True):
    """What the shuffler may do.

    Each hand is dealt from one deck, in packets, each offered when the one before was taken. A deck
    of which no packet was taken may serve the next hand.
    """

    may_deal: bool = False
    """Betting is closed; otherwise the exit is shut, even for a packet that is there."""
    may_begin: bool = False
    """The prepared deck may come into play."""
    hand: int = 0
    """The number of the hand, modulo 65536."""
    packets: tuple[int, ...] = ()
    """Cards of each packet; none for a mixer."""
    boards: Boards | None = None
    """The boards for which this was decided: others shut the exit. None: any."""
    ready_light: bool = False
    """A deck shuffler's green light is lit: GREEN would be accepted. Others have none like it."""
