"""The shoe that counts: what it keeps, and what it must not take back."""

from collections.abc import Iterator

import pytest

from devices.board_device import BOARD_NUMBERS
from devices.boards import BoardFound
from devices.card_reports import Place, ShoeSeen
from devices.counting_shoe import CountingShoe
from devices.roles import DeviceLost, DeviceUp
from devices.sim.memory import SHOE_MEMORY_NUMBER
from devices.sim.rail import PhysicallyImpossible
from firmware_bridge.board_session.shoe_messages import ShoeState
from tests.devices.shoe_table import ShoeTable


@pytest.fixture
def table() -> Iterator[ShoeTable]:
    table = ShoeTable("counting")
    yield table
    table.close()


def test_all_it_knows_is_told_before_it_is_up(table: ShoeTable) -> None:
    table.cabinet.shoe.load(20)
    table.cabinet.shoe.burn()
    table.cabinet.shoe.cut_card()
    table.cabinet.shoe.draw("AS")
    table.start()
    found, seen, up = table.events
    assert isinstance(found, BoardFound)
    assert seen == ShoeSeen(SHOE_MEMORY_NUMBER, loads=1, cards=20, draws=6, cut_after=5)
    assert isinstance(up, DeviceUp)


def test_another_load_counts_from_nothing(table: ShoeTable) -> None:
    table.cabinet.shoe.load(20)
    table.cabinet.shoe.draw()
    table.cabinet.shoe.cut_card()
    table.cabinet.shoe.load(30)
    table.start()
    assert table.events_of(ShoeSeen) == [ShoeSeen(SHOE_MEMORY_NUMBER, loads=2, cards=30, draws=0)]


def test_what_left_while_the_cable_was_out_is_told_when_it_is_back(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load()
    table.unplug()
    table.run(2)
    table.cabinet.shoe.burn()
    table.events.clear()
    table.plug()
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, ShoeSeen, DeviceUp]
    assert table.remaining() == 307


def test_a_shoe_that_is_back_unchanged_is_seen_again(table: ShoeTable) -> None:
    table.start()
    table.unplug()
    table.run(2)
    table.events.clear()
    table.plug()
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, ShoeSeen, DeviceUp]


def test_a_power_cut_is_another_boot_of_the_same_memory(table: ShoeTable) -> None:
    table.start()
    table.cabinet.shoe.load()
    table.run()
    boot = table.cabinet.state.shoe.boot
    table.cabinet.cut_power()
    table.run(2)
    assert table.came() == [DeviceUp, DeviceLost]
    table.cabinet.restore_power()
    table.run(5)
    assert table.cabinet.state.shoe.boot != boot
    assert {seen.boot for seen in table.events_of(ShoeSeen)} == {SHOE_MEMORY_NUMBER}


def test_it_gives_cards_to_no_place_and_knows_no_coup(table: ShoeTable) -> None:
    table.cabinet.shoe.load()
    with pytest.raises(PhysicallyImpossible, match="no shoe that reads"):
        table.cabinet.reading_shoe.draw_to(Place.PUNTO, "AS")
    with pytest.raises(PhysicallyImpossible, match="no shoe that reads"):
        table.cabinet.reading_shoe.end_coup()


COUNTED = ShoeState(SHOE_MEMORY_NUMBER, loads=1, cards=312, draws=9, cut_after=7)


@pytest.mark.parametrize(
    "taken_back",
    [
        ShoeState(SHOE_MEMORY_NUMBER, 1, 312, 8, 7),
        ShoeState(SHOE_MEMORY_NUMBER, 1, 312, 9, None),
        ShoeState(SHOE_MEMORY_NUMBER, 1, 312, 9, 8),
        ShoeState(SHOE_MEMORY_NUMBER, 1, 311, 9, 7),
    ],
)
def test_one_that_takes_back_what_it_counted_is_another_shoe(
    table: ShoeTable, taken_back: ShoeState
) -> None:
    shoe = table.start()
    assert isinstance(shoe, CountingShoe)
    for state in (COUNTED, taken_back):
        shoe.board_state(1, state)
    assert [seen.boot for seen in table.events_of(ShoeSeen)[-2:]] == [
        SHOE_MEMORY_NUMBER,
        SHOE_MEMORY_NUMBER + BOARD_NUMBERS,
    ]


@pytest.mark.parametrize(
    "next_one",
    [
        ShoeState(SHOE_MEMORY_NUMBER, 1, 312, 10, 7),
        ShoeState(SHOE_MEMORY_NUMBER, 2, 300),
        ShoeState(SHOE_MEMORY_NUMBER + 1),
    ],
)
def test_one_that_counts_on_is_loaded_or_has_forgotten_is_believed(
    table: ShoeTable, next_one: ShoeState
) -> None:
    shoe = table.start()
    assert isinstance(shoe, CountingShoe)
    for state in (COUNTED, next_one):
        shoe.board_state(1, state)
    assert table.events_of(ShoeSeen)[-1].boot == next_one.memory
