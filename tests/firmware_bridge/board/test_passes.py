"""From samples to counts: bounce, flicker, tokens that pass, broken wires, a loop that is late."""

import random
from array import array
from collections.abc import Iterable

import pytest

from firmware_bridge.board.clock import WATCHDOG_MS
from firmware_bridge.board.passes import (
    COVERED_NOTICE,
    LONGEST_PASS_MS,
    RING_SAMPLES,
    SAMPLE_HZ,
    TRAY_BIT,
    PassCounter,
)
from firmware_bridge.board.rail import SEAT_COUNT, SlotRail

TRAY = 1 << TRAY_BIT
ALL = 0x7F | TRAY


class SampledRail:
    """A rail and the ring of its samples; the loop looks each `pass_ms`."""

    def __init__(self, first: int = 0, pass_ms: int = 1) -> None:
        self.rail = SlotRail(1)
        self._ring = array("I", [0] * RING_SAMPLES)
        self._counter = PassCounter(self.rail, memoryview(self._ring), 0, first)
        self.pass_ms = pass_ms
        self.now = 0
        self._looked_at = 0

    def sample(self, samples: Iterable[int]) -> None:
        for sample in samples:
            self._ring[self.now % RING_SAMPLES] = sample
            self.now += 1
            if self.now - self._looked_at >= self.pass_ms:
                self.look()

    @property
    def open_lines(self) -> int:
        return self._counter.open_lines()

    def look(self) -> None:
        self._looked_at = self.now
        self._counter.take(self.now % RING_SAMPLES, self.now)

    @property
    def counts(self) -> list[int]:
        return [*self.rail.drops, self.rail.tray]

    @property
    def notices(self) -> int:
        return self.rail._notices


def test_a_token_is_counted_once_however_its_edges_bounce() -> None:
    rail = SampledRail()
    passing = [1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0]
    rail.sample(level << 2 for level in passing)
    rail.sample(level << TRAY_BIT for level in passing)
    assert rail.counts == [0, 0, 1, 0, 0, 0, 0, 1]


def test_the_gate_shuts_when_a_token_begins_to_pass_and_is_reported_when_it_has_passed() -> None:
    rail = SampledRail()
    rail.rail.gates = 0b100
    assert rail.open_lines == 0b100
    rail.sample([0b100] * 4)
    assert (rail.open_lines, rail.rail.gates, rail.rail.drops[2]) == (0, 0b100, 0)
    rail.sample([0] * 4)
    assert (rail.open_lines, rail.rail.gates, rail.rail.drops[2]) == (0, 0, 1)


def test_a_gate_whose_sensor_has_no_wire_does_not_open() -> None:
    rail = SampledRail(0b100)
    rail.rail.gates = 0b110
    assert rail.open_lines == 0b010


def test_what_covers_a_sensor_at_the_boot_is_no_token_and_the_next_one_is() -> None:
    rail = SampledRail(ALL)
    rail.sample([ALL] * 10 + [0] * 10)
    assert rail.counts == [0] * 8
    rail.sample([ALL] * 10 + [0] * 10)
    assert rail.counts == [1] * 8


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_flicker_is_no_token(width: int) -> None:
    rail = SampledRail()
    rail.sample(ALL if now % 20 < width else 0 for now in range(200))
    assert rail.counts == [0] * 8


@pytest.mark.parametrize("sensor", [1 << 4, TRAY])
def test_a_broken_wire_is_no_token_and_is_reported_until_it_is_whole(sensor: int) -> None:
    rail = SampledRail()
    rail.sample([sensor] * LONGEST_PASS_MS)
    assert (rail.counts, rail.notices) == ([0] * 8, 0)
    rail.sample([sensor] * 4)
    assert (rail.counts, rail.notices) == ([0] * 8, COVERED_NOTICE)
    rail.sample([0] * 4)
    assert rail.notices == 0


def test_a_wire_that_is_broken_at_the_boot_is_reported() -> None:
    rail = SampledRail(1)
    rail.sample([1] * LONGEST_PASS_MS)
    assert (rail.counts, rail.notices) == ([0] * 8, COVERED_NOTICE)


def test_a_loop_that_is_as_late_as_the_watchdog_allows_loses_no_token() -> None:
    assert RING_SAMPLES * 1000 // SAMPLE_HZ > WATCHDOG_MS
    rail = SampledRail(pass_ms=WATCHDOG_MS)
    rail.sample(ALL if now % 10 < 5 else 0 for now in range(100 * WATCHDOG_MS))
    assert rail.counts == [100 * WATCHDOG_MS // 10] * 8


def test_tokens_of_any_length_are_counted_by_any_loop() -> None:
    chance = random.Random(1)
    rail = SampledRail()
    expected = [0] * (SEAT_COUNT + 1)
    for _ in range(500):
        rail.pass_ms = chance.randint(1, 200)
        mask = 0
        for sensor in chance.sample(range(SEAT_COUNT + 1), chance.randint(1, 8)):
            expected[sensor] += 1
            mask |= TRAY if sensor == SEAT_COUNT else 1 << sensor
        rail.sample([mask] * chance.randint(4, 30) + [0] * chance.randint(4, 30))
    rail.look()
    assert rail.counts == expected
