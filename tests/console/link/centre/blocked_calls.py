"""Calls that wait for a jackpot's lock, which another connection holds."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.deadlines import DEADLINE_S

T = TypeVar("T")
WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"


@contextmanager
def delay_commit(role: str, postgres: PostgresCentre) -> Iterator[None]:
    """What this role calls is done, and not committed before the block ends."""
    with postgres.connect(role).transaction():
        yield


def start_blocked(
    threads: ThreadPoolExecutor, postgres: PostgresCentre, call: Callable[[], T]
) -> Future[T]:
    """Call in a thread; the call waits for the jackpot's lock."""
    future = threads.submit(call)
    deadline = time.monotonic() + DEADLINE_S
    while not postgres.one(WAITS):
        assert time.monotonic() < deadline, "nobody waits"
        assert not future.done(), "it did not wait"
    return future
