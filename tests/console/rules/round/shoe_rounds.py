"""A `PureTable` with a shoe, for the tests of what the round makes of its cards."""

from console.rules.acts import Act
from console.rules.card_state import CoupOutcome
from console.rules.codes import Fault
from console.rules.game_modules import display_text
from console.rules.observation import format_points, next_to_draw
from console.texts.display import ITALIAN
from devices.card_reports import Card, CardBurnt, CardDrawn, Place, ShoeLoaded
from devices.device import Device
from devices.roles import DeviceUp
from tests.console.table import PureTable, rules_of

PUNTO, BANCO = Place.PUNTO, Place.BANCO
NATURAL = ("4H", "5D", "4S", "2C")
"""PUNTO 8, BANCO 7: over with four cards."""

SIX = ("AS", "2D", "2H", "2S", "2C", "TD")
"""PUNTO 3 and BANCO 4, both draw: PUNTO 5, BANCO 4."""


class PureShoeTable(PureTable):
    """A `PureTable` with a shoe; names of cards go in."""

    def give(self, place: Place, number: int, card: str = "2S") -> None:
        self.do(CardDrawn(place, number, Card(card)))

    def in_turn(self, *cards: str) -> None:
        """Cards as they come when both places draw: P B P B P B."""
        for at, card in enumerate(cards):
            self.give((PUNTO, BANCO)[at % 2], at // 2 + 1, card)

    @property
    def shown(self) -> tuple[str, str, str]:
        """Who draws next, the points and the result, as people are told."""
        won = self.find_outcome()
        return next_to_draw(self.state), format_points(self.state), won.value if won else ""

    def find_outcome(self) -> CoupOutcome | None:
        """How the coup ended."""
        return self.state.shoe.coup.outcome

    def road(self) -> tuple[CoupOutcome, ...]:
        """The outcomes of this shoe."""
        return self.state.shoe.road

    @property
    def display(self) -> tuple[str, str]:
        return display_text(self.state, self.rules, ITALIAN, self.now).lines

    @property
    def error(self) -> bool:
        return Fault.DRAW_ERROR in self.state.faults

    def find_decisions(self, *acts: Act) -> list[str]:
        """What is decided while these are done."""
        return [decision.what for act in acts for decision in self.do(act).decisions]


def shoe_table_of(game: str) -> PureShoeTable:
    """A table of this game, its shoe seen but nothing loaded yet."""
    shoe_table = PureShoeTable.start(rules_of(game))
    assert isinstance(shoe_table, PureShoeTable)
    shoe_table.do(DeviceUp(Device.SHOE))
    return shoe_table


def reading_shoe_table() -> PureShoeTable:
    """A shoe of Punto Banco, loaded and burnt."""
    shoe_table = shoe_table_of("mini-punto-banco")
    shoe_table.do(ShoeLoaded(312), *[CardBurnt()] * 5)
    return shoe_table
