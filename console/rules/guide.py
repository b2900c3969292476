"""What can be done next at the dealer panel, and what leads on: the rules themselves are asked.

docs/reference/rules.md, section 6; docs/reference/pages.md.
"""

from enum import Enum

from msgspec import Struct

from console.rules.codes import Phase, Refusal
from console.rules.game_modules import advance
from console.rules.games import GameKind
from console.rules.round import ActOutcome
from console.rules.round.buttons import key_for
from console.rules.round.stopped_play import STOPS_PLAY
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from devices.roles import Button, ButtonPressed, KeyMoved, KeyPosition


class PanelStep(Enum):
    """The step that leads on; its words stand in pages/cabinet.toml (`[steps]`)."""

    MEND = "MEND"
    """A ledger fault locks the table."""
    END_SERVICE = "END_SERVICE"
    TURN_KEY = "TURN_KEY"
    """To `Guide.key`."""
    OPEN = "OPEN"
    STAKE = "STAKE"
    COLLECT = "COLLECT"
    CLOSE = "CLOSE"
    """The betting of a table without a rail."""
    DROP = "DROP"
    FREE = "FREE"
    """The stuck tokens of `Guide.seats`."""
    END = "END"
    END_OR_CHOOSE = "END_OR_CHOOSE"
    AWARD = "AWARD"
    INSPECTOR = "INSPECTOR"
    CANCEL = "CANCEL"
    """Nobody can win what is chosen."""
    PAY = "PAY"
    PRESS = "PRESS"
    """Any of `Guide.presses`."""
    SHUT = "SHUT"
    """No round may begin: the faults say what people must do."""
    WAIT = "WAIT"
    """Nothing at the panel leads on."""


AWARD_STEPS: dict[Refusal | None, PanelStep] = {
    None: PanelStep.AWARD,
    Refusal.INSPECTOR_ABSENT: PanelStep.INSPECTOR,
    Refusal.NOBODY_ELIGIBLE: PanelStep.CANCEL,
}
"""What leads to an award, by what JPOT would answer."""


class Guide(Struct, frozen=True):
    """What can be done at the panel now, and what comes next.

    `presses`: the buttons whose press would be done. `turns`: the positions of the key, besides S,
    that pay, end SERVICE or make a press possible. `seats`, `key`: what `step` is about.
    """

    presses: tuple[Button, ...]
    turns: tuple[KeyPosition, ...]
    step: PanelStep
    seats: tuple[int, ...] = ()
    key: KeyPosition | None = None


def guide_panel(state: TableState, rules: Rules, now: int) -> Guide:
    """The guide of a table in this state at `now` (ms of the monotonic clock)."""
    if state.settings is None:
        return Guide((), (), PanelStep.WAIT)  # nothing is adopted yet: it is no table so far
    presses = list_presses(state, rules, now)
    turns = list_turns(state, rules, now, presses)
    if state.play_locked:
        return Guide(presses, turns, PanelStep.MEND)
    if state.service:
        return Guide(presses, turns, PanelStep.END_SERVICE, key=KeyPosition.R)
    if rules.game.kind is GameKind.POKER:
        return Guide(presses, turns, PanelStep.PRESS if presses else PanelStep.WAIT)
    return _guide_cards(state, rules, now, Guide(presses, turns, PanelStep.WAIT))


def list_presses(state: TableState, rules: Rules, now: int) -> tuple[Button, ...]:
    """The buttons whose press would be done, neither refused nor without effect."""
    return tuple(
        button
        for button in Button
        if advance(state, ButtonPressed(button), rules, now).outcome is ActOutcome.DONE
    )


def list_turns(
    state: TableState, rules: Rules, now: int, presses: tuple[Button, ...]
) -> tuple[KeyPosition, ...]:
    """The positions, besides S, to which a turn of the key leads on."""
    return tuple(
        position
        for position in KeyPosition
        if position not in (state.key, KeyPosition.S)
        and _leads_on(state, rules, now, presses, position)
    )


def _leads_on(
    state: TableState,
    rules: Rules,
    now: int,
    presses: tuple[Button, ...],
    position: KeyPosition,
) -> bool:
    turned = advance(state, KeyMoved(position), rules, now)
    if turned.outcome is not ActOutcome.DONE:
        return False
    if turned.state.shown_phase is not state.shown_phase:
        return True
    return not set(list_presses(turned.state, rules, now)) <= set(presses)


def _guide_cards(state: TableState, rules: Rules, now: int, guide: Guide) -> Guide:
    """The step of a card game, by its phase."""
    if state.phase is Phase.PLAYING and state.choice is not None:
        return _guide_award(state, rules, now, guide)
    if state.phase is Phase.AWARDING:
        return replace(guide, step=PanelStep.PAY, key=KeyPosition.R)
    if state.phase is Phase.COLLECTING:
        return _guide_collection(state, guide)
    if Button.COIN_IN in guide.presses:
        stopped = not STOPS_PLAY.keys().isdisjoint(state.faults)
        return replace(guide, step=PanelStep.SHUT if stopped else _step_of_betting(state, rules))
    if Button.GAME_OVER in guide.presses:
        return replace(guide, step=_step_of_game_over(state, rules))
    if KeyPosition.R in guide.turns:
        return replace(guide, step=PanelStep.TURN_KEY, key=KeyPosition.R)
    stopped = not STOPS_PLAY.keys().isdisjoint(state.faults)
    return replace(guide, step=PanelStep.SHUT) if stopped else guide


def _guide_collection(state: TableState, guide: Guide) -> Guide:
    if not state.seats.stuck:
        return replace(guide, step=PanelStep.DROP)
    if Button.COIN_IN not in guide.presses:
        return guide  # the rail is lost meanwhile
    return replace(guide, step=PanelStep.FREE, seats=tuple(sorted(state.seats.stuck)))


def _step_of_game_over(state: TableState, rules: Rules) -> PanelStep:
    if state.phase is Phase.PAUSED:
        return PanelStep.OPEN
    return PanelStep.END_OR_CHOOSE if rules.prizes is not None else PanelStep.END


def _step_of_betting(state: TableState, rules: Rules) -> PanelStep:
    if rules.rail is None:
        return PanelStep.CLOSE
    return PanelStep.COLLECT if state.seats.tokens else PanelStep.STAKE


def _guide_award(state: TableState, rules: Rules, now: int, guide: Guide) -> Guide:
    """A combination is chosen: what JPOT still wants."""
    refusal = advance(state, ButtonPressed(Button.JPOT), rules, now).refusal
    if refusal is Refusal.WRONG_KEY and rules.prizes is not None and state.choice is not None:
        key = key_for(rules.prizes.of(state.choice))
        turns = guide.turns if key in guide.turns else (*guide.turns, key)
        return replace(guide, turns=turns, step=PanelStep.TURN_KEY, key=key)
    return replace(guide, step=AWARD_STEPS.get(refusal, PanelStep.WAIT))
