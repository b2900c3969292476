"""The disk's thread: one errand after another, and each is told of once, on the event loop."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from console.service.disk_thread import MOST_QUEUED, DiskThread
from jackpot.failures import LedgerUnavailable

LONG_S = 60.0


def unreachable(_: object) -> None:
    raise AssertionError("this must not be told")


async def wait_for_answer(ask: Callable[[Callable[[Any], None]], None]) -> Any:
    """What `ask` is told, asked with whom to tell."""
    answer = asyncio.get_running_loop().create_future()
    ask(answer.set_result)
    return await asyncio.wait_for(answer, LONG_S)


def raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


def test_what_was_done_and_how_the_disk_failed_is_told_on_the_loop() -> None:
    async def life() -> None:
        disk_writer = DiskThread(asyncio.get_running_loop())
        ours = threading.get_ident()
        theirs = await wait_for_answer(
            lambda tell: disk_writer.do(threading.get_ident, tell, unreachable)
        )
        assert theirs != ours
        full = OSError("disk full")
        assert (
            await wait_for_answer(lambda tell: disk_writer.do(raising(full), unreachable, tell))
            is full
        )
        disk_writer.close()

    asyncio.run(life())


def test_what_is_no_failure_of_the_disk_is_raised_on_the_loop_and_the_thread_goes_on() -> None:
    async def life() -> None:
        loop = asyncio.get_running_loop()
        heard: list[Any] = []
        loop.set_exception_handler(lambda _, context: heard.append(context["exception"]))
        disk_writer = DiskThread(loop)
        mistake = KeyError("a mistake of ours")
        disk_writer.do(raising(mistake), unreachable, unreachable)
        assert await wait_for_answer(lambda tell: disk_writer.do(lambda: 7, tell, unreachable)) == 7
        assert heard == [mistake]
        disk_writer.close()

    asyncio.run(life())


def test_work_past_its_deadline_has_failed_and_is_not_told_again() -> None:
    async def life() -> None:
        loop = asyncio.get_running_loop()
        heard: list[Any] = []
        loop.set_exception_handler(lambda _, context: heard.append(context["exception"]))
        disk_writer = DiskThread(loop, deadline=0.02)
        hang = threading.Event()
        late = await wait_for_answer(
            lambda tell: disk_writer.do(lambda: hang.wait(LONG_S), unreachable, tell)
        )
        assert isinstance(late, LedgerUnavailable)
        with pytest.raises(TimeoutError, match=r"has not answered for 0\.02 s"):
            disk_writer.close()
        hang.set()
        disk_writer.close()
        await asyncio.sleep(0)  # the answer that comes too late has its turn
        assert heard == []

    asyncio.run(life())


def test_a_disk_that_hangs_has_a_bounded_queue_and_refuses_at_once_what_is_beyond() -> None:
    async def life() -> None:
        disk_writer = DiskThread(asyncio.get_running_loop(), deadline=LONG_S)
        hangs, goes_on = threading.Event(), threading.Event()
        written: list[int] = []

        def hang() -> bool:
            hangs.set()
            return goes_on.wait(LONG_S)

        disk_writer.do(hang, lambda _: None, unreachable)
        assert hangs.wait(LONG_S)
        for number in range(MOST_QUEUED):
            disk_writer.do(partial(written.append, number), lambda _: None, unreachable)
        refused = await wait_for_answer(
            lambda tell: disk_writer.do(partial(written.append, -1), unreachable, tell)
        )
        assert isinstance(refused, LedgerUnavailable)
        assert str(refused) == f"{MOST_QUEUED} pieces of work wait for the disk; not done"
        goes_on.set()
        disk_writer.close()
        assert written == list(range(MOST_QUEUED))

    asyncio.run(life())


def test_closing_finishes_what_is_under_way() -> None:
    async def life() -> None:
        disk_writer = DiskThread(asyncio.get_running_loop())
        written: list[int] = []
        for number in range(50):
            disk_writer.do(partial(written.append, number), lambda _: None, unreachable)
        disk_writer.close()
        assert written == list(range(50))

    asyncio.run(life())
