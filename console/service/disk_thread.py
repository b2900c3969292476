"""Who does the disk's work: one thread beside the event loop, or the loop itself."""

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from jackpot.failures import IdentityConflict, LedgerCorrupt, LedgerUnavailable

T = TypeVar("T")
DISK_ERRORS = (LedgerUnavailable, LedgerCorrupt, IdentityConflict, OSError)

DEADLINE_S = 5.0
"""Disk work that takes longer than this counts as failed; its outcome is not known."""


class DiskWriter(Protocol):
    """Does one piece of work after another and tells what came of each, once."""

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Do the work; then `done` with its result or `failed` with a disk's error."""

    def close(self) -> None:
        """Finish what is under way, and do no more."""


class InlineDiskWriter:
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


class DiskThread:
    """Does the work in its one thread, so that a slow disk never holds the event loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        deadline: float = DEADLINE_S,
        name: str = "ledger",
    ) -> None:
        """`name` is what its thread is called."""
        self._loop = loop
        self._deadline = deadline
        self._errands: SimpleQueue[_Errand[Any] | None] = SimpleQueue()
        # A disk that hangs must not keep a process alive that wants to end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Queue the work; tell on the event loop, at the deadline at the latest."""
        errand = _Errand(work, done, failed)
        errand.timer = self._loop.call_later(self._deadline, self._give_up, errand)
        self._errands.put(errand)

    def close(self) -> None:
        """Finish what is under way, within the deadline. Raises TimeoutError past it."""
        self._errands.put(None)
        self._thread.join(self._deadline)
        if self._thread.is_alive():
            raise TimeoutError(self._silent)

    @property
    def _silent(self) -> str:
        return f"the disk has not answered for {self._deadline} s"

    def _give_up(self, errand: "_Errand[Any]") -> None:
        errand.timer = None
        errand.failed(LedgerUnavailable(self._silent))

    def _run(self) -> None:
        for errand in iter(self._errands.get, None):
            with errand:
                errand.result = errand.work()
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(errand.tell)


class _Errand(Generic[T]):
    """One piece of work and what came of it. As a context it keeps what the work raises.

    `timer` runs until it has been told, or taken for failed.
    """

    __slots__ = ("_done", "_error", "failed", "result", "timer", "work")

    def __init__(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        self.work = work
        self.failed = failed
        self.result: T
        self.timer: asyncio.TimerHandle | None = None
        self._done = done
        self._error: BaseException | None = None

    def __enter__(self) -> None:
        """The thread begins it."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Whatever was raised is the event loop's to hear of: the thread goes on."""
        self._error = error
        return True

    def tell(self) -> None:
        """Tell what came of it, on the event loop. Raises what is no disk's error."""
        if self.timer is None:
            return  # too late: it has been taken for failed
        self.timer.cancel()
        if self._error is None:
            self._done(self.result)
        elif isinstance(self._error, DISK_ERRORS):
            self.failed(self._error)
        else:
            raise self._error
