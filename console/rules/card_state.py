"""What is known of decks and shoe: frozen, part of a table's state (docs/rules.md 8 and 9)."""

from dataclasses import dataclass
from enum import Enum

from devices.card_reports import Back, ShufflerSeen

FULL_SHOE = 312
"""Six decks."""


@dataclass(frozen=True, slots=True)
class DeckMarks:
    """The decks: `seen` as the machine last reported them.

    `hand` numbers the hands (1 to 65535, 0 before the first): a new one at each GAME OVER and each
    void round. `last_back` is that of the deck used last. `excused`: the next may have the same.
    """

    seen: ShufflerSeen | None = None
    hand: int = 0
    last_back: Back | None = None
    excused: bool = False

    @property
    def dealt(self) -> int:
        """Cards of this hand that have been taken."""
        return self.seen.dealt if self.seen is not None and self.seen.hand == self.hand else 0


class CoupOutcome(Enum):
    """How a coup ended."""

    PUNTO = "PUNTO"
    BANCO = "BANCO"
    EGALITE = "EGALITE"
    VOID = "VOID"


@dataclass(frozen=True, slots=True)
class CoupMarks:
    """A coup of Punto Banco, or a hand of Black Jack of which only the cards are counted.

    `punto` and `banco`: the cards' names in the order drawn. `cards`: how many left the shoe.
    `incomplete`: a report was missed or a card went to a wrong place; nobody is told a point.
    `ended` with `outcome` None: how it ended is not known. `void`: whatever the cards say.
    `without_stakes`: nobody staked on it. `by_order`: a card of the shoe's coup was annulled, so
    that its places are not ours: cards go by the rule, in the order in which they come.
    """

    punto: tuple[str, ...] = ()
    banco: tuple[str, ...] = ()
    cards: int = 0
    incomplete: bool = False
    ended: bool = False
    outcome: CoupOutcome | None = None
    void: bool = False
    without_stakes: bool = False
    by_order: bool = False


@dataclass(frozen=True, slots=True)
class ShoeMarks:
    """The shoe: `cards` were put in (None: there is none), `drawn` have left it, `burnt` of them.

    `boot` and `loads` are a counting shoe's own. `last`: the cut card is out; `over`: the coup it
    came out in has ended. `road`: the outcomes of this shoe so far. `dealing`: a hand of Black
    Jack has begun. `too_few`: the last coup began with the cut card and fewer than seven cards.
    `no_stakes_next`: nobody will stake on the next coup.
    """

    cards: int | None = None
    drawn: int = 0
    burnt: int = 0
    boot: int | None = None
    loads: int = 0
    last: bool = False
    over: bool = False
    too_few: bool = False
    dealing: bool = False
    no_stakes_next: bool = False
    coup: CoupMarks = CoupMarks()
    road: tuple[CoupOutcome, ...] = ()

    @property
    def remaining(self) -> int:
        """Cards left in it."""
        return max(0, (self.cards or 0) - self.drawn)
