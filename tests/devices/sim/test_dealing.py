"""How the shuffler deals: one hand from one deck, packet by packet.

docs/reference/rules.md, section 8.
"""

from collections.abc import Iterator

import pytest

from console.rules.structs import replace
from devices.card_reports import Back, DeckState
from devices.sim.memory import ShufflerMemory
from devices.sim.rail import PhysicallyImpossible
from devices.sim.shuffler import SHUFFLE_S, machine_of
from firmware_bridge.board.interlock import Orders, exit_is_open
from tests.devices.shuffler_table import CARIBBEAN, ShufflerTable, ready_shuffler_table

HOLDEM = (5, 2, 2, 2, 2, 2, 2, 2)
"""Five common cards, six seats, the croupier."""


@pytest.fixture
def table() -> Iterator[ShufflerTable]:
    """A red deck is ready."""
    yield from ready_shuffler_table()


def counts(table: ShufflerTable) -> tuple[int, int, int, int | None]:
    seen = table.seen
    return seen.hand, seen.dealt, seen.packets, seen.unloaded


def test_a_deck_comes_into_play_with_its_first_packet(table: ShufflerTable) -> None:
    assert table.cabinet.green_light()
    table.show(1)
    assert (table.seen.playing_back, table.seen.waiting) == (Back.RED, True)
    assert (table.preparing(), counts(table)) == (DeckState.EMPTY, (1, 0, 0, None))
    assert not table.cabinet.green_light()


def test_each_packet_is_offered_within_10_ms_of_the_one_before(table: ShufflerTable) -> None:
    table.show(1)
    for number in range(1, 9):
        assert table.cabinet.take_packet() == 5
        assert table.cabinet.take_packet() == 0, "the next one is not there at once"
        table.run(0.01)
        assert (table.seen.dealt, table.seen.packets) == (5 * number, number)
    table.run(60)
    assert not table.seen.waiting
    assert table.take() == 0, "a hand has no more packets than it was given"


def test_a_packet_that_waits_is_not_dealt(table: ShufflerTable) -> None:
    table.show(1)
    table.take(2)
    assert table.seen.waiting
    assert counts(table) == (1, 10, 2, None)


def test_packets_have_the_sizes_of_the_game(table: ShufflerTable) -> None:
    table.show(1, packets=HOLDEM)
    assert [table.take() for _ in range(9)] == [*HOLDEM, 0]


def test_the_rest_is_unloaded_with_the_packet_at_the_exit(table: ShufflerTable) -> None:
    table.show(1)
    table.take(3)
    table.unload()
    assert counts(table) == (1, 15, 3, 37)
    assert (table.seen.playing_back, table.seen.waiting) == (None, False)
    assert table.cabinet.green_light()
    assert table.take() == 0


def test_a_deck_dealt_to_its_last_card_leaves_nothing_to_unload(table: ShufflerTable) -> None:
    table.show(1, packets=(26, 26))
    assert table.take(2) == 52
    assert counts(table) == (1, 52, 2, 0)
    assert table.cabinet.green_light()


def test_a_packet_larger_than_the_rest_is_not_offered(table: ShufflerTable) -> None:
    table.show(1, packets=(50, 3))
    assert table.take(2) == 50
    assert not table.seen.waiting


def test_two_decks_are_used_in_turn(table: ShufflerTable) -> None:
    table.show(1)
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(61)
    assert (table.preparing(), table.seen.prepared_back) == (DeckState.READY, Back.BLUE)
    table.take(8)
    table.unload()
    table.show(2)
    assert (table.seen.playing_back, counts(table)) == (Back.BLUE, (2, 0, 0, None))


def test_a_hand_that_has_been_dealt_gets_no_other_deck(table: ShufflerTable) -> None:
    table.show(1)
    table.take(8)
    table.unload()
    table.ready(Back.BLUE)
    table.show(1)
    assert table.seen.playing_back is None
    table.show(2)
    assert table.seen.playing_back is Back.BLUE


def test_a_deck_in_play_is_not_dealt_to_another_hand(table: ShufflerTable) -> None:
    table.show(1)
    table.take(1)
    table.show(2)
    assert table.take() == 0, "the packet at the exit is of hand 1"
    assert counts(table) == (1, 5, 1, None)


def test_a_deck_dealt_to_the_end_of_its_hand_offers_nothing_to_the_next(
    table: ShufflerTable,
) -> None:
    table.show(1, packets=(5, 5))
    table.take(2)
    table.show(2, packets=(5, 5, 5))
    assert (table.seen.waiting, counts(table)) == (False, (1, 10, 2, None))


def test_a_deck_of_which_nothing_was_taken_serves_the_next_hand(table: ShufflerTable) -> None:
    table.show(1)
    table.show(1, deal=False)
    table.show(2, deal=False)
    assert table.seen.hand == 1
    table.show(2, packets=HOLDEM)
    assert (table.seen.hand, table.seen.waiting) == (2, True)
    assert table.take() == 5
    assert table.take() == 2


