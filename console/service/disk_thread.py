"""Disk work: in a thread beside the event loop, or at once on the loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from devices.loop_wakeup import LoopWakeup
from jackpot.failures import Failure, LedgerUnavailable

T = TypeVar("T")
DISK_ERRORS = (Failure, OSError)

DEADLINE_S = 5.0
"""Disk work that takes longer than this counts as failed; its outcome is not known."""

MOST_QUEUED = 256
"""The most work that one thread has before it; more is refused. Few callers have more than one."""


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
        self._waiting: deque[_DiskTask[Any]] = deque()  # neither reported nor given up
        self._finished: deque[_DiskTask[Any]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._wakeup = LoopWakeup(loop, self._report_finished)
        # A disk that hangs must not keep a process alive that wants to end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        """Queue the work; report it on the event loop, at the deadline at the latest.

        While a disk hangs the queue would grow: work beyond `MOST_QUEUED` fails, and is not done.
        """
        if self._tasks.qsize() >= MOST_QUEUED:
            full = LedgerUnavailable(f"{MOST_QUEUED} pieces of work wait for the disk; not done")
            self._loop.call_soon(failed, full)
            return
        task = _DiskTask(work, done, failed, self._loop.time() + self._deadline)
        self._waiting.append(task)
        self._tasks.put(task)
        if self._timer is None:
            self._timer = self._loop.call_at(task.due, self._give_up_due)

    def close(self) -> None:
        """Finish what is under way, within the deadline. Raises TimeoutError past it."""
        if self._timer is not None:
            self._timer.cancel()
        self._tasks.put(None)
        self._thread.join(self._deadline)
        self._wakeup.close()
        if self._thread.is_alive():
            raise TimeoutError(self._silent)

    @property
    def _silent(self) -> str:
        return f"the disk has not answered for {self._deadline} s"

    def _give_up_due(self) -> None:
        """Fail what is past its deadline, then wait for the next deadline.

        The timer is not cancelled with each piece of work: it fires once a deadline at most.
        """
        now = self._loop.time()
        while self._waiting and self._waiting[0].due <= now:
            self._loop.call_soon(self._waiting.popleft().failed, LedgerUnavailable(self._silent))
        self._timer = None
        if self._waiting:
            self._timer = self._loop.call_at(self._waiting[0].due, self._give_up_due)

    def _report_finished(self) -> None:
        """Report the oldest result, on the event loop. Raises what is not a disk's error."""
        if not self._finished:
            return
        task = self._finished.popleft()
        if self._finished:
            self._loop.call_soon(self._report_finished)  # also if this report raises
        if self._waiting and self._waiting[0] is task:  # else it has been given up
            self._waiting.popleft()
            if task.error is None:
                task.done(task.result)
            elif isinstance(task.error, DISK_ERRORS):
                task.failed(task.error)
            else:
                raise task.error

    def _run(self) -> None:
        for task in iter(self._tasks.get, None):
            with task:
                task.result = task.work()
            self._finished.append(task)
            self._wakeup.wake()


class _DiskTask(Generic[T]):
    """One piece of work and its result. As a context it keeps what the work raises."""

    __slots__ = ("done", "due", "error", "failed", "result", "work")

    def __init__(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[Exception], None],
        due: float,
    ) -> None:
        self.work = work
        self.failed = failed
        self.due = due  # when it is given up, on the loop's clock
        self.result: T
        self.done = done
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        """The thread begins the work."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Keep the exception for the event loop; the thread continues."""
        self.error = error
        return True
