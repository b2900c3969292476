"""What a deck shuffler promises beside the contract of every shuffler.

docs/reference/poker-rules.md 17.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.card_reports import Back, DeckState, ShufflerOrders
from devices.roles import DeviceLost
from devices.sim.memory import CabinetMemory
from devices.sim.rail import PhysicallyImpossible
from tests.devices.shuffler_table import ShufflerTable

WHOLE = (52,)

MakeTable = Callable[[], ShufflerTable]


@pytest.fixture
def make_table() -> MakeTable:
    """Makes a deck shuffler and its driver; other boards are tried by another one."""
    return lambda: ShufflerTable("deck")


@pytest.fixture
def table(make_table: MakeTable) -> Iterator[ShufflerTable]:
    """The red deck is ready, the blue one behind it, and nothing was ever allowed."""
    table = make_table()
    table.start()
    table.ready(Back.RED)
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(61)
    yield table
    table.close()


def press(table: ShufflerTable, times: int = 1) -> None:
    for _ in range(times):
        table.cabinet.shuffler.press_green()
        table.run()


def facts(table: ShufflerTable) -> tuple[object, ...]:
    seen = table.seen
    return (seen.presses, seen.hand, seen.dealt, seen.packets, seen.prepared_back)


def test_a_press_is_counted_and_gives_out_nothing(table: ShufflerTable) -> None:
    press(table, 3)
    table.run(60)
    assert facts(table) == (3, 0, 0, 0, Back.RED)
    assert table.preparing() is DeckState.READY


def test_a_deck_comes_out_whole_for_each_hand_and_the_other_one_is_next(
    table: ShufflerTable,
) -> None:
    press(table)
    table.show(1, packets=WHOLE)
    assert facts(table) == (1, 1, 52, 1, Back.BLUE)
    assert (table.seen.playing_back, table.seen.unloaded, table.seen.waiting) == (None, 0, False)
    table.run(60)
    assert facts(table) == (1, 1, 52, 1, Back.BLUE), "one order, one deck"
    table.show(2, packets=WHOLE)
    assert facts(table) == (1, 2, 52, 1, None)
    assert table.preparing() is DeckState.EMPTY


@pytest.mark.parametrize(("deal", "begin"), [(False, True), (True, False), (False, False)])
def test_no_deck_comes_out_without_both_leaves(
    table: ShufflerTable, deal: bool, begin: bool
) -> None:
    table.show(1, deal=deal, begin=begin, packets=WHOLE)
    press(table)
    table.run(5)
    assert facts(table) == (1, 0, 0, 0, Back.RED)


def test_a_deck_that_is_short_does_not_come_out_as_a_whole_one(make_table: MakeTable) -> None:
    table = make_table()
    table.start()
    table.ready(Back.RED, 51)
    table.show(1, packets=WHOLE)
    table.run(5)
    assert facts(table) == (0, 0, 0, 0, Back.RED)
    table.close()


def test_presses_behind_a_pulled_cable_are_told_once(table: ShufflerTable) -> None:
    press(table)
    table.unplug()
    table.run(2)
    press(table, 2)
    table.plug()
    table.run(5)
    assert table.seen.presses == 3
    table.unplug()
    table.run(2)
    table.plug()
    table.run(5)
    assert table.seen.presses == 3


def late(table: ShufflerTable) -> tuple[object, object]:
    """The presses, and how many of them the machine made while it was not heard."""
    return table.seen.presses, table.seen.late_presses


def count_losses(table: ShufflerTable) -> int:
    return len(table.events_of(DeviceLost))


def test_presses_while_no_state_is_heard_are_told_as_late(table: ShufflerTable) -> None:
    assert table.tap is not None
    press(table)
    assert late(table) == (1, 0)
    table.tap.deaf = True
    press(table, 2)
    table.run(0.5)
    table.tap.deaf = False
    table.run(0.4)
    assert late(table) == (3, 2)
    press(table)
    assert late(table) == (4, 2)
    assert count_losses(table) == 0, "shorter than what counts as a loss"


def test_a_state_that_is_missed_makes_no_later_press_late(table: ShufflerTable) -> None:
    assert table.tap is not None
    table.tap.deaf = True
    table.run(0.7)
    table.tap.deaf = False
    table.run(0.4)
    press(table)
    assert late(table) == (1, 0)


@pytest.mark.parametrize("seconds", [0.1, 0.5, 5])
def test_presses_while_the_cable_is_out_are_told_as_late(
    table: ShufflerTable, seconds: float
) -> None:
    table.unplug()
    press(table)
    table.run(seconds)
    table.plug()
    table.run(2)
    assert late(table) == (1, 1)
    assert count_losses(table) == (seconds > 1)
    press(table)
    assert late(table) == (2, 1)


def test_of_presses_before_the_start_none_is_late(table: ShufflerTable) -> None:
    press(table, 2)
    table.cut_power()
    assert late(table) == (2, 0)


def test_a_silent_host_s_deck_stays_in_and_the_press_counts(table: ShufflerTable) -> None:
    assert table.driver is not None
    table.driver.close()
    table.run(2)
    press(table)
    assert table.cabinet.state.shuffler.presses == 1
    assert table.cabinet.state.shuffler.prepared_back is Back.RED


def test_the_counter_outlives_its_power_and_nothing_is_counted_without(
    table: ShufflerTable,
) -> None:
    press(table, 2)
    before = table.seen
    table.cabinet.cut_power()
    table.cabinet.shuffler.press_green()
    table.run(2)
    table.cabinet.restore_power()
    table.start()
    assert table.seen.boot != before.boot
    assert table.seen.presses == 2
    press(table)
    assert table.seen.presses == 3


def test_a_jammed_one_counts_and_gives_out_nothing(table: ShufflerTable) -> None:
    table.cabinet.shuffler.jam()
    press(table)
    table.show(1, packets=WHOLE)
    table.run(5)
    assert facts(table) == (1, 0, 0, 0, Back.RED)
    table.cabinet.shuffler.unjam()
    table.run()
    assert facts(table) == (1, 1, 52, 1, Back.BLUE)


def light_up(table: ShufflerTable, *, lit: bool) -> None:
    assert table.driver is not None
    table.driver.show(ShufflerOrders(packets=WHOLE, ready_light=lit))
    table.run()


def test_the_green_light_is_lit_while_it_is_ordered(table: ShufflerTable) -> None:
    assert not table.cabinet.ready_light()
    light_up(table, lit=True)
    assert table.cabinet.ready_light()
    table.run(60)
    assert table.cabinet.ready_light()
    assert facts(table) == (0, 0, 0, 0, Back.RED), "a light lets no deck out"
    light_up(table, lit=False)
    assert not table.cabinet.ready_light()


def test_the_green_light_is_dark_without_host_or_power(table: ShufflerTable) -> None:
    light_up(table, lit=True)
    table.unplug()
    table.run(0.9)
    assert table.cabinet.ready_light()
    table.run(0.5)
    assert not table.cabinet.ready_light(), "the watchdog"
    table.plug()
    table.run(5)
    assert table.cabinet.ready_light()
    table.cabinet.cut_power()
    assert not table.cabinet.ready_light()


def test_presses_are_counted_modulo_65536(table: ShufflerTable) -> None:
    table.cabinet.state.shuffler.presses = 65535
    press(table)
    assert table.seen.presses == 0


def test_a_simulation_that_is_started_again_goes_on_counting(tmp_path: Path) -> None:
    file = CabinetMemory(tmp_path / "cabinet.json")
    first = ShufflerTable("deck", memory=file)
    first.start()
    press(first, 2)
    first.close()
    second = ShufflerTable("deck", memory=file)
    second.start()
    assert second.seen.presses == 2
    second.close()


@pytest.mark.parametrize("kind", ["dealer", "mixer"])
def test_other_shufflers_have_no_green_button(kind: str) -> None:
    table = ShufflerTable(kind)
    with pytest.raises(PhysicallyImpossible, match="no green button"):
        table.cabinet.shuffler.press_green()
    table.start()
    light_up(table, lit=True)
    assert not table.cabinet.ready_light()
    table.close()
