"""Tokens that pass a sensor, counted from samples that were taken one each millisecond.

A sample has the levels of the drop sensors, seat 1 lowest, and above them what came from the
74HC165s. A drop sensor and the tray's are high while a token covers them, and also when their wire
is broken. A token is counted when it has passed: a wire that breaks is no token.
"""

from array import array

from firmware_bridge.board import pins
from firmware_bridge.board import viper as micropython
from firmware_bridge.board.rail import SEAT_COUNT, SlotRail
from firmware_bridge.board.viper import ptr32

SAMPLE_HZ = 1000
RING_SAMPLES = 512
"""More than the watchdog lets the loop wait: what is overwritten has been counted."""

TRAY_BIT = SEAT_COUNT + pins.SHIFT_TRAY
SENSORS = SEAT_COUNT + 1
"""The drop sensors and the tray's, which is the last."""

LONGEST_PASS_MS = 1000
"""A sensor that is covered for longer has a broken wire, or a token lies before it."""

COVERED_NOTICE = 1 << 1
"""Notice 1 of a slot rail (docs/reference/wire-protocol.md)."""

_LEVEL, _LOW, _HIGH, _BEGUN, _COUNTS = 0, 1, 2, 3, 4


@micropython.viper
def take_samples(ring: ptr32, start: int, end: int, state: ptr32) -> int:
    """Count in `state` what the samples from `start` to before `end` of the ring show.

    A level is accepted with its fourth sample in a row, so after 3 ms. `state` has the levels, two
    bits of a counter for each sensor, the sensors that a token is passing, and the counts. The
    result: the sensors where one has begun to pass, and from bit 8 on those where one has passed.
    """
    at = start
    level = state[0]
    low = state[1]
    high = state[2]
    begun = state[3]
    happened = 0
    while at != end:
        sample = ring[at]
        at = (at + 1) & 511
        waiting = ((sample & 0x7F) | ((sample >> 15) & 0x80)) ^ level
        settled = waiting & low & high
        waiting = waiting ^ settled
        high = (high ^ low) & waiting
        low = (low ^ 0xFF) & waiting
        level = level ^ settled
        if settled:
            ended = settled & begun & (level ^ 0xFF)
            begun = (begun | (settled & level)) ^ ended
            happened = happened | (settled & level) | (ended << 8)
            sensor = 4
            while ended:
                state[sensor] = state[sensor] + (ended & 1)
                ended = ended >> 1
                sensor = sensor + 1
    state[0] = level
    state[1] = low
    state[2] = high
    state[3] = begun
    return happened


class PassCounter:
    """Counts a slot rail's tokens.

    What covers a sensor at the boot is not counted. A gate's line is high only while it is open and
    its drop sensor free: it shuts when a token begins to pass, and the board reports it as open
    until the token is counted.
    """

    __slots__ = ("_at", "_covered_since", "_rail", "_ring", "_state", "_too_long")

    def __init__(self, rail: SlotRail, ring: "memoryview[int]", at: int, sample: int) -> None:
        """The first sample to come is at `at` of the ring; `sample` is the one before."""
        self._rail = rail
        self._ring = ring
        self._at = at
        self._state = array("I", [0] * (_COUNTS + SENSORS))
        self._state[_LEVEL] = sample & 0x7F | (sample >> TRAY_BIT & 1) << SEAT_COUNT
        self._covered_since = [0] * SENSORS
        self._too_long = False

    def take(self, end: int, now_ms: int) -> bool:
        """Take the samples that came before `end` of the ring; whether there was one."""
        if end == self._at:
            return False
        happened = take_samples(self._ring, self._at, end, memoryview(self._state))
        self._at = end
        if happened:
            self._report(happened, now_ms)
        if self._state[_LEVEL] or self._too_long:
            self._judge(now_ms)
        return True

    def open_lines(self) -> int:
        """The mask of the gates whose line is high."""
        return self._rail.gates & ~self._state[_LEVEL]

    def rests(self) -> bool:
        """Whether every level has been accepted, and no sensor is covered."""
        return not (self._state[_LOW] or self._state[_HIGH] or self._state[_LEVEL])

    def _report(self, happened: int, now_ms: int) -> None:
        for sensor in range(SENSORS):
            if happened >> sensor & 1:
                self._covered_since[sensor] = now_ms
            passed = self._state[_COUNTS + sensor]
            self._state[_COUNTS + sensor] = 0
            for _ in range(passed):
                if sensor < SEAT_COUNT:
                    self._rail.count_drop(sensor + 1)
                else:
                    self._rail.count_in_tray()

    def _judge(self, now_ms: int) -> None:
        covered = self._state[_LEVEL]
        self._too_long = False
        for sensor, since in enumerate(self._covered_since):
            if covered >> sensor & 1 and now_ms - since >= LONGEST_PASS_MS:
                self._too_long = True
        self._rail.set_notices(COVERED_NOTICE if self._too_long else 0)
