"""What every shuffler promises, whatever is behind it (the contract of `Shuffler`)."""

from collections.abc import Iterator

import pytest

from devices.boards import BoardFound
from devices.card_reports import Back, DeckState, ShufflerOrders, ShufflerSeen
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp
from tests.devices.shuffler_table import KINDS, ShufflerTable


@pytest.fixture(params=KINDS)
def table(request: pytest.FixtureRequest) -> Iterator[ShufflerTable]:
    table = ShufflerTable(request.param)
    yield table
    table.close()


def test_what_it_knows_is_told_before_it_is_up(table: ShufflerTable) -> None:
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.start()
    found, seen, up = table.events
    assert isinstance(found, BoardFound)
    assert seen == table.expect_seen(1, DeckState.SHUFFLING, Back.BLUE)
    assert up == DeviceUp(Device.SHUFFLER)


def test_a_deck_is_shuffled_counted_and_taken_out_again(table: ShufflerTable) -> None:
    table.start()
    table.ready(Back.RED)
    whole = 312 if table.kind == "mixer" else 52
    assert table.seen == table.expect_seen(1, DeckState.READY, Back.RED, whole)
    table.unload()
    assert table.seen == table.expect_seen(1, DeckState.EMPTY)


def test_a_shuffle_takes_at_most_three_minutes_and_an_unload_5_s(table: ShufflerTable) -> None:
    table.start()
    table.cabinet.shuffler.load_deck(Back.RED)
    table.run(3 * 60)
    assert table.preparing() is DeckState.READY
    table.cabinet.shuffler.unload_deck()
    table.run(5)
    assert table.preparing() is DeckState.EMPTY


@pytest.mark.parametrize("more", [-1, 1])
def test_a_missing_or_doubled_card_is_counted(table: ShufflerTable, more: int) -> None:
    cards = (312 if table.kind == "mixer" else 52) + more
    table.start()
    table.ready(Back.RED, cards)
    assert table.seen.counted == cards


def test_a_jam_is_told_and_a_shuffle_begins_again(table: ShufflerTable) -> None:
    table.start()
    table.cabinet.shuffler.load_deck(Back.RED)
    table.run(59)
    table.cabinet.shuffler.jam()
    table.run(600)
    assert table.seen == table.expect_seen(1, DeckState.JAMMED, Back.RED)
    table.cabinet.shuffler.unjam()
    table.run(59)
    assert table.preparing() is DeckState.SHUFFLING
    table.run(2)
    assert table.preparing() is DeckState.READY


def test_nothing_is_told_twice(table: ShufflerTable) -> None:
    table.start()
    before = len(table.events)
    table.run(60)
    assert len(table.events) == before


def test_a_lost_one_is_lost_after_a_second(table: ShufflerTable) -> None:
    table.start()
    table.unplug()
    table.run(0.6)
    assert not table.events_of(DeviceLost)
    table.run(0.5)
    (lost,) = table.events_of(DeviceLost)
    assert lost.device is Device.SHUFFLER


def test_one_that_is_back_is_seen_and_up_again_within_5_s(table: ShufflerTable) -> None:
    table.start()
    table.unplug()
    table.run(2)
    table.events.clear()
    table.plug()
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, ShufflerSeen, DeviceUp]


def test_one_that_was_away_for_half_a_second_was_never_lost(table: ShufflerTable) -> None:
    table.start()
    table.unplug()
    table.run(0.5)
    table.events.clear()
    table.plug()
    table.run(5)
    assert [type(event) for event in table.events] == [BoardFound, ShufflerSeen]


def test_one_that_is_not_there_at_the_start_is_sought(table: ShufflerTable) -> None:
    table.unplug()
    table.start()
    table.run(5)
    assert [type(event) for event in table.events] == [DeviceLost]
    table.plug()
    table.run(5)
    assert DeviceUp(Device.SHUFFLER) in table.events


def test_after_a_power_cut_it_is_another_boot_with_the_same_deck(table: ShufflerTable) -> None:
    table.start()
    table.ready(Back.BLUE)
    before = table.seen
    table.cut_power()
    after = table.seen
    assert after.boot != before.boot
    assert (after.preparing, after.prepared_back, after.counted) == (
        before.preparing, before.prepared_back, before.counted,
    )  # fmt: skip


def test_a_new_controller_has_the_machine_to_itself(table: ShufflerTable) -> None:
    old = table.start()
    abandoned, table.events = table.events, []
    table.start()
    old.show(ShufflerOrders(may_deal=True))
    table.run(2)
    assert isinstance(abandoned[-1], DeviceLost)
    assert [type(event) for event in table.events] == [BoardFound, ShufflerSeen, DeviceUp]


def test_a_closed_driver_says_nothing_more(table: ShufflerTable) -> None:
    driver = table.start()
    before = len(table.events)
    driver.close()
    table.cabinet.shuffler.load_deck(Back.RED)
    table.unplug()
    table.run(5)
    assert len(table.events) == before
