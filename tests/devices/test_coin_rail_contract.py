"""What every coin rail promises, whatever is behind it (the contract of `CoinRail`)."""

from collections.abc import Iterator

import pytest

from devices.boards import BoardFound
from devices.device import Device
from devices.roles import ALL_DARK, SEATS, DeviceLost, DeviceUp, Lamp, RailOrders, RailSeen
from tests.devices.table import RAILS, Table

THREE = frozenset((3,))


@pytest.fixture(params=RAILS)
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    table = Table(request.param)
    yield table
    table.close()


def lamps(seat: int, lamp: Lamp) -> tuple[Lamp, ...]:
    return tuple(lamp if at == seat else Lamp.DARK for at in range(1, 8))


def test_its_state_is_reported_before_it_is_up(table: Table) -> None:
    table.cabinet.rail.cover(3)
    table.start_rail()
    found, seen, up = table.events
    assert isinstance(found, BoardFound)
    assert isinstance(seen, RailSeen)
    assert seen.occupied == THREE
    assert up == DeviceUp(Device.RAIL)


def test_a_token_is_seen_within_50_ms_lying_or_swallowed(table: Table) -> None:
    rail = table.start_rail()
    rail.show(RailOrders(accepting=frozenset(SEATS)))
    table.run()
    table.cabinet.rail.put_token(3)
    table.run()
    swallowed = rail.traits.swallows
    assert table.rail_seen.occupied == (frozenset() if swallowed else THREE)
    assert table.rail_seen.drops == tuple(int(swallowed and seat == 3) for seat in range(1, 8))


def test_a_token_taken_back_is_seen_within_50_ms_where_it_can_be(table: Table) -> None:
    rail = table.start_rail()
    rail.show(RailOrders(accepting=frozenset(SEATS)))
    table.run()
    table.cabinet.rail.put_token(3)
    table.run()
    before = table.rail_seen.drops
    table.cabinet.rail.take_token(3)
    table.run()
    assert (table.rail_seen.occupied, table.rail_seen.drops) == (frozenset(), before)


def test_a_card_is_seen_like_a_token(table: Table) -> None:
    table.start_rail()
    table.cabinet.rail.cover(5)
    table.run()
    assert table.rail_seen.occupied == frozenset((5,))
    table.cabinet.rail.uncover(5)
    table.run()
    assert table.rail_seen.occupied == frozenset()


def test_nothing_is_reported_twice(table: Table) -> None:
    table.start_rail()
    before = len(table.events)
    table.run(60)
    assert len(table.events) == before


@pytest.mark.parametrize("lamp", list(Lamp))
def test_a_slot_lamp_shows_what_is_ordered(table: Table, lamp: Lamp) -> None:
    rail = table.start_rail()
    rail.show(RailOrders(lamps=lamps(6, lamp)))
    table.run()
    assert tuple(table.cabinet.slot_lamps().values()) == lamps(6, lamp)


def test_a_lost_rail_is_lost_after_a_second_and_darkens(table: Table) -> None:
    rail = table.start_rail()
    rail.show(RailOrders(lamps=lamps(6, Lamp.ON)))
    table.run()
    table.cabinet.unplug(Device.RAIL)
    table.run(0.4)
    assert not table.events_of(DeviceLost)
    table.run(1.2)
    (lost,) = table.events_of(DeviceLost)
    assert lost.device is Device.RAIL
    assert tuple(table.cabinet.slot_lamps().values()) == ALL_DARK


def test_a_rail_that_is_back_is_seen_lit_and_up_again_within_5_s(table: Table) -> None:
    rail = table.start_rail()
    table.cabinet.unplug(Device.RAIL)
    table.run(2)
    rail.show(RailOrders(lamps=lamps(6, Lamp.ON)))
    table.cabinet.rail.cover(3)
    table.events.clear()
    table.cabinet.plug(Device.RAIL)
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen, DeviceUp]
    assert table.rail_seen.occupied == THREE
    assert tuple(table.cabinet.slot_lamps().values()) == lamps(6, Lamp.ON)


def test_a_rail_that_is_back_unchanged_is_seen_again(table: Table) -> None:
    table.start_rail()
    table.cabinet.unplug(Device.RAIL)
    table.run(2)
    table.events.clear()
    table.cabinet.plug(Device.RAIL)
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen, DeviceUp]


def test_a_new_controller_has_the_rail_to_itself(table: Table) -> None:
    old = table.start_rail()
    abandoned, table.events = table.events, []
    table.start_rail()
    old.show(RailOrders(lamps=lamps(1, Lamp.ON)))
    table.run()
    assert tuple(table.cabinet.slot_lamps().values()) == ALL_DARK
    table.run(2)
    assert isinstance(abandoned[-1], DeviceLost)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen, DeviceUp]


def test_a_rail_that_is_not_there_at_the_start_is_sought(table: Table) -> None:
    table.cabinet.unplug(Device.RAIL)
    table.start_rail()
    table.run(5)
    assert [type(event) for event in table.events] == [DeviceLost]
    table.cabinet.plug(Device.RAIL)
    table.run(5)
    assert table.is_up(Device.RAIL)


def test_after_a_power_cut_it_is_another_boot_with_no_counts(table: Table) -> None:
    table.start_rail()
    boot = table.rail_seen.boot
    table.cabinet.cut_power()
    table.run(2)
    table.cabinet.restore_power()
    table.start_rail()
    table.run(1)
    assert table.rail_seen.boot != boot
    assert table.rail_seen.drops == (0,) * 7


def test_a_closed_driver_says_nothing_more(table: Table) -> None:
    rail = table.start_rail()
    before = len(table.events)
    rail.close()
    table.cabinet.rail.put_token(1)
    table.cabinet.unplug(Device.RAIL)
    table.run(5)
    assert len(table.events) == before


def test_it_says_whether_it_has_gates_and_a_tray(table: Table) -> None:
    traits = table.start_rail().traits
    assert traits.gates is traits.tray is (table.rail_kind == "slot")
    assert traits.swallows is (table.rail_kind == "cctalk")
