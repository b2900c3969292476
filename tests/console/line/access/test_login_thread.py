"""The login in a running service: PINs are tried beside the event loop, a few at a time."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

from console.line.access.login import QUEUED, LoginResult
from console.line.access.pins import Cost
from console.line.requests import NoCode
from console.service.disk_thread import DiskThread, DiskWriter
from tests.console.line.access.login_bench import PIN, WRONG, LoginBench, enrol
from tests.deadlines import DEADLINE_S

HOLD_MS = 5.0
"""The event loop is never held for longer by the line."""

PINS = 300
HOLDS_OF_THE_MACHINE = 3
"""Turns that garbage collection or a stolen processor may lengthen; a login would lengthen all."""


def slow_thread() -> Callable[[], DiskWriter]:
    loop = asyncio.get_running_loop()
    return lambda: DiskThread(loop, DEADLINE_S, "login")


async def entrance(bench: LoginBench, name: str, pin: str) -> LoginResult:
    heard: asyncio.Future[LoginResult] = asyncio.get_running_loop().create_future()
    bench.login.enter(name, pin, heard.set_result)
    return await asyncio.wait_for(heard, DEADLINE_S)


def test_the_thread_that_tries_pins_has_a_name_of_its_own(tmp_path: Path) -> None:
    async def life() -> None:
        bench = LoginBench(tmp_path, slow_thread())
        assert "login" in {thread.name for thread in threading.enumerate()}
        bench.login.close()

    asyncio.run(life())


def test_the_loop_goes_on_while_a_pin_is_tried(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna", cost=Cost(1 << 15, 8, 1))

    async def life() -> None:
        bench = LoginBench(tmp_path, slow_thread())
        trying = asyncio.ensure_future(entrance(bench, "anna", PIN))
        turns = 0
        while not trying.done():
            await asyncio.sleep(0)
            turns += 1
        assert (await trying).person is not None
        assert turns > 50
        bench.login.close()

    asyncio.run(life())


def test_hundreds_of_wrong_pins_never_hold_the_loop(tmp_path: Path) -> None:
    """The loop's own processor time for each turn, whatever else the machine does"""
    enrol(tmp_path / "people.toml", "anna", cost=Cost(1 << 10, 8, 1))

    async def life() -> None:
        bench = LoginBench(tmp_path, slow_thread())
        turns = []
        for number in range(PINS):
            name = "anna" if number % 2 else f"name-{number}"
            trying = asyncio.ensure_future(entrance(bench, name, WRONG))
            while not trying.done():
                began = time.thread_time()
                await asyncio.sleep(0)
                turns.append((time.thread_time() - began) * 1000)
            assert (await trying).refused in (NoCode.WRONG_PIN, NoCode.WAIT)
            bench.wait(1)
        assert sum(turn >= HOLD_MS for turn in turns) <= HOLDS_OF_THE_MACHINE
        bench.wait(900)
        assert (await entrance(bench, "anna", PIN)).person is not None
        bench.login.close()

    asyncio.run(life())


def test_few_pins_are_under_way_at_a_time_and_one_of_each_name(tmp_path: Path) -> None:
    """Else each connection would try a PIN before the first one is counted"""
    enrol(tmp_path / "people.toml", "anna", cost=Cost(1 << 13, 8, 1))

    async def life() -> None:
        bench = LoginBench(tmp_path, slow_thread())
        names = ["anna", "anna", *(f"name-{number}" for number in range(50))]
        results = await asyncio.gather(*(entrance(bench, name, WRONG) for name in names))
        tried = [one.name for one in results if one.refused == NoCode.WRONG_PIN]
        assert tried == names[1 : QUEUED + 1]
        waited = [one for one in results if one.refused == NoCode.WAIT]
        assert {(one.wait_s, one.recorded) for one in waited} == {(1, False)}
        assert (await entrance(bench, "anna", PIN)).person is not None
        bench.login.close()

    asyncio.run(life())


def test_closing_ends_the_thread(tmp_path: Path) -> None:
    enrol(tmp_path / "people.toml", "anna")

    async def life() -> None:
        bench = LoginBench(tmp_path, slow_thread())
        bench.login.enter("anna", PIN, lambda _: None)
        bench.login.close()
        assert "login" not in {thread.name for thread in threading.enumerate()}

    asyncio.run(life())
