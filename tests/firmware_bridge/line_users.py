"""Users of a line, and the other end of a pseudo-terminal, for the tests of lines."""

import asyncio
from collections.abc import Callable

from tests.deadlines import DEADLINE_S


class IgnoringUser:
    """Keeps a line open, and does nothing with it."""

    def line_up(self) -> None: ...

    def line_received(self, data: bytes) -> None: ...

    def line_down(self, why: str) -> None: ...


class RecordingUser:
    """Writes down what the line reports; every report wakes whoever waits."""

    def __init__(self) -> None:
        self.reports: list[str] = []
        self.data = b""
        self._news = asyncio.Event()

    def line_up(self) -> None:
        self.reports.append("up")
        self._news.set()

    def line_received(self, data: bytes) -> None:
        self.data += data
        self._news.set()

    def line_down(self, why: str) -> None:
        self.reports.append(f"down: {why}")
        self._news.set()

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not ready():
                self._news.clear()
                await self._news.wait()


async def wait_until_readable(descriptor: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await asyncio.wait_for(ready.wait(), DEADLINE_S)
    finally:
        loop.remove_reader(descriptor)
