"""Every pair of acts in every phase, and with `make thorough` every triple.

At the rules alone, of the house's own prizes and of a prize file with envy. After each act money
and lamps must be right (docs/reference/rules.md, sections 2, 4 and 6).
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from console.configuration.prizes_section import read_prizes
from console.configuration.table_plan import TablePlan
from console.rules.acts import (
    Act,
    Adopted,
    Cleared,
    DoorOpened,
    Elapsed,
    HandVoid,
    LastHands,
    RoundVoid,
    Started,
    TrayCounted,
)
from console.rules.codes import Fault, Phase
from console.rules.game_modules import advance, next_deadline, panel_lights
from console.rules.round import ActOutcome, Transition
from console.rules.round.card_outputs import rail_orders
from console.rules.state import Rules, TableState
from devices.device import Device
from devices.door_reports import DoorContact, DoorsSeen
from devices.roles import (
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    RailSeen,
)
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import Award
from tests.console.table import SLOT, without_refusal_traces

PRIZES = Path(__file__).parents[3] / "scenarios" / "prizes"
PLANS = {
    "the house's own": TablePlan(),
    "a prize file": TablePlan(prizes=read_prizes(PRIZES / "fixed-envy.toml")),
    "under a limit": TablePlan(prizes=read_prizes(PRIZES / "limited.toml")),
}

EMPTY = RailSeen(1, frozenset())
STAKED = RailSeen(1, frozenset({1, 2, 5}))
FALLEN = RailSeen(1, frozenset(), (1, 1, 0, 0, 1, 0, 0), 3)
LATE = RailSeen(1, frozenset({4}), (1, 1, 0, 0, 1, 0, 0), 3)

ACTS: tuple[Act, ...] = (
    *map(ButtonPressed, Button),
    *map(KeyMoved, KeyPosition),
    KeyUnreadable(),
    Elapsed(),
    EMPTY,
    STAKED,
    FALLEN,
    LATE,
    DeviceLost(Device.RAIL, "silent"),
    DeviceUp(Device.RAIL),
    InspectorSeen(True),
    HandVoid(1, True, "Anna"),
    HandVoid(2, False, "Anna"),
    RoundVoid("Anna"),
    LastHands(3, "Anna"),
    TrayCounted(3, "Anna"),
    Cleared(Fault.TRAY_COUNT, "Anna"),
    Started(),
    KeyFound(KeyPosition.R),
    DoorsSeen((DoorContact.CABINET,)),
    DoorsSeen(()),
    DoorOpened("a gate", "Anna"),
)

BET = (ButtonPressed(Button.GAME_OVER), STAKED)
PLAY = (*BET, ButtonPressed(Button.COIN_IN), FALLEN)
AWARD = (
    *PLAY,
    ButtonPressed(Button.COMBINATION_3),
    KeyMoved(KeyPosition.JPL),
    ButtonPressed(Button.JPOT),
)
TO_PHASE: dict[Phase, tuple[Act, ...]] = {
    Phase.PAUSED: (),
    Phase.BETTING: BET,
    Phase.COLLECTING: (*BET, ButtonPressed(Button.COIN_IN)),
    Phase.PLAYING: PLAY,
    Phase.AWARDING: AWARD,
    Phase.SERVICE: (KeyMoved(KeyPosition.S),),
}


def begin(plan: TablePlan, rules: Rules) -> TableState:
    state = TableState()
    for act in (Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R), EMPTY):
        state = advance(state, act, rules, 1_000).state
    return advance(state, DeviceUp(Device.RAIL), rules, 1_000).state


def do(state: TableState, act: Act, rules: Rules, now: int) -> tuple[Transition, int]:
    """The act 100 ms later, or when what it waits for is due."""
    now += 100
    if isinstance(act, Elapsed):
        now = max(now, next_deadline(state, rules) or 0)
    return advance(state, act, rules, now), now


def walk(state: TableState, rules: Rules, now: int, depth: int, path: tuple[object, ...]) -> int:
    """Every act, and after it every other, down to the depth; how many were done."""
    done = 0
    for act in ACTS:
        step, then = do(state, act, rules, now)
        here = (*path, act)
        look_at_money(state, step, here)
        look_at_lamps(step.state, rules, here)
        look_at_doors(state, step.state, here)
        if step.outcome is ActOutcome.REFUSED:
            waited = advance(state, Elapsed(), rules, then).state
            assert without_refusal_traces(step.state) == without_refusal_traces(waited), here
        done += 1
        if depth > 1:
            done += walk(step.state, rules, then, depth - 1, here)
    return done


def look_at_money(before: TableState, step: Transition, path: tuple[object, ...]) -> None:
    balances = before.balances
    for transaction in step.transactions:
        assert sum(posting.amount for posting in transaction.postings) == 0, path
        balances = balances.after(transaction)
    state = step.state
    assert balances == state.balances, path
    assert sum(balances.to_dict().values()) == 0, path
    assert balances.jackpot >= 0, path
    assert balances.reserve >= 0, path
    award = state.award
    assert balances.pending == (_count_pending(award) if award else 0), path
    assert (award is not None) == (state.phase is Phase.AWARDING), path
    winners = state.places_used + (award.winners if award else 0)
    assert winners <= len(state.seats.accepted), path


def _count_pending(award: Award) -> int:
    """In units, from what the display shows."""
    envy = award.envy.seats * award.envy.each if award.envy else 0
    return to_units(Cents(award.winners * award.each + envy))


def look_at_lamps(state: TableState, rules: Rules, path: tuple[object, ...]) -> None:
    panel, rail = panel_lights(state, rules), rail_orders(state)
    lit = {number for number, lamp in enumerate(panel.seats, 1) if lamp is not Lamp.DARK}
    assert lit <= state.seats.accepted - state.seats.void, path
    assert sum(panel.combinations) <= 1, path
    assert any(panel.combinations) == (state.choice is not None), path
    if state.shown_phase in (Phase.PAUSED, Phase.BETTING, Phase.SERVICE):
        assert not lit, path
    if state.phase is not Phase.COLLECTING:
        assert not rail.gates, path
    if state.shown_phase is not Phase.BETTING:
        assert Lamp.INVITE not in rail.lamps, path


def look_at_doors(before: TableState, state: TableState, path: tuple[object, ...]) -> None:
    """A door that was opened begins no round, takes no stake, and is not forgotten."""
    if Fault.DOOR_OPEN not in before.faults:
        return
    assert state.round == before.round, path
    assert not (before.phase is Phase.BETTING and state.phase is Phase.COLLECTING), path
    assert Fault.DOOR_OPEN in state.faults or isinstance(path[-1], DoorOpened), path


def phases(plan: TablePlan, rules: Rules) -> Iterator[tuple[Phase, TableState, int]]:
    for phase, acts in TO_PHASE.items():
        state, now = begin(plan, rules), 1_000
        for act in acts:
            step, now = do(state, act, rules, now)
            state = step.state
        assert state.shown_phase is phase
        yield phase, state, now


@pytest.mark.parametrize("prizes", PLANS)
def test_whatever_order_acts_come_in_money_and_lamps_are_right(prizes: str, thorough: bool) -> None:
    """PRIZES 2.6, 2.13"""
    plan = PLANS[prizes]
    rules = plan.rules(SLOT)
    depth = 3 if thorough else 2
    each = sum(len(ACTS) ** level for level in range(1, depth + 1))
    done = [walk(state, rules, now, depth, (phase,)) for phase, state, now in phases(plan, rules)]
    print(f"{prizes}: {sum(done)} acts in {len(done)} phases, {depth} deep")
    assert done == [each] * len(TO_PHASE)
