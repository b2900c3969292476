"""How each kind of game is played, and what it shows: the one place that knows them all.

docs/reference/rules.md 2 and 5.
"""

from collections.abc import Callable, Mapping
from functools import cache

from msgspec import UNSET

from console.rules.acts import Act, Reopened, Started
from console.rules.display_texts import Texts
from console.rules.games import GameKind
from console.rules.round import card_outputs
from console.rules.round.draft import Draft, Transition
from console.rules.round.play import GameModule
from console.rules.round.transitions import choose_play
from console.rules.state import Rules, TableState
from devices.card_reports import ShufflerOrders
from devices.roles import DisplayText, PanelLights


@cache
def _load_cards() -> GameModule:
    return GameModule(choose_play, card_outputs)


@cache
def _load_poker() -> GameModule:
    """Only at a poker table: another one starts without it."""
    from console.rules.poker import poker_outputs
    from console.rules.poker.transitions import choose_poker

    return GameModule(choose_poker, poker_outputs)


GAME_MODULES: Mapping[GameKind, Callable[[], GameModule]] = {
    GameKind.CARDS: _load_cards,
    GameKind.POKER: _load_poker,
}

WITHOUT_A_PAST = (Started, Reopened)
"""Acts before which nothing was due."""


def module_of(rules: Rules) -> GameModule:
    """The module of the table's game."""
    return GAME_MODULES[rules.game.kind]()


def advance(state: TableState, act: Act, rules: Rules, now: int) -> Transition:
    """The table after `act` at `now` (ms of the monotonic clock): pure and total.

    Every act in every phase is done, refused with a code, or without effect. None raises an error
    once the first settings are in force, or while a ledger fault locks the table.
    """
    play = module_of(rules).choose_play(state)
    draft = Draft.of(state, rules, now)
    if type(act) not in WITHOUT_A_PAST:
        play.apply_due(draft)
    play.transitions[type(act)](draft, act)
    play.consequences(draft)
    return draft.step()


def next_deadline(state: TableState, rules: Rules) -> int | None:
    """When `Elapsed` is due next (ms of the monotonic clock); None: not at all."""
    return module_of(rules).choose_play(state).next_deadline(state, rules)


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
