"""Who does the disk's work: one thread beside the event loop, or the loop itself."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from jackpot.failures import IdentityConflict, LedgerCorrupt, LedgerUnavailable

T = TypeVar("T")
DISK_ERRORS = (LedgerUnavailable, LedgerCorrupt, IdentityConflict, OSError)

DEADLINE_S = 5.0
"""Disk work that takes longer than this counts as failed; its outcome is not known."""


class Scribe(Protocol):
    """Does one piece of work after another and tells what came of each, once."""

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Do the work; then `done` with its result or `failed` with a disk's error."""

    def close(self) -> None:
        """Finish what is under way, and do no more."""


class InlineScribe:
    """Does the work at once. For virtual time, where a disk takes none."""

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Do the work and tell before returning."""
        try:
            result = work()
        except DISK_ERRORS as error:
            failed(error)
        else:
            done(result)

    def close(self) -> None:
        """Nothing is ever under way."""


class ThreadScribe:
    """Does the work in its one thread, so that a slow disk never holds the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deadline: float = DEADLINE_S) -> None:
        self._loop = loop
        self._deadline = deadline
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Queue the work; tell on the event loop, at the deadline at the latest."""
        told = False

        def tell(future: "Future[T]") -> None:
            nonlocal told
            if told:
                return  # too late: it has been taken for failed
            told = True
            timer.cancel()
            error = future.exception()
            if error is None:
                done(future.result())
            elif isinstance(error, DISK_ERRORS):
                failed(error)
            else:
                raise error

        def give_up() -> None:
            nonlocal told
            told = True
            failed(LedgerUnavailable(f"the disk has not answered for {self._deadline} s"))

        timer = self._loop.call_later(self._deadline, give_up)
        pending = self._thread.submit(work)
        pending.add_done_callback(lambda future: self._hand_over(tell, future))

    def _hand_over(self, tell: "Callable[[Future[T]], None]", future: "Future[T]") -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(tell, future)

    def close(self) -> None:
        """Finish what is under way, within the deadline. Raises TimeoutError past it."""
        self._thread.submit(lambda: None).result(self._deadline)
        self._thread.shutdown(wait=False)
