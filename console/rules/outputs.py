"""The table's outputs: its game's, as pure functions of its state.

docs/reference/rules.md 2 and 5.
"""

from msgspec import UNSET

from console.rules.display_texts import Texts
from console.rules.game_modules import module_of
from console.rules.games import GameKind
from console.rules.round.card_outputs import rail_orders
from console.rules.state import Rules, TableState
from devices.card_reports import ShufflerOrders
from devices.roles import DisplayText, PanelLights

__all__ = ("rail_orders",)

# The fields of the state that each output is computed from: if they are equal, so is the output.
RAIL_FIELDS = ("phase", "service", "turn", "seats", "rail", "faults", "drive", "link", "boards")
SHUFFLER_FIELDS = ("phase", "service", "faults", "deck", "boards", "poker")
PANEL_FIELDS = ("phase", "service", "seats", "choice", "drive", "poker")
DISPLAY_FIELDS = (
    *("phase", "notice", "faults", "award", "last_hands", "shoe", "balances", "drive", "link"),
    "poker",
)


OWN_DISPLAY_FIELDS = tuple(field for field in DISPLAY_FIELDS if field not in ("phase", "poker"))


def display_fields(rules: Rules) -> tuple[str, ...]:
    """What the display is computed from: at a card table with its own jackpot not the phase."""
    own_jackpot = rules.game.kind is GameKind.CARDS and rules.link is UNSET
    return OWN_DISPLAY_FIELDS if own_jackpot else DISPLAY_FIELDS


def shuffler_orders(state: TableState, rules: Rules) -> ShufflerOrders:
    """What the shuffler may do."""
    return module_of(rules).outputs.shuffler_orders(state, rules)


def panel_lights(state: TableState, rules: Rules) -> PanelLights:
    """The LEDs of the seats, and the lamps of the lit buttons."""
    return module_of(rules).outputs.panel_lights(state, rules)


def legends(state: TableState, rules: Rules) -> tuple[str, ...]:
    """The names of the lit buttons that count at the moment, from the left."""
    return module_of(rules).outputs.legends(state, rules)


def display_text(state: TableState, rules: Rules, texts: Texts, now: int) -> DisplayText:
    """The display's two lines."""
    return module_of(rules).outputs.display_text(state, rules, texts, now)


def display_changes_at(state: TableState, rules: Rules, now: int) -> int | None:
    """When the display changes without an act; None: never."""
    return module_of(rules).outputs.display_changes_at(state, rules, now)
