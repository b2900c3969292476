"""The pages' process beside the service: whatever becomes of it, the table plays on."""

import asyncio
import os
import re
import signal
import socket
from contextlib import ExitStack
from pathlib import Path

from aiohttp import ClientSession, WSMsgType

from tests.console.running_table import RunningTable, running
from tests.console.web.browsing import (
    Pages,
    is_gone,
    pages_of,
)
from tests.deadlines import DEADLINE_S


def log_of(table: RunningTable) -> str:
    """What it has written so far."""
    return table.complaints.read_text("utf-8")


async def process_other_than(pages: Pages, pid: int) -> int:
    """The number of the process that has come after it."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            try:
                found = pages.process
            except AssertionError:
                found = pid
            if found != pid:
                return found
            await asyncio.sleep(0.05)


def test_a_process_that_is_killed_comes_back_at_the_same_address(tmp_path: Path) -> None:
    async def night() -> str:
        async with pages_of(tmp_path) as pages:
            async with pages.looking() as cabinet:
                await cabinet.do("press GAME_OVER", "token 5")
                pid = pages.process
                os.kill(pid, signal.SIGKILL)
                assert (await pages.table.do("token 6"))["slots"]["6"] == "ON"
            await process_other_than(pages, pid)
            async with pages.looking() as cabinet:
                await cabinet.wait_for_snapshot(phase="BETTING")
                assert cabinet.newest["snapshot"]["cabinet"]["tokens"] == [5, 6]
                assert (await cabinet.do("press COIN_IN"))["refused"] is None
            return await pages.table.until_complained("tried again in 1 s")

    log = asyncio.run(night())
    assert "ERROR console.simulation.pages: the pages are not served: their process has" in log
    assert "tried again in 1 s" in log


def test_a_process_that_takes_nothing_costs_nothing_and_is_told_the_newest(tmp_path: Path) -> None:
    async def night() -> None:
        async with pages_of(tmp_path) as pages, pages.looking("sign") as sign:
            pid = pages.process
            os.kill(pid, signal.SIGSTOP)
            for number in range(60):  # far more than a pipe holds
                token = f"token {1 + number % 7}"  # a sensor that moves so often is unsteady
                await pages.table.do("press GAME_OVER", token, "press COIN_IN")
            amount = (await pages.table.until(lambda seen: seen["phase"] == "PLAYING"))["jackpot"]
            os.kill(pid, signal.SIGCONT)
            await sign.until(lambda message: message.get("amount") == amount)
            jackpots = [one for one in sign.messages if one["kind"] == "jackpot"]
            assert len(jackpots) < 180
            assert pages.process == pid

    asyncio.run(night())


def test_a_service_that_stands_still_is_lost_and_found_again(tmp_path: Path) -> None:
    async def night() -> None:
        async with (
            pages_of(tmp_path) as pages,
            pages.looking() as cabinet,
            pages.looking("sign") as sign,
        ):
            await cabinet.do("press GAME_OVER")
            pages.table.signal(signal.SIGSTOP)
            number = await cabinet.ask("nonsense")
            for looking in (cabinet, sign):
                await looking.until(lambda message: message["kind"] == "lost")
            assert "the table does not answer" in (await cabinet.answer_to(number))["why"]
            async with pages.looking("sign") as newcomer:
                await newcomer.until(lambda message: message["kind"] == "lost")
            pages.table.signal(signal.SIGCONT)
            await cabinet.until(lambda message: message["kind"] == "snapshot")
            await sign.until(lambda message: message["kind"] == "jackpot")
            async with pages.looking("sign") as newcomer:
                await newcomer.until(lambda message: message["kind"] == "heartbeat")
                assert "lost" not in newcomer.newest

    asyncio.run(night())


def test_a_service_that_is_killed_takes_its_pages_with_it(tmp_path: Path) -> None:
    async def night() -> None:
        async with pages_of(tmp_path) as pages, pages.looking() as cabinet:
            pid = pages.process
            await pages.table.kill()
            async with asyncio.timeout(DEADLINE_S):
                while not is_gone(pid):
                    await asyncio.sleep(0.05)
                message = await cabinet.socket.receive()
                while message.type is WSMsgType.TEXT:
                    message = await cabinet.socket.receive()
            assert message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED)

    asyncio.run(night())


def test_a_table_that_ends_leaves_no_process(tmp_path: Path) -> None:
    async def night() -> None:
        async with pages_of(tmp_path) as pages:
            await pages.wait_until_served()
            pid = pages.process
            pages.table.say("quit")
            async with asyncio.timeout(DEADLINE_S):
                assert await pages.table.process.wait() == 0
            assert is_gone(pid)

    asyncio.run(night())


def test_a_port_that_is_taken_is_told_and_tried_again(tmp_path: Path) -> None:
    async def night() -> str:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            web = f"127.0.0.1:{port}"
            environment = {"XDG_STATE_HOME": str(tmp_path)}
            async with (
                running(tmp_path, "--sim", "--web", web, environment=environment) as table,
                ClientSession() as browser,
            ):
                pages = Pages(table, port, browser)
                assert (await table.do("press GAME_OVER"))["phase"] == "BETTING"
                log = await table.until_complained("tried again in 2 s")
                taken.close()
                async with pages.looking() as cabinet:
                    await cabinet.wait_for_snapshot(phase="BETTING")
                return log

    log = asyncio.run(night())
    assert "another program uses 127.0.0.1 port" in log
    assert log.index("tried again in 1 s") < log.index("tried again in 2 s")


def test_where_no_place_is_named_the_next_free_port_is_taken(tmp_path: Path) -> None:
    async def url(folder: Path) -> str:
        environment = {"XDG_STATE_HOME": str(folder)}
        async with running(folder, "--sim", "--web", environment=environment) as table:
            async with asyncio.timeout(DEADLINE_S):
                while not (found := re.search(r"the table's page: (\S+)", log_of(table))):
                    await asyncio.sleep(0.05)
            async with ClientSession() as browser, browser.get(found[1]) as answer:
                assert answer.status == 200
            return found[1]

    with ExitStack() as stack:
        try:
            stack.enter_context(socket.create_server(("127.0.0.1", 8080)))
        except OSError:  # somebody has it already
            stack.close()
        port = int(asyncio.run(url(tmp_path)).rstrip("/").rpartition(":")[2])
    assert 8080 < port <= 8099
