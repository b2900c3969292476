"""How each kind of game is played: the one place that knows them all."""

from collections.abc import Callable, Mapping
from functools import cache

from console.rules.acts import Act, Reopened, Started
from console.rules.games import GameKind
from console.rules.round import card_outputs
from console.rules.round.draft import Draft, Transition
from console.rules.round.play import GameModule
from console.rules.round.transitions import choose_play
from console.rules.state import Rules, TableState


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

    Every act in every phase is done, refused with a code, or without effect; none raises an error.
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
