"""A ccTalk rail on a real line: 9600 baud, time-outs, noise, and bytes that lie."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from devices.boards import BoardFound
from devices.cctalk.rail import CcTalkRail
from devices.roles import DeviceUp, RailOrders, RailSeen
from firmware_bridge.cctalk.protocol import CcTalkHeader, Frame
from firmware_bridge.line import Line
from firmware_bridge.memory_line import WireFaults
from tests.devices.cctalk.faulty_line import SlowLine, TamperedLine
from tests.devices.table import Table

READ = CcTalkHeader.READ_CREDIT
SEATS = range(1, 8)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table("cctalk")
    yield table
    table.close()


def start(table: Table, line: Line) -> CcTalkRail:
    rail = CcTalkRail(table.loop, line, table.cabinet.rail.cable.line())
    rail.show(RailOrders(accepting=frozenset(SEATS)))
    rail.start(table.events.append)
    return rail


def silence(table: Table, *seats: int) -> None:
    assert table.cabinet.cctalk is not None
    for seat in seats:
        table.cabinet.cctalk.acceptors[seat].silent = True


def slow(table: Table, think_s: float = 0.003) -> SlowLine:
    return SlowLine(table.loop, table.cabinet.cctalk_line(), think_s)


# Time


def test_at_9600_baud_seven_acceptors_are_up_and_open_in_1_s(table: Table) -> None:
    start(table, slow(table))
    table.run(2)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen, DeviceUp]


@pytest.mark.parametrize("think_s", [0, 0.002, 0.005])
def test_each_is_read_every_100_to_200_ms(table: Table, think_s: float) -> None:
    line = slow(table, think_s)
    start(table, line)
    table.run(2)
    line.asked.clear()
    table.run(10)
    for address in range(11, 18):
        gaps = line.gaps(address, READ)
        assert min(gaps) >= 0.1
        assert max(gaps) <= 0.2


def test_closing_goes_before_everything_else(table: Table) -> None:
    line = slow(table)
    rail = start(table, line)
    table.run(2)
    line.asked.clear()
    rail.show(RailOrders())
    table.run(0.25)
    headers = [data[3] for _, data in line.asked]
    assert headers[:7] == [CcTalkHeader.MODIFY_MASTER_INHIBIT] * 7


def test_one_found_reset_is_left_alone_for_100_ms(table: Table) -> None:
    line = slow(table)
    start(table, line)
    table.run(2)
    assert table.cabinet.cctalk is not None
    table.cabinet.rail.put_token(3)
    table.run(0.5)
    table.cabinet.cctalk.reset(3)
    line.asked.clear()
    table.run(1)
    mine = [(when, data[3]) for when, data in line.asked if data[0] == 13]
    begun_anew = [header for _, header in mine].index(CcTalkHeader.MODIFY_MASTER_INHIBIT)
    assert mine[begun_anew][0] - mine[begun_anew - 1][0] >= 0.1


@pytest.mark.parametrize("silent", [1, 3, 6])
def test_the_silent_do_not_starve_the_healthy(table: Table, silent: int) -> None:
    line = slow(table)
    start(table, line)
    table.run(2)
    silence(table, *SEATS[:silent])
    table.run(5)
    line.asked.clear()
    table.run(20)
    for address in range(11 + silent, 18):
        assert max(line.gaps(address, READ)) < 0.45
    for address in range(11, 11 + silent):
        gaps = line.gaps(address, CcTalkHeader.MODIFY_MASTER_INHIBIT)
        assert len(gaps) >= 5
        assert min(gaps) >= 1


def test_one_unanswered_reading_makes_nobody_wait_for_long(table: Table) -> None:
    line = slow(table)
    start(table, line)
    table.run(2)
    silence(table, 1)
    line.asked.clear()
    table.run(1)
    for address in range(12, 18):
        assert max(line.gaps(address, READ)) < 0.6


# Bytes that are not those that were sent


def test_a_lie_with_the_right_sum_is_not_believed(table: Table) -> None:
    lies = 0

    def lie(data: bytes) -> bytes:
        nonlocal lies
        if data[3] != READ or data[0] != 13 or lies or table.loop.time() < 1001:
            return data
        lies += 1
        credit = bytes((1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0))
        return data[:5] + Frame(1, 13, CcTalkHeader.ACK, credit).to_bytes()

    start(table, TamperedLine(table.cabinet.cctalk_line(), lie))
    table.run(5)
    assert lies == 1
    assert (table.rail_seen.drops, table.rail_seen.credits_lost) == ((0,) * 7, 0)


def test_two_different_lies_do_not_confirm_each_other(table: Table) -> None:
    lies = 0

    def lie(data: bytes) -> bytes:
        nonlocal lies
        if data[3] != READ or data[0] != 13 or lies > 20 or table.loop.time() < 1001:
            return data
        lies += 1
        credit = bytes((1 + lies % 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0))
        return data[:5] + Frame(1, 13, CcTalkHeader.ACK, credit).to_bytes()

    start(table, TamperedLine(table.cabinet.cctalk_line(), lie))
    table.run(5)
    assert lies == 21
    assert (table.rail_seen.drops, table.rail_seen.credits_lost) == ((0,) * 7, 0)


def flipping(chance: Random, share: float) -> Callable[[bytes], bytes]:
    def flip(data: bytes) -> bytes:
        if not data or chance.random() >= share:
            return data
        flipped = bytearray(data)
        flipped[chance.randrange(len(flipped))] ^= chance.randrange(1, 256)
        return bytes(flipped)

    return flip


def test_a_byte_wrong_in_every_fifth_piece_loses_no_token_and_makes_none(table: Table) -> None:
    start(table, TamperedLine(table.cabinet.cctalk_line(), flipping(Random(3), 0.2)))
    table.run(5)
    for turn in range(200):
        table.cabinet.rail.put_token(turn % 7 + 1)
        table.run(1)
    table.run(5)
    assert table.rail_seen.credits_lost == 0
    assert sum(table.rail_seen.drops) == table.cabinet.tray_count
    assert table.cabinet.tray_count > 150


@pytest.mark.parametrize(
    "faults",
    [
        WireFaults(drop=0.1, seed=1),
        WireFaults(cut=0.1, seed=2),
        WireFaults(repeat=0.1, seed=3),
        WireFaults(garbage=0.1, seed=4),
        WireFaults(byte_at_a_time=True),
    ],
)
def test_whatever_the_wire_does_every_token_counts_once(table: Table, faults: WireFaults) -> None:
    line = TamperedLine(table.cabinet.cctalk_line(), lambda data: b"".join(faults.apply(data)))
    start(table, line)
    table.run(5)
    for turn in range(100):
        table.cabinet.rail.put_token(turn % 7 + 1)
        table.run(1)
    table.run(5)
    assert table.rail_seen.credits_lost == 0
    assert sum(table.rail_seen.drops) == table.cabinet.tray_count
    assert table.cabinet.tray_count > 50


def test_a_million_random_bytes_are_no_token_and_when_they_end_the_rail_is_there(
    table: Table,
) -> None:
    chance = Random(11)
    line = slow(table)
    rail = start(table, line)
    table.run(2)
    noise = 0
    while noise < 1_000_000:
        burst = chance.randbytes(chance.randrange(1, 2000))
        noise += len(burst)
        line.hear(burst)
        table.run(chance.choice((0.001, 0.02, 0.3)))
    table.run(5)
    counts = rail.bus.statistics
    assert min(counts.noise, counts.collisions, counts.garbled, counts.answered) > 0
    assert isinstance(table.events[-1], DeviceUp)
    assert (table.rail_seen.drops, table.rail_seen.credits_lost) == ((0,) * 7, 0)
    table.cabinet.rail.put_token(2)
    table.run(0.3)
    assert table.rail_seen.drops == (0, 1, 0, 0, 0, 0, 0)
