"""A pages' process that lives, but reads nothing; one that says more than may be answered."""

import asyncio
import os
import signal
from pathlib import Path
from threading import Event

import pytest

from console import child_process
from console.simulation.pages import PageActs
from console.simulation.scenario.acts import Vocabulary
from console.web.messages import LONGEST_MESSAGE, ActAnswer, ActRequest, Heartbeat, encode_message
from tests.console.table import table_in
from tests.console.web.browsing import (
    is_gone,
    pages_of,
)
from tests.console.web.served_pages import serve_pages
from tests.deadlines import DEADLINE_S

SHORT_S = 2.0
OFTEN_S = 0.5


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that reads nothing counts as stuck after `SHORT_S`."""
    monkeypatch.setattr(child_process, "STUCK_AFTER_S", SHORT_S)
    monkeypatch.setattr(child_process, "CHECK_EVERY_S", OFTEN_S)


@pytest.mark.usefixtures("short_waits")
def test_a_process_that_reads_nothing_is_started_anew_though_little_is_told(tmp_path: Path) -> None:
    """Of a table at rest an hour's beats would lie in the pipe before it is full"""

    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            first = pages.process.pid
            assert first is not None
            os.kill(first, signal.SIGSTOP)
            async with asyncio.timeout(DEADLINE_S):
                while pages.process.pid in (first, None):
                    pages.process.send(Heartbeat())
                    await asyncio.sleep(0.1)
            assert is_gone(first)
            await pages.wait_until_served()

    asyncio.run(ask())


@pytest.mark.usefixtures("short_waits")
def test_a_process_that_reads_stays_however_much_is_told(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            first = pages.process.pid
            ends = asyncio.get_running_loop().time() + 2 * SHORT_S
            while asyncio.get_running_loop().time() < ends:
                pages.process.send(Heartbeat())
                await asyncio.sleep(0.001)
            assert pages.process.pid == first

    asyncio.run(ask())


@pytest.mark.usefixtures("short_waits")
def test_a_service_that_was_held_does_not_blame_the_process(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            first = pages.process.pid
            assert first is not None
            os.kill(first, signal.SIGSTOP)
            pages.process.send(Heartbeat())
            Event().wait(2 * SHORT_S)  # the event loop is held: no check is made meanwhile
            await asyncio.sleep(OFTEN_S)
            os.kill(first, signal.SIGCONT)
            await pages.wait_until_served()
            assert pages.process.pid == first

    asyncio.run(ask())


def test_whatever_a_deed_says_it_can_be_answered(tmp_path: Path) -> None:
    """Garbage from a simulation's pages must not stop the simulation"""
    answers: list[ActAnswer] = []
    line = "\x01" * ((LONGEST_MESSAGE - 100) // 6)  # six bytes each, as JSON
    encode_message(ActRequest(1, line))

    with table_in(tmp_path, "game caribbean-stud") as table:
        vocabulary = Vocabulary.of(table.machine.plan.game)
        acts = PageActs(table.machine.loop, table.simulated_table, vocabulary, answers.append)
        acts.handle(ActRequest(1, line))
    (answer,) = answers
    assert "at most 256 characters" in answer.why
    assert len(encode_message(answer)) < LONGEST_MESSAGE // 10


def test_a_sign_does_not_invite_to_a_table_without_power(tmp_path: Path) -> None:
    async def night() -> None:
        async with (
            pages_of(tmp_path) as pages,
            pages.looking() as cabinet,
            pages.looking("sign") as sign,
        ):
            await cabinet.do("press GAME_OVER")
            await sign.until(lambda message: message.get("phase") == "BETTING")
            await cabinet.do("power off")
            dark = await sign.until(lambda message: message["kind"] == "jackpot")
            assert dark["phase"] == "SERVICE"
            await cabinet.do("power on")
            await sign.until(lambda message: message.get("phase") == "BETTING")

    asyncio.run(night())
