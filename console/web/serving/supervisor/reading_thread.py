"""Reads the ledger for the supervisor's page in one thread, one question after another.

The event loop never reads it. Each question has a deadline and a limit of records. Few may wait,
and a page that is refused asks again.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from jackpot.failures import Unavailable

Result = TypeVar("Result")

READ_WITHIN_S = 15.0
WAITING = 6
"""Questions that may wait or be under way."""

MOST_RECORDS = 20_000
"""The most records that are read for one answer."""


class Limit:
    """How much one answer may still read."""

    def __init__(self, records: int = MOST_RECORDS) -> None:
        self.left = records
        self._given_up = False

    def step(self) -> None:
        """Count one record. Raises Unavailable when nobody waits for the rest."""
        self.left -= 1
        if self._given_up:
            raise Unavailable

    def give_up(self) -> None:
        """The next step is the last."""
        self._given_up = True


class ReadingThread:
    """Reads one table's ledger in a separate thread."""

    def __init__(self, folder: Path, within_s: float = READ_WITHIN_S) -> None:
        self.folder = folder
        self._within_s = within_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._asked = 0

    async def ask(self, work: Callable[[Path, Limit], Result]) -> Result:
        """Do the work in the thread; its result.

        Raises what the work raises, and TimeoutError if too many have asked or the disk is slow:
        asked later it may be answered.
        """
        if self._asked >= WAITING:
            raise TimeoutError("too many questions at a time")
        limit = Limit()
        self._asked += 1
        under_way = self._thread.submit(work, self.folder, limit)
        try:
            async with asyncio.timeout(self._within_s):
                return await asyncio.wrap_future(under_way)
        finally:
            limit.give_up()
            self._asked -= 1

    def close(self) -> None:
        """Read no more; a reading under way ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)
