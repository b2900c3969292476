"""A timer that follows the deadline of a driver's inputs."""

import asyncio
from collections.abc import Callable


class DeadlineTimer:
    """Calls `due` with the deadline that was given last, when it has come.

    The loop may call slightly before it, and late: what is due later has a deadline of its own.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, due: Callable[[float], None]) -> None:
        self._loop = loop
        self._due = due
        self._handle: asyncio.TimerHandle | None = None

    def follow(self, deadline: float | None) -> None:
        """Wait for this instant of the loop's clock, and no other; None: for nothing."""
        if self._handle is not None:
            if self._handle.when() == deadline:
                return
            self._handle.cancel()
            self._handle = None
        if deadline is not None:
            self._handle = self._loop.call_at(deadline, self._fire, deadline)

    def _fire(self, deadline: float) -> None:
        self._handle = None
        self._due(deadline)
