"""Users of a line, for the tests of lines and of what is sent over them."""

import asyncio
from collections.abc import Callable

DEADLINE_S = 60.0


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
