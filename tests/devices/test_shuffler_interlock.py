"""It deals only while betting is closed, and that is in the machine.

docs/reference/rules.md, section 8.

The host here is the real driver. Whatever else is heard on its line, the exit stays shut: noise,
frames cut and repeated, everything that was ever said, and orders that no host of ours gives.
"""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from devices.card_reports import Back, DeckState
from firmware_bridge.board_session.framing import DELIMITER, encode
from firmware_bridge.board_session.protocol import Hello, Want
from firmware_bridge.board_session.shuffler_messages import ShufflerWant
from firmware_bridge.memory_line import WireFaults
from tests.devices.shuffler_table import CARIBBEAN, ShufflerTable, ready_shuffler_table
from tests.firmware_bridge.line_users import IgnoringUser

ROUNDS = 400


MakeTable = Callable[[], ShufflerTable]


@pytest.fixture
def make_table() -> MakeTable:
    """Makes a shuffler and its driver; other boards are tried by another one."""
    return ShufflerTable


@pytest.fixture
def table(make_table: MakeTable) -> Iterator[ShufflerTable]:
    """Hand 7 was dealt, and so was one packet of hand 8; then betting was opened."""
    table = make_table()
    table.start()
    table.ready(Back.RED)
    table.show(7)
    table.take(8)
    table.unload()
    table.ready(Back.BLUE)
    table.show(8)
    table.take(1)
    table.show(8, deal=False)
    assert table.seen.waiting
    yield table
    table.close()


@pytest.fixture
def fresh(make_table: MakeTable) -> Iterator[ShufflerTable]:
    """A deck is ready, and nothing was ever allowed."""
    yield from ready_shuffler_table(make_table)


def say(table: ShufflerTable, data: bytes) -> None:
    """A stranger on the host's wire."""
    assert table.tap is not None
    table.tap.line.send(data)


def forge_want(number: int, want: ShufflerWant) -> bytes:
    return encode(Want(number, want.to_bytes()).to_bytes())


def assert_shut(table: ShufflerTable) -> None:
    machine = table.cabinet.shuffler
    assert not machine.exit_is_open()
    assert machine.take_packet() == []
    kept = table.cabinet.state.shuffler
    assert (kept.hand, kept.dealt, kept.packets, kept.playing_back) == (8, 5, 1, Back.BLUE)


def noise(chance: Random, _table: ShufflerTable) -> bytes:
    return chance.randbytes(chance.randrange(1, 60)) + DELIMITER


def damage_frame(chance: Random, table: ShufflerTable) -> bytes:
    """A frame of the time when dealing was allowed, with something wrong in it."""
    frame = bytearray(replay_frame(chance, table))
    frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
    return bytes(frame) + DELIMITER


def replay_frame(chance: Random, table: ShufflerTable) -> bytes:
    """Something the host has said, at any time since the machine was found."""
    assert table.tap is not None
    return chance.choice(table.tap.sent)


def order_anything(chance: Random, _table: ShufflerTable) -> bytes:
    """Any hand, any packets, any number; but dealing is not allowed."""
    packets = tuple(chance.randrange(1, 256) for _ in range(chance.randrange(10)))
    want = ShufflerWant(False, chance.random() < 0.5, chance.randrange(65536), packets)
    return forge_want(chance.randrange(1, 65536), want)


@pytest.mark.parametrize("make_frame", [noise, damage_frame, replay_frame, order_anything])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_said_opens_it_while_betting_is_open(
    table: ShufflerTable, make_frame: Callable[[Random, ShufflerTable], bytes], seed: int
) -> None:
    chance = Random(seed)
    for _ in range(ROUNDS):
        say(table, make_frame(chance, table))
        table.run(chance.choice((0.001, 0.01, 0.1)))
        assert_shut(table)
    table.run(5)
    assert_shut(table)
    table.show(8)
    assert table.take(8) == 35, "and the true host opens it as ever"


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_said_begins_a_deck(fresh: ShufflerTable, seed: int) -> None:
    """Before the first hand, everything together."""
    chance = Random(seed)
    for _ in range(ROUNDS):
        say(
            fresh, chance.choice((noise, damage_frame, replay_frame, order_anything))(chance, fresh)
        )
        fresh.run(0.01)
        assert fresh.cabinet.take_packet() == 0
        assert fresh.cabinet.state.shuffler.playing_back is None


@pytest.mark.parametrize("seed", range(3))
def test_a_dead_host_is_not_replaced_by_its_own_old_frames(fresh: ShufflerTable, seed: int) -> None:
    """It dies while dealing is allowed; then all that it said is said again, in order and not."""
    fresh.show(1)
    fresh.take(1)
    assert fresh.tap is not None
    fresh.tap.dead = True
    sent = fresh.tap.sent
    fresh.run(1.1)
    assert fresh.take() == 0
    for frame in sent * 2 + Random(seed).sample(sent, len(sent)):
        say(fresh, frame)
        fresh.run(0.01)
        assert fresh.cabinet.take_packet() == 0


def test_a_silent_host_shuts_it_within_a_second(table: ShufflerTable) -> None:
    table.show(8)
    assert table.cabinet.shuffler.exit_is_open()
    table.unplug()
    table.run(1)
    assert table.cabinet.take_packet() == 0
    assert not table.cabinet.shuffler.exit_is_open()


def test_it_shuts_at_once_when_betting_opens(table: ShufflerTable) -> None:
    table.show(8)
    assert table.driver is not None
    table.show(8, deal=False)
    assert table.cabinet.take_packet() == 0


def test_a_host_that_has_begun_anew_must_allow_it_anew(table: ShufflerTable) -> None:
    table.show(8)
    say(table, DELIMITER + encode(Hello(0xABCD).to_bytes()))
    table.run(0.001)
    assert table.cabinet.take_packet() == 0


def test_a_want_without_a_greeting_opens_nothing(table: ShufflerTable) -> None:
    table.show(8)
    table.unplug()
    table.run(2)
    table.cabinet.shuffler.cable.line().start(IgnoringUser())
    line = table.cabinet.shuffler.cable.line()
    line.start(IgnoringUser())
    table.plug()
    table.run(0.5)
    line.send(forge_want(9, ShufflerWant(True, True, 8, CARIBBEAN)))
    table.run()
    assert table.cabinet.take_packet() == 0


def test_the_unload_button_needs_no_host(table: ShufflerTable) -> None:
    table.unplug()
    table.run(2)
    table.unload()
    assert table.cabinet.green_light()
    table.plug()
    table.run(1)
    assert (table.seen.unloaded, table.preparing()) == (47, DeckState.EMPTY)


@pytest.mark.parametrize("seed", range(4))
def test_on_a_bad_wire_every_card_is_counted_once(fresh: ShufflerTable, seed: int) -> None:
    """Hands are dealt over a wire that loses, repeats and cuts: dealt and unloaded make 52."""
    faults = [
        WireFaults(drop=0.2, repeat=0.2, cut=0.05, garbage=0.1, seed=seed + way) for way in (0, 9)
    ]
    assert fresh.tap is not None
    fresh.tap.line.device.inject(to_host=faults[0], to_device=faults[1])
    for hand in range(1, 11):
        fresh.show(hand, packets=(3,) * 4)
        assert fresh.take(40) == 12
        fresh.show(hand, deal=False)
        fresh.unload()
        fresh.cabinet.shuffler.load_deck(Back.RED)
        fresh.run(62)
        assert (fresh.seen.hand, fresh.seen.dealt, fresh.seen.unloaded) == (hand, 12, 40)
