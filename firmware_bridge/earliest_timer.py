"""One timer for many deadlines: it fires at the earliest; its owner then checks what is due."""

import asyncio
from collections.abc import Callable

from firmware_bridge.repetition import later


class EarliestTimer:
    """Calls `due` once, at the earliest of the requested times since it last fired."""

    __slots__ = ("_at", "_due", "_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, due: Callable[[], None]) -> None:
        self._loop = loop
        self._due = due
        self._handle: asyncio.TimerHandle | None = None
        self._at = 0.0

    def wake_at(self, when: float) -> None:
        """Fire at this time of the loop's clock, or earlier."""
        if self._handle is not None:
            if self._at <= when:
                return
            self._handle.cancel()
        self._set(when)

    def put_off(self, when: float) -> None:
        """Fire at this time; nothing is due before, whatever was requested."""
        if self._handle is not None:
            self._handle.cancel()
        self._set(when)

    def cancel(self) -> None:
        """Forget all requested times."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    @property
    def handles(self) -> tuple[asyncio.TimerHandle, ...]:
        """What it waits for: one timer, or nothing."""
        return () if self._handle is None else (self._handle,)

    def pass_over(self, us: int) -> None:
        """Fire later by so many microseconds."""
        if self._handle is not None:
            when = later(self._handle.when(), us)
            self._handle.cancel()
            self._set(when)

    def _set(self, when: float) -> None:
        self._at, self._handle = when, self._loop.call_at(when, self._fire)

    def _fire(self) -> None:
        self._handle = None
        self._due()
