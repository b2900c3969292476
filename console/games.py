"""The five games of the house: what each table has (TABLE.md, sections 1, 3 and 8)."""

from dataclasses import dataclass
from enum import Enum


class RailKind(Enum):
    """How tokens are taken."""

    SLOT = "slot"
    SENSOR = "sensor"
    CCTALK = "cctalk"


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its name in configurations, its own rail, and whether a player may change a card."""

    name: str
    rail: RailKind | None
    changes_card: bool = False

    @property
    def progressive(self) -> bool:
        """Whether the table has a jackpot: rail, JPOT and combination buttons."""
        return self.rail is not None


GAMES = {
    game.name: game
    for game in (
        Game("caribbean-stud", RailKind.SLOT, changes_card=True),
        Game("tre-card-stud", RailKind.SENSOR),
        Game("ultimate-texas-holdem", None),
        Game("mini-punto-banco", None),
        Game("black-jack", None),
    )
}
