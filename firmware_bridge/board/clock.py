"""The time that is handed to a board: milliseconds since its boot, which never go back."""

WATCHDOG_MS = 500
"""A chip resets when the loop of its `main.py` has not come round for so long, or has had no sample
of its sensors."""


class TickClock:
    """Makes a counter that never wraps of one that does: a chip's `ticks_ms`, a power of 2.

    It must be read at least once in a period. MicroPython's is 2**30 ms on a chip, 12 days; past
    that our counter is a long integer, and every comparison of times is still a plain one.
    """

    __slots__ = ("_last", "_mask", "_now")

    def __init__(self, ticks: int, period: int = 1 << 30) -> None:
        self._mask = period - 1
        self._last = ticks
        self._now = 0

    def read(self, ticks: int) -> int:
        """The milliseconds since the clock was made, when the chip's counter is at `ticks`."""
        self._now += (ticks - self._last) & self._mask
        self._last = ticks
        return self._now
