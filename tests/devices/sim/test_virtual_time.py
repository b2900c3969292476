"""Virtual time: the clock jumps, stands for outside work, and notices a wait without an end."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from devices.sim.virtual_time import VirtualLoop


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    loop = VirtualLoop(start=1000.0)
    yield loop
    loop.close()


def test_a_wait_of_an_hour_costs_nothing(loop: VirtualLoop) -> None:
    began = time.process_time()
    loop.run_until_complete(asyncio.sleep(3600))
    assert loop.time() == 4600.0
    assert time.process_time() - began < 0.5


def test_a_quiet_hour_of_twenty_thousand_callbacks_costs_under_a_second(loop: VirtualLoop) -> None:
    calls = 0

    def tick() -> None:
        nonlocal calls
        calls += 1
        loop.call_later(0.18, tick)

    loop.call_soon(tick)
    began = time.process_time()
    loop.run_for(3600)
    assert calls == 20_001
    assert loop.time() == 4600.0
    assert time.process_time() - began < 1.0


def test_sums_of_delays_meet_at_the_same_instant(loop: VirtualLoop) -> None:
    times: list[float] = []

    def tenth(left: int) -> None:
        times.append(loop.time())
        if left:
            loop.call_later(0.1, tenth, left - 1)

    tenth(100)
    loop.run_for(10.0)
    assert times == [round(1000 + n / 10, 6) for n in range(101)]


def test_timers_of_one_instant_come_in_the_order_in_which_they_were_set(loop: VirtualLoop) -> None:
    done: list[int] = []
    for number in range(50):
        loop.call_later(0.1 + 0.2 if number % 2 else 0.3, done.append, number)
        loop.call_later(1 + number % 7, done.append, -1)
    loop.run_for(0.5)
    assert done == list(range(50))


def test_what_is_due_at_the_end_is_done_with_all_that_follows_from_it(loop: VirtualLoop) -> None:
    done: list[str] = []

    def due() -> None:
        done.append("due")
        loop.call_soon(follows)

    def follows() -> None:
        done.append("follows")
        loop.call_soon(done.append, "and follows")

    loop.call_later(0.3, due)
    loop.call_later(0.300002, done.append, "too early")
    loop.run_for(0.1 + 0.1)
    assert done == []
    loop.run_for(0.1)
    assert done == ["due", "follows", "and follows"]


def test_a_wait_that_nothing_can_end_is_an_error(loop: VirtualLoop) -> None:
    with pytest.raises(RuntimeError, match="no timer is set"):
        loop.run_until_complete(loop.create_future())


def test_nothing_need_happen_while_time_passes(loop: VirtualLoop) -> None:
    loop.run_for(5)
    assert loop.time() == 1005.0


def test_the_clock_stands_while_another_thread_works(loop: VirtualLoop) -> None:
    seen: list[float] = []

    async def write() -> None:
        await loop.run_in_executor(None, threading.Event().wait, 0.02)
        seen.append(loop.time())

    loop.call_later(0.001, seen.append, -1.0)
    task = loop.create_task(write())
    loop.run_for(1)
    assert task.done()
    assert seen == [1000.0, -1.0]
    loop.run_until_complete(loop.shutdown_default_executor())


def test_announced_work_may_call_back_from_its_own_thread(loop: VirtualLoop) -> None:
    seen: list[float] = []
    release = threading.Event()

    def work() -> None:
        assert release.wait(60)
        loop.call_soon_threadsafe(finish)

    announced = loop.outside_work()

    def finish() -> None:
        announced.__exit__(None, None, None)
        seen.append(loop.time())

    announced.__enter__()
    thread = threading.Thread(target=work)
    thread.start()
    release.set()
    loop.run_for(1)
    thread.join(5)
    assert seen == [1000.0]


def test_what_a_callback_raises_does_not_pass_unseen(loop: VirtualLoop) -> None:
    nothing: dict[str, int] = {}
    loop.call_later(1, nothing.pop, "something")
    with pytest.raises(KeyError):
        loop.run_for(2)
    loop.run_for(2)
    assert loop.time() == 1004.0
