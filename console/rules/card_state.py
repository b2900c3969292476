"""The state of decks and shoe, part of a table's state.

docs/reference/rules.md, sections 8 and 9.
"""

from enum import Enum

from msgspec import Struct

from devices.card_reports import Back, ShufflerSeen

FULL_SHOE = 312
"""Six decks."""


class DeckMarks(Struct, frozen=True):
    """The decks."""

    seen: ShufflerSeen | None = None
    """The machine's last report."""
    hand: int = 0
    """The number of the hand, 1 to 65535 (0 before the first): a new one at each GAME OVER and each
    void round."""
    last_back: Back | None = None
    """The back of the deck used last."""
    excused: bool = False
    """The next deck may have the same back."""

    @property
    def dealt(self) -> int:
        """Cards of this hand that were taken."""
        return self.seen.dealt if self.seen is not None and self.seen.hand == self.hand else 0


class CoupOutcome(Enum):
    """The result of a coup."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"
    EGALITE = "EGALITE"
    VOID = "VOID"


class CoupMarks(Struct, frozen=True):
    """A coup of Punto Banco, or a hand of Black Jack, of which only the cards are counted."""

    punto: tuple[str, ...] = ()
    """The names of PUNTO's cards in the order drawn."""
    banco: tuple[str, ...] = ()
    """The names of BANCO's cards in the order drawn."""
    cards: int = 0
    """Cards that left the shoe."""
    incomplete: bool = False
    """A report was missed, or a card went to a wrong place: no points are shown."""
    ended: bool = False
    """It has ended; with `outcome` None its result is unknown."""
    outcome: CoupOutcome | None = None
    void: bool = False
    """Declared void, whatever the cards are."""
    without_stakes: bool = False
    """Nobody has a stake in it."""
    by_order: bool = False
    """A card of the shoe's coup was annulled, so the shoe's places are not valid: cards are placed
    by the drawing rule, in the order in which they come."""


class ShoeMarks(Struct, frozen=True):
    """The shoe."""

    cards: int | None = None
    """Cards in it when it was put in; None without a shoe."""
    drawn: int = 0
    """Cards that have left it, burnt ones included."""
    burnt: int = 0
    """Burnt cards."""
    boot: int | None = None
    """A counting shoe's boot number."""
    loads: int = 0
    """How often a counting shoe has been loaded."""
    last: bool = False
    """The cut card is out."""
    over: bool = False
    """The coup with the cut card has ended."""
    too_few: bool = False
    """The last coup began with the cut card and fewer than seven cards."""
    dealing: bool = False
    """A hand of Black Jack has begun."""
    no_stakes_next: bool = False
    """Nobody will have a stake in the next coup."""
    coup: CoupMarks = CoupMarks()
    road: tuple[CoupOutcome, ...] = ()
    """The outcomes of this shoe so far."""

    @property
    def remaining(self) -> int:
        """Cards left in it."""
        return max(0, (self.cards or 0) - self.drawn)
