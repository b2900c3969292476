"""What shuffler and shoe report, and what the shuffler is told (docs/rules.md, sections 8 and 9).

The order of cards that are not dealt is in none of it.
"""

from dataclasses import dataclass
from enum import Enum


class Back(Enum):
    """The back of a deck, or of a set of six decks."""

    RED = "red"
    BLUE = "blue"


class DeckState(Enum):
    """Where the deck that the machine prepares stands; JAMMED also stops the one in play."""

    EMPTY = "EMPTY"
    SHUFFLING = "SHUFFLING"
    READY = "READY"
    JAMMED = "JAMMED"


@dataclass(frozen=True, slots=True)
class ShufflerSeen:
    """All the shuffler tells; reported after every (re)connection, then whenever it differs.

    `prepared_back` and `counted` are of the deck being prepared (None: no deck, not yet counted).
    `playing_back` is that of the deck in play, None when nothing of it is left in the machine
    (green light). `hand`, `dealt`, `packets` and `unloaded` are of the hand dealt last: cards and
    packets that have been taken, and the cards counted when the rest was unloaded (None: not yet).
    `waiting`: a packet stands at the exit; it is not dealt.
    """

    boot: int
    preparing: DeckState
    prepared_back: Back | None = None
    counted: int | None = None
    playing_back: Back | None = None
    hand: int = 0
    dealt: int = 0
    packets: int = 0
    unloaded: int | None = None
    waiting: bool = False


class Place(Enum):
    """Whose card it is in Punto Banco."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"


@dataclass(frozen=True, slots=True)
class Card:
    """A card by its name: rank `A23456789TJQK`, then suit `SHDC`."""

    name: str


class CoupResult(Enum):
    """What a reading shoe says of a coup. FORCED: it was ended by hand."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"
    EGALITE = "EGALITE"
    FORCED = "FORCED"


@dataclass(frozen=True, slots=True)
class ShoeSeen:
    """All a counting shoe knows; reported after every (re)connection, then whenever it differs.

    `loads` counts the shoes put in since the boot `boot` (modulo 65536), `cards` were in the last
    one; `draws` and `cut_after` are of that one: cards that have left it, and after how many of
    them the cut card came out (None: not yet).
    """

    boot: int
    loads: int
    cards: int
    draws: int
    cut_after: int | None = None


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """A reading shoe was filled and begins anew; None: it does not say with how many cards."""

    cards: int | None


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A reading shoe gave a card to a place, as its `number` there (1 to 3)."""

    place: Place
    number: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardBurnt:
    """A reading shoe let a card out that is in no coup."""


@dataclass(frozen=True, slots=True)
class CutCardOut:
    """The cut card came out of a reading shoe."""


@dataclass(frozen=True, slots=True)
class ResultReported:
    """A reading shoe says how the coup ended."""

    result: CoupResult


@dataclass(frozen=True, slots=True)
class ShoeTrouble:
    """A reading shoe reports an error (its code and name), or, with `over`, that it is cleared."""

    code: int
    what: str
    over: bool = False

    @property
    def overdraw(self) -> bool:
        """Whether a card was drawn that the rule does not give."""
        return self.code == OVERDRAW and not self.over


OVERDRAW = 2


@dataclass(frozen=True, slots=True)
class ReportsMissed:
    """A reading shoe was not heard for a while: cards may have left it unseen."""


@dataclass(frozen=True, slots=True)
class ShufflerOrders:
    """What the shuffler may do.

    `may_deal`: betting is closed; while it is not, the exit is shut, a packet standing there
    included. `may_begin`: the deck that is ready may come into play. Each `hand` (modulo 65536)
    is dealt from one deck, in packets of `packets` cards one after the other, each offered when
    the one before has been taken; no packets: a mixer. A deck of which no packet has been taken
    may serve the next hand.
    """

    may_deal: bool = False
    may_begin: bool = False
    hand: int = 0
    packets: tuple[int, ...] = ()
