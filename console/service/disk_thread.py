"""Disk work: in a thread beside the event loop, or at once on the loop."""

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
    """Does one piece of work after another and reports the result of each, once."""

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Do the work, then call `done` with its result or `failed` with the disk's error."""

    def close(self) -> None:
        """Finish what is under way, and do no more."""


class InlineDiskWriter:
    """Does the work at once: for virtual time, where a disk takes no time."""

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Do the work and report it before returning."""
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
        self._tasks: SimpleQueue[_DiskTask[Any] | None] = SimpleQueue()
        # A disk that hangs must not keep a process alive that wants to end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Queue the work; report it on the event loop, at the deadline at the latest."""
        task = _DiskTask(work, done, failed)
        task.timer = self._loop.call_later(self._deadline, self._give_up, task)
        self._tasks.put(task)

    def close(self) -> None:
        """Finish what is under way, within the deadline. Raises TimeoutError past it."""
        self._tasks.put(None)
        self._thread.join(self._deadline)
        if self._thread.is_alive():
            raise TimeoutError(self._silent)

    @property
    def _silent(self) -> str:
        return f"the disk has not answered for {self._deadline} s"

    def _give_up(self, task: "_DiskTask[Any]") -> None:
        task.timer = None
        task.failed(LedgerUnavailable(self._silent))

    def _run(self) -> None:
        for task in iter(self._tasks.get, None):
            with task:
                task.result = task.work()
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(task.report)


class _DiskTask(Generic[T]):
    """One piece of work and its result. As a context it keeps what the work raises."""

    __slots__ = ("_done", "_error", "failed", "result", "timer", "work")

    def __init__(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        self.work = work
        self.failed = failed
        self.result: T
        self.timer: asyncio.TimerHandle | None = None  # None: reported, or given up
        self._done = done
        self._error: BaseException | None = None

    def __enter__(self) -> None:
        """The thread begins the work."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Keep the exception for the event loop; the thread continues."""
        self._error = error
        return True

    def report(self) -> None:
        """Report the result, on the event loop. Raises what is not a disk's error."""
        if self.timer is None:
            return  # too late: it has been given up
        self.timer.cancel()
        if self._error is None:
            self._done(self.result)
        elif isinstance(self._error, DISK_ERRORS):
            self.failed(self._error)
        else:
            raise self._error
