"""A cabinet with broken parts: what its drivers are told of a button that sticks, a lamp that is
dead, a board that resets."""

from collections.abc import Iterator

import pytest
from msgspec import UNSET

from devices.device import Device
from devices.roles import (
    Button,
    ButtonPressed,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    RailOrders,
)
from devices.sim.rail import PhysicallyImpossible
from tests.devices.table import Table

TURNED = 0.03
UNREADABLE = 0.6
DROPPED = 0.05


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.close()


def lit(*seats: int) -> tuple[Lamp, ...]:
    return tuple(Lamp.ON if seat in seats else Lamp.DARK for seat in range(1, 8))


def test_a_button_that_sticks_is_pressed_once_and_never_let_go(table: Table) -> None:
    table.start_panel()
    table.cabinet.panel.weld(Button.GAME_OVER)
    table.run()
    assert table.events_of(ButtonPressed) == [ButtonPressed(Button.GAME_OVER)]
    table.press(Button.GAME_OVER)
    table.press(Button.GAME_OVER)
    assert table.events_of(ButtonPressed) == [ButtonPressed(Button.GAME_OVER)]
    table.cabinet.panel.mend()
    table.run()
    table.press(Button.GAME_OVER)
    assert len(table.events_of(ButtonPressed)) == 2


def test_a_welded_contact_makes_every_other_position_unreadable(table: Table) -> None:
    table.start_panel()
    table.cabinet.panel.weld(KeyPosition.JPL)
    table.run(UNREADABLE)
    assert table.events_of(KeyUnreadable)
    table.cabinet.turn_key(KeyPosition.JPL)
    table.run(TURNED)
    assert table.events_of(KeyMoved)[-1] == KeyMoved(KeyPosition.JPL)
    table.cabinet.turn_key(KeyPosition.S)
    table.run(UNREADABLE)
    assert table.events_of(KeyMoved)[-1] == KeyMoved(None)
    table.cabinet.panel.mend()
    table.run(TURNED)
    assert table.events_of(KeyMoved)[-1] == KeyMoved(KeyPosition.S)


def test_a_button_that_sticks_is_no_press_when_the_plug_is_back(table: Table) -> None:
    table.start_panel()
    table.cabinet.panel.weld(Button.JPOT)
    table.run()
    table.cabinet.unplug(Device.PANEL)
    table.run(0.5)
    table.cabinet.plug(Device.PANEL)
    table.run(0.5)
    assert table.events_of(ButtonPressed) == [ButtonPressed(Button.JPOT)]


def test_a_dead_sensor_sees_nothing_and_its_token_still_drops(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.kill_sensor(3)
    table.cabinet.rail.put_token(3)
    table.run(DROPPED)
    assert table.rail_seen.occupied == frozenset()
    rail.show(RailOrders(gates=frozenset({3}), turn=1, boot=table.rail_seen.boot))
    table.run(DROPPED)
    assert table.rail_seen.drops[2] == 1
    assert table.rail_seen.tray == 1
    table.cabinet.rail.mend()
    table.cabinet.rail.put_token(3)
    table.run(DROPPED)
    assert table.rail_seen.occupied == {3}


def test_a_dead_lamp_is_found_when_it_should_be_lit(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.kill_lamp(5)
    table.run()
    assert table.rail_seen.dead_lamps == frozenset()
    rail.show(RailOrders(lamps=lit(4, 5)))
    table.run()
    assert table.rail_seen.dead_lamps == {5}
    assert table.cabinet.slot_lamps()[5] is Lamp.DARK
    assert table.cabinet.slot_lamps()[4] is Lamp.ON
    rail.show(RailOrders(lamps=lit()))
    table.run()
    assert table.rail_seen.dead_lamps == {5}


def test_a_mended_lamp_is_found_in_order_when_it_is_lit_again(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.kill_lamp(5)
    rail.show(RailOrders(lamps=lit(5)))
    table.run()
    rail.show(RailOrders(lamps=lit()))
    table.run()
    table.cabinet.rail.mend()
    table.run()
    assert table.rail_seen.dead_lamps == {5}
    rail.show(RailOrders(lamps=lit(5)))
    table.run()
    assert table.rail_seen.dead_lamps == frozenset()


def test_what_a_board_says_is_wrong_with_itself_is_told_by_number_until_it_withdraws_it(
    table: Table,
) -> None:
    rail = table.start_rail()
    table.cabinet.rail.set_notices(1, 7)
    table.run()
    assert rail.figures()[0].state["notices"] == "1 7"
    table.cabinet.rail.set_notices()
    table.run()
    assert table.rail_seen.notices is UNSET
    assert "notices" not in rail.figures()[0].state


def test_a_gate_that_sticks_drops_no_token_and_the_others_do(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.stick_gate(2)
    table.cabinet.rail.put_token(1)
    table.cabinet.rail.put_token(2)
    table.run()
    rail.show(RailOrders(gates=frozenset({1, 2}), turn=1, boot=table.rail_seen.boot))
    table.run(DROPPED)
    assert table.rail_seen.drops[:2] == (1, 0)
    assert table.rail_seen.occupied == {2}
    assert table.cabinet.open_gates() == frozenset()


@pytest.mark.parametrize("kind", ["sensor", "cctalk"])
def test_only_a_slot_rail_has_gates_that_may_stick(kind: str) -> None:
    table = Table(kind)
    with pytest.raises(PhysicallyImpossible, match="no gates"):
        table.cabinet.rail.stick_gate(2)
    table.close()


@pytest.mark.parametrize("kind", ["slot", "sensor", "cctalk"])
def test_a_board_that_resets_boots_again_and_again_and_is_found_each_time(kind: str) -> None:
    table = Table(kind)
    table.start_rail()
    first = table.cabinet.state.boot
    table.cabinet.rail.reset_every(3.0)
    table.run(10)
    assert table.cabinet.state.boot == first + 3
    table.cabinet.rail.mend()
    table.run(10)
    assert table.cabinet.state.boot == first + 3
    table.close()


def test_a_board_that_resets_forgets_what_it_counted(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.rail.put_token(1)
    table.run()
    rail.show(RailOrders(gates=frozenset({1}), turn=1, boot=table.rail_seen.boot))
    table.run(DROPPED)
    before = table.rail_seen
    table.cabinet.rail.reset_every(2.0)
    table.run(3)
    assert (before.drops[0], table.rail_seen.drops[0]) == (1, 0)
    assert table.rail_seen.boot == before.boot + 1


def test_a_board_without_power_resets_no_more_and_does_again_with_power(table: Table) -> None:
    table.start_rail()
    table.cabinet.rail.reset_every(3.0)
    table.cabinet.cut_power()
    boot = table.cabinet.state.boot
    table.run(10)
    assert table.cabinet.state.boot == boot
    table.cabinet.restore_power()
    table.run(4)
    assert table.cabinet.state.boot == boot + 2
