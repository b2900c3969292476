"""The clock of a simulated board: its milliseconds, and the one timer that wakes it."""

import asyncio
from collections.abc import Callable

from devices.sim.plug import SimulatedCable
from firmware_bridge.board.firmware import REPEAT_MS, Firmware
from firmware_bridge.earliest_timer import EarliestTimer
from firmware_bridge.repetition import Repetition

MS = 1000
"""Microseconds of a millisecond."""


class BoardClock:
    """Time that is passed over the board does not live: it is afterwards as it was before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wake: Callable[[], None]) -> None:
        self._loop = loop
        self._timer = EarliestTimer(loop, wake)
        self._passed_ms = 0

    def now_ms(self) -> int:
        """The time that the board has lived, from any beginning."""
        return round(self._loop.time() * 1000) - self._passed_ms

    def wake_at(self, when_ms: int) -> None:
        """Wake it then, or earlier."""
        self._timer.wake_at((when_ms + self._passed_ms) / 1000)

    def stop(self) -> None:
        """Wake it no more: it has no power."""
        self._timer.cancel()

    def repetition(self, board: object, cable: SimulatedCable) -> Repetition | None:
        """See `Repeating`: the board sends the same STATE, to a host or to nobody.

        A board that runs elsewhere has a clock of its own.
        """
        if not isinstance(board, Firmware) or not board.rests or board.attended is cable.is_loose:
            return None
        return cable.repetition(Repetition(REPEAT_MS * MS, self._timer.handles, self._pass_over))

    def _pass_over(self, us: int) -> None:
        self._passed_ms += us // MS
        self._timer.pass_over(us)
