"""The panel's guide against the rules: what it lists is accepted, and nothing else is."""

from collections.abc import Iterator, Mapping

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.acts import Act
from console.rules.codes import Fault, Phase
from console.rules.game_modules import advance
from console.rules.guide import PanelStep, guide_panel
from console.rules.round import ActOutcome
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from devices.roles import (
    Button,
    ButtonPressed,
    InspectorSeen,
    KeyMoved,
    KeyPosition,
    RailSeen,
)
from tests.console.rules.round.test_acts_in_every_order import ACTS, PLANS, do, phases
from tests.console.table import SLOT, PureTable

NAMES_BUTTON: Mapping[PanelStep, Button] = {
    PanelStep.OPEN: Button.GAME_OVER,
    PanelStep.COLLECT: Button.COIN_IN,
    PanelStep.STAKE: Button.COIN_IN,
    PanelStep.FREE: Button.COIN_IN,
    PanelStep.END: Button.GAME_OVER,
    PanelStep.END_OR_CHOOSE: Button.GAME_OVER,
    PanelStep.AWARD: Button.JPOT,
}
"""The button that a step names."""

ELSEWHERE = {PanelStep.END, PanelStep.AWARD}
"""Of a table without prizes; and below, after three acts."""


def states(prizes: str) -> Iterator[tuple[TableState, Rules, int]]:
    """Each phase, and each phase after every act, in two steps."""
    plan = PLANS[prizes]
    rules = plan.rules(SLOT)
    for _, state, now in phases(plan, rules):
        yield state, rules, now
        for act in ACTS:
            step, then = do(state, act, rules, now)
            yield step.state, rules, then
            yield replace(step.state, faults=(Fault.LEDGER_FAULT,)), rules, then


@pytest.mark.parametrize("prizes", PLANS)
def test_a_press_is_listed_where_the_rules_do_it_and_nowhere_else(prizes: str) -> None:
    seen: set[Phase] = set()
    for state, rules, now in states(prizes):
        guide = guide_panel(state, rules, now)
        seen.add(state.shown_phase)
        for button in Button:
            outcome = advance(state, ButtonPressed(button), rules, now).outcome
            assert (button in guide.presses) == (outcome is ActOutcome.DONE), (button, state)
        for key in guide.turns:
            assert advance(state, KeyMoved(key), rules, now).outcome is ActOutcome.DONE
    assert seen == set(Phase)


@pytest.mark.parametrize("prizes", PLANS)
def test_the_step_that_is_said_is_accepted(prizes: str) -> None:
    steps: set[PanelStep] = set()
    for state, rules, now in states(prizes):
        guide = guide_panel(state, rules, now)
        steps.add(guide.step)
        act: Act | None = None
        if guide.key is not None:
            act = KeyMoved(guide.key)
            assert guide.key in guide.turns or guide.key is state.key
        elif guide.step in NAMES_BUTTON:
            act = ButtonPressed(NAMES_BUTTON[guide.step])
        if act is not None:
            assert advance(state, act, rules, now).outcome is ActOutcome.DONE, (guide, state)
    assert (
        steps
        >= {*NAMES_BUTTON, PanelStep.TURN_KEY, PanelStep.PAY, PanelStep.END_SERVICE, PanelStep.MEND}
        - ELSEWHERE
    )


def test_the_key_that_a_prize_wants_is_named() -> None:
    """Also while the inspector is away, whom JPOT asks for next."""
    ours = PureTable.start(replace(PLANS["the house's own"].rules(SLOT), inspector_fitted=True))
    ours.press(ButtonPressed(Button.GAME_OVER))
    ours.rail(1)
    ours.press(ButtonPressed(Button.COIN_IN))
    ours.do(RailSeen(1, frozenset(), (1, 0, 0, 0, 0, 0, 0), 1))
    low, high = Button.COMBINATION_5, Button.COMBINATION_1
    for button, key in ((low, KeyPosition.JPL), (high, KeyPosition.JPH)):
        ours.press(ButtonPressed(button))
        guide = guide_panel(ours.state, ours.rules, ours.now)
        assert (guide.step, guide.key) == (PanelStep.TURN_KEY, key)
        assert key in guide.turns
    ours.do(KeyMoved(KeyPosition.JPH))
    assert guide_panel(ours.state, ours.rules, ours.now).step is PanelStep.INSPECTOR
    ours.do(InspectorSeen(True))
    assert guide_panel(ours.state, ours.rules, ours.now).step is PanelStep.AWARD


def test_before_the_first_settings_nothing_can_be_done() -> None:
    """A poker table's rules have no state before."""
    plan = TablePlan(game="texas-holdem")
    guide = guide_panel(TableState(), plan.rules(None), 1_000)
    assert (guide.presses, guide.turns, guide.step) == ((), (), PanelStep.WAIT)
