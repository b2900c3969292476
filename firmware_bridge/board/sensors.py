"""A board's sensors: levels as the pins read them, debounced and counted.

A level is 1 where the sensor sees something.
"""

from firmware_bridge.board.rail import SEAT_COUNT, Rail

SLOT_SETTLE_MS = 10
"""docs/reference/wire-protocol.md allows 20 ms."""


class MaskDebouncer:
    """Contacts as one mask; `level` is the accepted one, at first the first reading.

    A reading may come late: if the one before it was stable for long enough by then, it is accepted
    first, so a slow loop loses no pulse that it has read.
    """

    __slots__ = ("_raw", "_settle_ms", "_since", "level")

    def __init__(self, level: int, width: int, settle_ms: int) -> None:
        self.level = level
        self._raw = level
        self._settle_ms = settle_ms
        self._since = [0] * width

    def read(self, raw: int, now_ms: int) -> int:
        """Take the levels now; returns the mask of those that have just been accepted as 1."""
        if raw == self._raw == self.level:
            return 0
        risen = self._settle(now_ms)
        changed = raw ^ self._raw
        self._raw = raw
        for contact in range(len(self._since)):
            if changed >> contact & 1:
                self._since[contact] = now_ms
        return risen

    def next_wake(self, now_ms: int) -> int | None:
        """When a level will have settled, if it stays; None if all have."""
        waiting = self._raw ^ self.level
        if not waiting:
            return None
        first = min([since for contact, since in enumerate(self._since) if waiting >> contact & 1])
        return max(now_ms, first + self._settle_ms)

    def _settle(self, now_ms: int) -> int:
        waiting = self._raw ^ self.level
        settled = 0
        for contact in range(len(self._since)):
            if waiting >> contact & 1 and now_ms - self._since[contact] >= self._settle_ms:
                settled |= 1 << contact
        self.level ^= settled
        return settled & self.level


class RailSensors:
    """The seats' sensors of a rail; the first levels are those at the boot."""

    __slots__ = ("_rail", "_slots")

    def __init__(self, rail: Rail, slots: int) -> None:
        self._rail = rail
        self._slots = MaskDebouncer(slots, SEAT_COUNT, SLOT_SETTLE_MS)
        rail.sense(slots)

    def read(self, slots: int, now_ms: int) -> None:
        """Take the mask of the seats' sensors, as often as possible."""
        self._slots.read(slots, now_ms)
        self._rail.sense(self._slots.level)

    def next_wake(self, now_ms: int) -> int | None:
        """When `read` is due though no level changes; None: not at all."""
        return self._slots.next_wake(now_ms)
