"""What every shoe promises, whatever is behind it (the contract of `Shoe`)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.device import Device
from devices.roles import DeviceLost, DeviceUp
from devices.sim.memory import CabinetMemory
from devices.sim.rail import PhysicallyImpossible
from tests.devices.shoe_table import SHOES, ShoeTable


@pytest.fixture(params=SHOES)
def table(request: pytest.FixtureRequest) -> Iterator[ShoeTable]:
    table = ShoeTable(request.param)
    yield table
    table.close()


def test_it_is_up_at_once_and_says_so_once(table: ShoeTable) -> None:
    table.start()
    table.run(60)
    assert table.events_of(DeviceUp) == [DeviceUp(Device.SHOE)]
    assert not table.events_of(DeviceLost)


def test_cards_that_leave_are_told_within_30_ms(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load()
    table.run()
    assert table.remaining() == 312
    table.cabinet.shoe.burn()
    table.run(0.03)
    assert table.remaining() == 307
    for left in range(306, 290, -1):
        table.cabinet.shoe.draw()
        table.run(0.03)
        assert table.remaining() == left


def test_the_cut_card_is_told(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load(20)
    table.cabinet.shoe.draw()
    table.run()
    assert not table.cut_card_is_out()
    table.cabinet.shoe.cut_card()
    table.run(0.03)
    assert table.cut_card_is_out()
    assert table.remaining() == 19


def test_a_quiet_shoe_reports_nothing(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load()
    table.run(1)
    before = len(table.events)
    table.run(3600)
    assert len(table.events) == before


def test_a_shoe_unplugged_is_lost_after_a_second_and_found_within_5_s(table: ShoeTable) -> None:
    table.start()
    table.unplug()
    table.run(0.6)
    assert table.came() == [DeviceUp]
    table.run(0.6)
    assert table.came() == [DeviceUp, DeviceLost]
    table.plug()
    table.run(5)
    assert table.came() == [DeviceUp, DeviceLost, DeviceUp]


def test_a_shoe_that_is_not_there_at_the_start_is_sought(table: ShoeTable) -> None:
    table.unplug()
    table.start()
    table.run(5)
    assert table.came() == [DeviceLost]
    table.run(3600)
    table.plug()
    table.run(5)
    assert table.came() == [DeviceLost, DeviceUp]


def test_an_interruption_under_a_second_is_no_loss(table: ShoeTable) -> None:
    table.start()
    table.unplug()
    table.run(0.3)
    table.plug()
    table.run(5)
    assert table.came() == [DeviceUp]


def test_a_closed_driver_says_nothing_more(table: ShoeTable) -> None:
    shoe = table.start()
    table.cabinet.shoe.load()
    shoe.close()
    before = len(table.events)
    table.cabinet.shoe.draw()
    table.unplug()
    table.run(5)
    assert len(table.events) == before


def test_nothing_leaves_an_empty_shoe_and_the_cut_card_only_once(table: ShoeTable) -> None:
    with pytest.raises(PhysicallyImpossible, match="no cards have been put"):
        table.cabinet.shoe.draw()
    table.cabinet.shoe.load(3)
    with pytest.raises(PhysicallyImpossible, match="5 cards cannot leave, 3 are in the shoe"):
        table.cabinet.shoe.burn()
    table.cabinet.shoe.burn(3)
    with pytest.raises(PhysicallyImpossible, match="0 are in the shoe"):
        table.cabinet.shoe.draw()
    table.cabinet.shoe.cut_card()
    with pytest.raises(PhysicallyImpossible, match="out already"):
        table.cabinet.shoe.cut_card()
    table.cabinet.shoe.load(3)
    table.cabinet.shoe.cut_card()


def test_a_power_cut_loses_no_count_and_what_leaves_meanwhile_is_unseen(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load(10)
    table.cabinet.shoe.draw()
    table.run()
    table.cabinet.cut_power()
    table.cabinet.shoe.draw()
    table.run(2)
    table.cabinet.restore_power()
    table.run(5)
    assert table.remaining() == 9
    assert table.cabinet.state.shoe.left == 8


def test_a_killed_process_finds_the_shoe_as_it_was(table: ShoeTable, tmp_path: Path) -> None:
    path = tmp_path / "cabinet.json"
    first = ShoeTable(table.kind, memory=CabinetMemory(path))
    first.cabinet.shoe.load(10)
    first.cabinet.shoe.draw("AS")
    first.cabinet.shoe.cut_card()
    state = first.cabinet.state.shoe
    first.close()
    again = ShoeTable(table.kind, memory=CabinetMemory(path))
    assert again.cabinet.state.shoe == state
    assert again.cabinet.state.shoe.left == 9
    again.close()
