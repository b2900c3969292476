"""The queue of output to a terminal: bounded, at the wire's pace, with pause."""

import asyncio
from collections.abc import Callable

from firmware_bridge.line import Line

LONGEST_WAITING = 64 * 1024
"""Most bytes in the queue; further ones are refused."""

STOPPED_READING_S = 30.0
"""A terminal that takes nothing for this long is given up."""

PIECE = 256
"""Most bytes sent to the port at once."""

AHEAD_S = 0.1
"""The port gets as much as the wire carries in this time, so that Ctrl-C takes effect soon."""

AGAIN_S = 0.02
"""The pause before a full port is tried again."""


class TerminalOutput:
    """A queue of bytes for a port.

    `pace`: bytes per second of the wire; None for a port that says itself when it is full.
    `on_stopped` is called when the terminal has taken nothing for `STOPPED_READING_S`.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        port: Line,
        pace: int | None,
        on_stopped: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._port = port
        self._pace = pace
        self._on_stopped = on_stopped
        self._waiting = bytearray()
        self._paused = False
        self._timer: asyncio.TimerHandle | None = None
        self._taken_s = 0.0  # when the port took something last
        self._allowance = 0.0  # bytes that the wire has space for
        self._allowed_s = 0.0  # when that was computed
        self._emptied = asyncio.Event()
        self._emptied.set()

    @property
    def waiting(self) -> int:
        """The bytes in the queue."""
        return len(self._waiting)

    def put(self, data: bytes) -> bool:
        """Add bytes to the queue; False, and nothing is added, if there is no space."""
        if len(self._waiting) + len(data) > LONGEST_WAITING:
            return False
        if data:
            if not self._waiting:
                self._taken_s = self._loop.time()
            self._waiting += data
            self._emptied.clear()
            self._send()
        return True

    async def drain(self) -> None:
        """Wait until the queue is empty."""
        await self._emptied.wait()

    def pause(self) -> None:
        """Send nothing until `resume`."""
        self._paused = True
        self._cancel()

    def resume(self) -> None:
        """End a pause."""
        if self._paused:
            self._paused = False
            self._taken_s = self._loop.time()
            self._send()

    def clear(self) -> None:
        """Clear the queue, and end a pause."""
        self._paused = False
        self._waiting.clear()
        self._emptied.set()
        self._cancel()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send(self) -> None:
        if self._paused or self._timer is not None:
            return
        now = self._loop.time()
        while self._waiting:
            piece = bytes(self._waiting[: min(PIECE, self._budget(now))])
            if not piece or not self._port.send(piece):
                break
            del self._waiting[: len(piece)]
            self._allowance -= len(piece)
            self._taken_s = now
        if not self._waiting:
            self._emptied.set()
        elif now - self._taken_s >= STOPPED_READING_S:
            self.clear()
            self._on_stopped()
        else:
            self._timer = self._loop.call_later(AGAIN_S, self._send_again)

    def _send_again(self) -> None:
        self._timer = None
        self._send()

    def _budget(self, now: float) -> int:
        """Return how many bytes the wire has space for now."""
        if self._pace is None:
            return PIECE
        most = self._pace * AHEAD_S
        grown = self._allowance + (now - self._allowed_s) * self._pace
        self._allowance, self._allowed_s = min(most, grown), now
        return int(self._allowance)
