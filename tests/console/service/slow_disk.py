"""A disk whose syncs stall, in virtual time: what its two threads do, without threads."""

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TypeVar

from console.service.disk_thread import DEADLINE_S, DiskWriter, InlineDiskWriter
from console.simulation.cabinet import VirtualLoop
from jackpot.failures import LedgerUnavailable
from tests.console.service.test_table_service import table_with
from tests.console.table import Table

T = TypeVar("T")


class SlowDiskWriter:
    """As `DiskThread`: one piece of work after another, each given up at the deadline.

    `stalls`: how many seconds each of the next ones takes; those after them take none.
    """

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.stalls: deque[float] = deque()
        self._loop = loop
        self._inline = InlineDiskWriter()
        self._queue: deque[Callable[[], None]] = deque()
        self._under_way: TimerHandle | None = None

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        timer: TimerHandle | None = None

        def give_up() -> None:
            nonlocal timer
            timer = None
            failed(LedgerUnavailable("the disk has not answered"))

        def in_time(tell: Callable[[], None]) -> None:
            if timer is not None:
                timer.cancel()
                tell()

        timer = self._loop.call_later(DEADLINE_S, give_up)
        self._queue.append(
            lambda: self._inline.do(
                work,
                lambda result: in_time(lambda: done(result)),
                lambda error: in_time(lambda: failed(error)),
            )
        )
        self._go_on()

    def close(self) -> None:
        """The power goes: what was under way never reaches the disk."""
        self._queue.clear()
        if self._under_way is not None:
            self._under_way.cancel()
            self._under_way = None

    def _go_on(self) -> None:
        while self._queue and self._under_way is None:
            work = self._queue.popleft()
            stall = self.stalls.popleft() if self.stalls else 0.0
            if stall:
                self._under_way = self._loop.call_later(stall, self._finish, work)
            else:
                work()

    def _finish(self, work: Callable[[], None]) -> None:
        work()
        self._under_way = None
        self._go_on()


@dataclass(frozen=True, slots=True)
class SlowTable:
    """A table, and the threads of its disk."""

    table: Table
    loop: VirtualLoop
    ledger: SlowDiskWriter
    lock: SlowDiskWriter


@contextmanager
def slow_table(folder: Path) -> Iterator[SlowTable]:
    loop = VirtualLoop()
    ledger, lock = SlowDiskWriter(loop), SlowDiskWriter(loop)
    with table_with(folder, slow_disk_writers(ledger, lock), loop=loop) as table:
        yield SlowTable(table, loop, ledger, lock)


def slow_disk_writers(ledger: DiskWriter, lock: DiskWriter) -> Callable[[], DiskWriter]:
    """A machine asks for the ledger's first, then for the lock's, at every start."""
    scribes = cycle((ledger, lock))
    return lambda: next(scribes)