def test_a_packet_of_another_size_goes_back_before_the_first_is_taken(table: ShufflerTable) -> None:
    table.show(1)
    table.show(2, packets=(3,) * 8)
    assert table.take() == 3


def test_a_deck_unloaded_before_anything_was_taken_leaves_the_hand_open(
    table: ShufflerTable,
) -> None:
    table.show(1)
    table.unload()
    assert counts(table) == (1, 0, 0, 52)
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(61)
    assert (table.seen.playing_back, counts(table)) == (Back.BLUE, (1, 0, 0, None))


def test_without_may_begin_the_ready_deck_stays_where_it_is(table: ShufflerTable) -> None:
    table.show(1, begin=False)
    assert (table.preparing(), table.seen.playing_back) == (DeckState.READY, None)
    table.show(1)
    table.show(1, begin=False)
    assert table.take(2) == 10, "what is in play is dealt on"


def test_a_deck_that_is_not_counted_yet_does_not_come_into_play(table: ShufflerTable) -> None:
    table.unload()
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.show(1)
    table.run(59)
    assert table.seen.playing_back is None
    table.run(2)
    assert table.seen.playing_back is Back.BLUE


def test_a_second_deck_waits_behind_the_prepared_one_and_is_shuffled_there(
    table: ShufflerTable,
) -> None:
    table.cabinet.shuffler.load_deck(Back.BLUE)
    with pytest.raises(PhysicallyImpossible, match="red and blue"):
        table.cabinet.shuffler.load_deck(Back.RED)
    table.run(SHUFFLE_S + 1)
    table.unload()
    assert table.preparing() is DeckState.READY
    assert table.seen.prepared_back is Back.BLUE
    table.unload()
    with pytest.raises(PhysicallyImpossible, match="0 cards are no deck"):
        table.cabinet.shuffler.load_deck(Back.BLUE, 0)


def test_the_prepared_deck_comes_out_when_nothing_is_in_play(table: ShufflerTable) -> None:
    table.unload()
    assert (table.preparing(), counts(table)) == (DeckState.EMPTY, (0, 0, 0, None))
    table.unload()
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(59)
    table.unload()
    table.run(5)
    assert table.preparing() is DeckState.EMPTY


def test_a_jam_stops_the_deck_in_play(table: ShufflerTable) -> None:
    table.show(1)
    table.cabinet.shuffler.jam()
    table.unload()
    assert (table.take(), table.seen.playing_back) == (0, Back.RED)
    table.cabinet.shuffler.unjam()
    assert table.take(8) == 40


def test_before_the_first_hand_a_deck_is_in_play_when_its_packet_is_taken(
    table: ShufflerTable,
) -> None:
    table.show(0)
    assert (table.seen.waiting, table.seen.playing_back) == (True, None)
    assert table.cabinet.green_light()
    assert table.take() == 5
    assert not table.cabinet.green_light()
    assert counts(table)[:3] == (0, 5, 1)


ALLOWED = Orders(may_deal=True, hand=8, packets=bytes((5, 5)))
STANDS_THERE = ShufflerMemory(playing_back=Back.BLUE, left=47, waiting=5, hand=8, packets=1)


def test_the_exit_is_open_when_all_is_so() -> None:
    assert exit_is_open(ALLOWED, machine_of(STANDS_THERE))


@pytest.mark.parametrize(
    "orders",
    [
        Orders(may_deal=False, may_begin=True, hand=8, packets=bytes((5, 5))),
        Orders(may_deal=True, hand=9, packets=bytes((5, 5))),
        Orders(may_deal=True, hand=8, packets=bytes((5, 3))),
        Orders(may_deal=True, hand=8, packets=bytes((5,))),
        Orders(may_deal=True, hand=8),
    ],
)
def test_the_exit_is_shut_when_something_else_is_allowed(orders: Orders) -> None:
    assert not exit_is_open(orders, machine_of(STANDS_THERE))


@pytest.mark.parametrize(
    "memory",
    [
        replace(STANDS_THERE, jammed=True),
        replace(STANDS_THERE, unloading=True),
        replace(STANDS_THERE, waiting=0),
        replace(STANDS_THERE, left=4),
        replace(STANDS_THERE, playing_back=None, counted=52),
    ],
)
def test_the_exit_is_shut_while_the_machine_is_otherwise(memory: ShufflerMemory) -> None:
    assert not exit_is_open(ALLOWED, machine_of(memory))


def test_a_mixer_never_deals() -> None:
    table = ShufflerTable("mixer")
    table.start()
    table.ready(Back.RED)
    table.show(1, packets=CARIBBEAN)
    assert (table.take(3), table.preparing()) == (0, DeckState.READY)
    table.show(1, packets=())
    assert table.seen.playing_back is None
    table.close()
