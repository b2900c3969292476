"""A configuration that two people have not acknowledged stops the next round.

docs/reference/rules.md, section 15.
"""

import pytest
from msgspec import UNSET

from console.rules.acts import Cleared, Started
from console.rules.codes import Fault, Phase, Refusal
from devices.device import Device
from devices.roles import (
    Button,
    ButtonPressed,
    DeviceUp,
    KeyFound,
    KeyMoved,
    KeyPosition,
    RailSeen,
)
from tests.console.table import PureTable, rules_of

CHANGED = Fault.CONFIGURATION_CHANGED
GAME_OVER, COIN_IN = ButtonPressed(Button.GAME_OVER), ButtonPressed(Button.COIN_IN)
TO_S, TO_R = KeyMoved(KeyPosition.S), KeyMoved(KeyPosition.R)
BY_TWO = Cleared(CHANGED, "anna", second="carla")


def start(table: PureTable, sha256: str, *, asks: bool = True) -> None:
    """A start with this configuration."""
    table.do(Started(sha256, acknowledge=True if asks else UNSET), KeyFound(KeyPosition.R))
    table.do(RailSeen(1, frozenset()), DeviceUp(Device.RAIL))


@pytest.fixture
def table() -> PureTable:
    """One whose first configuration, `a`, is acknowledged."""
    table = PureTable.start(rules_of())
    start(table, "a")
    assert table.do(GAME_OVER).refusal is Refusal.CONFIGURATION_CHANGED
    table.do(TO_S, BY_TWO, TO_R)
    return table


def test_no_round_begins_until_two_have_acknowledged_it(table: PureTable) -> None:
    assert table.do(GAME_OVER).state.phase is Phase.BETTING
    table.do(COIN_IN)
    start(table, "b")
    assert CHANGED in table.state.faults
    assert table.do(GAME_OVER).refusal is Refusal.CONFIGURATION_CHANGED
    table.do(TO_S)
    assert table.do(Cleared(CHANGED, "anna")).refusal is Refusal.NOT_CLEARABLE
    assert table.do(Cleared(CHANGED, "anna", second="anna")).refusal is Refusal.NOT_CLEARABLE
    step = table.do(BY_TWO)
    assert {"sha256": "b"} in [one.facts for one in step.decisions]
    assert table.do(TO_R, GAME_OVER).state.phase is Phase.BETTING
    start(table, "b")
    assert CHANGED not in table.state.faults


def test_the_acknowledged_one_put_back_clears_it(table: PureTable) -> None:
    start(table, "b")
    start(table, "b")
    assert table.state.faults.count(CHANGED) == 1
    start(table, "a")
    assert CHANGED not in table.state.faults


def test_who_leaves_the_key_out_of_the_file_gains_nothing(table: PureTable) -> None:
    start(table, "c", asks=False)
    assert table.do(GAME_OVER).refusal is Refusal.CONFIGURATION_CHANGED
    table.do(TO_S, BY_TWO, TO_R)
    assert table.do(GAME_OVER).state.phase is Phase.BETTING


def test_a_round_in_play_ends(table: PureTable) -> None:
    table.do(GAME_OVER, RailSeen(1, frozenset({1})), COIN_IN)
    table.do(RailSeen(1, frozenset(), (1, 0, 0, 0, 0, 0, 0), 1))
    start(table, "b")
    table.do(RailSeen(1, frozenset(), (1, 0, 0, 0, 0, 0, 0), 1))
    before = table.state
    assert before.phase is Phase.PLAYING
    assert table.do(GAME_OVER).state.phase is Phase.PAUSED
    assert table.state.round == before.round


def test_a_table_that_does_not_ask_has_nothing_of_it() -> None:
    table = PureTable.start(rules_of())
    start(table, "a", asks=False)
    start(table, "b", asks=False)
    assert table.state.configuration is UNSET
    assert table.state.faults == ()
