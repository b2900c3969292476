"""The shuffler without power, and in the cabinet's file: decks and counts stay, no card is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.card_reports import Back, Card, DeckState
from devices.sim.memory import CabinetMemory
from devices.sim.shuffler import DECK
from firmware_bridge.board_session.framing import Deframer
from firmware_bridge.board_session.protocol import MessageType, State, Want
from tests.devices.shuffler_table import ShufflerTable, ready_shuffler_table


@pytest.fixture
def table() -> Iterator[ShufflerTable]:
    """A red deck is ready."""
    yield from ready_shuffler_table()


def test_dealing_goes_on_after_a_power_cut(table: ShufflerTable) -> None:
    table.show(1)
    table.take(3)
    table.cut_power()
    assert (table.seen.playing_back, table.seen.waiting) == (Back.RED, True)
    assert (table.seen.hand, table.seen.dealt, table.seen.packets) == (1, 15, 3)
    assert table.take() == 0, "the new controller has not allowed it yet"
    table.show(1)
    assert table.take(8) == 25
    table.unload()
    assert table.seen.unloaded == 12


def test_a_shuffle_that_was_cut_off_begins_again(table: ShufflerTable) -> None:
    table.unload()
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(50)
    table.cut_power()
    table.run(58)
    assert table.preparing() is DeckState.SHUFFLING
    table.run(3)
    assert table.preparing() is DeckState.READY


def test_a_second_deck_is_shuffled_while_it_waits_and_told_of_when_the_first_is_out(
    table: ShufflerTable,
) -> None:
    """shuffler-protocol.md, Decks: its 60 s run behind the first one, on purpose."""
    table.cabinet.shuffler.load_deck(Back.BLUE)
    table.run(59)
    assert table.seen.prepared_back is Back.RED
    table.run(2)
    assert (table.seen.prepared_back, table.preparing()) == (Back.RED, DeckState.READY)
    table.unload()
    assert (table.seen.prepared_back, table.preparing()) == (Back.BLUE, DeckState.READY)


def test_an_unloading_that_was_cut_off_is_finished(table: ShufflerTable) -> None:
    table.show(1)
    table.take(1)
    table.cabinet.shuffler.unload_deck()
    table.run(0.01)
    table.cut_power()
    assert (table.seen.playing_back, table.seen.unloaded) == (None, 47)


def test_without_power_nothing_moves_and_no_light_is_lit(table: ShufflerTable) -> None:
    table.show(1)
    table.cabinet.cut_power()
    table.cabinet.shuffler.unload_deck()
    assert table.take() == 0
    table.unload()
    assert not table.cabinet.green_light()
    table.cabinet.restore_power()
    table.start()
    assert table.seen.playing_back is Back.RED


def test_a_killed_simulation_finds_as_many_cards_as_there_were(tmp_path: Path) -> None:
    memory = tmp_path / "cabinet.json"
    first = ShufflerTable(memory=CabinetMemory(memory))
    first.start()
    first.ready(Back.RED)
    first.show(1)
    first.take(2)
    first.cabinet.shuffler.load_deck(Back.BLUE, 53)
    first.loop.close()  # no shutdown code runs
    again = ShufflerTable(memory=CabinetMemory(memory))
    again.start()
    assert (again.seen.boot, again.seen.dealt, again.seen.waiting) == (1, 10, True)
    again.run(61)
    assert (again.seen.prepared_back, again.seen.counted) == (Back.BLUE, 53)
    again.show(1)
    assert again.take(8) == 30
    again.unload()
    assert again.seen.unloaded == 12
    again.close()


def test_the_file_names_no_card(tmp_path: Path) -> None:
    memory = tmp_path / "cabinet.json"
    table = ShufflerTable(memory=CabinetMemory(memory))
    table.start()
    table.ready(Back.RED)
    table.show(1)
    table.take(1)
    text = memory.read_text("utf-8")
    assert not [card.name for card in DECK if card.name in text]
    table.close()


def whole_deck_dealt() -> tuple[list[Card], list[bytes]]:
    """A deck in the order it was dealt in, and the bodies of all that went over the wire."""
    table = ShufflerTable()
    table.start()
    table.ready(Back.RED)
    table.show(1, packets=(13,) * 4)
    cards: list[Card] = []
    for _ in range(4):
        cards += table.cabinet.shuffler.take_packet()
        table.run(0.02)
    assert table.tap is not None
    frames = table.tap.sent + table.tap.heard
    table.close()
    bodies = []
    for payload in Deframer().feed(b"".join(frames)):
        if payload[0] == MessageType.STATE:
            bodies.append(State.from_bytes(payload).body)
        elif payload[0] == MessageType.WANT:
            bodies.append(Want.from_bytes(payload).body)
    return cards, bodies


def test_the_wire_says_the_same_whatever_the_order_of_the_cards() -> None:
    (cards, bodies), (others, other_bodies) = whole_deck_dealt(), whole_deck_dealt()
    assert cards != others
    assert bodies == other_bodies
    assert len(bodies) > 400, "a minute of shuffling is in it"
    wire = b"".join(bodies)
    assert not [card.name for card in DECK if card.name.encode() in wire]


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    memory = tmp_path / "cabinet.json"
    ShufflerTable(memory=CabinetMemory(memory)).close()
    memory.write_text(memory.read_text("utf-8").replace('"jammed"', '"stuck"'), "utf-8")
    with pytest.raises(OSError, match="stuck"):
        CabinetMemory(memory).load()
