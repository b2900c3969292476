"""The event loop is woken from other threads, once for many, and never after the end."""

import asyncio
import threading

from devices.loop_wakeup import LoopWakeup


def test_a_thread_wakes_a_loop_that_sleeps() -> None:
    async def life() -> None:
        woken = asyncio.Event()
        wakeup = LoopWakeup(asyncio.get_running_loop(), woken.set)
        for _ in range(3):
            woken.clear()
            thread = threading.Thread(target=wakeup.wake)
            thread.start()
            await asyncio.wait_for(woken.wait(), 60)
            thread.join()
        wakeup.close()

    asyncio.run(life())


def test_what_wakes_it_before_it_runs_counts_once() -> None:
    async def life() -> None:
        calls: list[None] = []
        wakeup = LoopWakeup(asyncio.get_running_loop(), lambda: calls.append(None))
        threads = [threading.Thread(target=wakeup.wake) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wakeup.wake()  # on the loop's own thread
        while not calls:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert calls == [None]
        wakeup.close()

    asyncio.run(life())


def test_on_its_own_thread_the_loop_need_not_be_woken() -> None:
    async def life() -> None:
        calls: list[None] = []
        wakeup = LoopWakeup(asyncio.get_running_loop(), lambda: calls.append(None))
        wakeup.wake()
        assert calls == []
        await asyncio.sleep(0)
        assert calls == [None]
        wakeup.close()

    asyncio.run(life())


def test_closed_it_calls_no_more() -> None:
    async def life() -> None:
        calls: list[None] = []
        wakeup = LoopWakeup(asyncio.get_running_loop(), lambda: calls.append(None))
        thread = threading.Thread(target=wakeup.wake)
        thread.start()
        thread.join()
        wakeup.close()
        wakeup.close()
        wakeup.wake()
        await asyncio.sleep(0)
        assert calls == []

    asyncio.run(life())


def test_closed_after_its_loop_it_says_nothing() -> None:
    loop = asyncio.new_event_loop()
    wakeup = LoopWakeup(loop, lambda: None)
    loop.close()
    wakeup.close()
    wakeup.wake()
