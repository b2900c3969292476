"""A table played on its page: acts by the socket, and what everybody sees of them."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.simulation.scenario.simulated_table import SimulatedTable
from tests.console.running_table import Seen
from tests.console.web.browsing import (
    pages_of,
)
from tests.deadlines import DEADLINE_S

pytestmark = pytest.mark.sampled(of=2)

ROUND = (
    "press GAME_OVER",
    "token 1 3",
    "press COIN_IN",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "key R",
    "press GAME_OVER",
)


def test_a_round_is_played_on_the_page_and_seen_everywhere(tmp_path: Path) -> None:
    async def night() -> None:
        async with (
            pages_of(tmp_path) as pages,
            pages.looking() as cabinet,
            pages.looking("sign") as sign,
        ):
            first = await cabinet.hear()
            assert (first["kind"], first["simulated"]) == ("table", True)
            assert first["texts"]["it"]["combinations"]["FLUSH"] == "COLORE"
            refusals = first["texts"]["en"]["refusals"]
            assert refusals["WRONG_KEY"] == "the key is not where this combination needs it"
            await cabinet.do(*ROUND[:2])
            betting = await cabinet.wait_for_snapshot(
                slots=dict.fromkeys("1234567", "INVITE") | ON_1_3
            )
            assert betting["cabinet"]["tokens"] == [1, 3]
            await cabinet.do(ROUND[2])
            playing = await cabinet.wait_for_snapshot(phase="PLAYING", jackpot="10002.80")
            assert playing["seen"]["seats"] == ON_1_3
            assert playing["cabinet"]["tray"] == 2
            await cabinet.do(*ROUND[3:6])
            pending = await sign.until(lambda message: bool(message.get("award")))
            flush = {"combination": "FLUSH", "winners": 1, "each": "100.02"}
            assert pending["award"] == flush
            await cabinet.do(*ROUND[6:])
            await cabinet.wait_for_snapshot(phase="BETTING", paid="100.02", jackpot="9902.78")
            assert (await pages.table.do("wait 10ms"))["jackpot"] == "9902.78"

    asyncio.run(night())


ON_1_3 = {"1": "ON", "3": "ON"}
ON_1_2_3 = ON_1_3 | {"2": "ON"}


def test_the_sign_is_told_nothing_but_what_players_may_see(tmp_path: Path) -> None:
    async def night() -> set[str]:
        async with pages_of(tmp_path) as pages, pages.looking("sign") as sign:
            async with pages.looking() as cabinet:
                await cabinet.do(*ROUND)
            await sign.until(lambda message: message.get("amount") == "9902.78")
            assert set(sign.newest["table"]) == {
                *("kind", "table", "game", "language", "simulated", "shoe"),
                *("combinations", "texts", "currency", "limit"),
                *("ladder", "symbol", "languages", "messages", "facts", "sound"),
            }
            return set(sign.newest)

    assert asyncio.run(night()) <= {"table", "jackpot", "wins", "heartbeat"}


def test_what_cannot_be_understood_and_what_is_refused_are_answered(tmp_path: Path) -> None:
    async def night() -> None:
        async with pages_of(tmp_path) as pages, pages.looking() as cabinet:
            answer = await cabinet.do("press COIN_IN")
            assert (answer["refused"], answer["why"]) == ("NOT_OPEN", "")
            for line, why in {
                "press TROMBONE": "a button of caribbean-stud is one of",
                "expect phase BETTING": "no act 'expect'",
                "set token 3.00": "settings come before the first act",
                "": "there is nothing to do",
                "token " + "1 " * 200: "at most 256 characters",
            }.items():
                answer = await cabinet.do(line)
                assert answer["refused"] is None
                assert why in answer["why"], line

    asyncio.run(night())


def test_who_waits_holds_nobody_up_and_two_browsers_take_turns(tmp_path: Path) -> None:
    async def night() -> None:
        async with (
            pages_of(tmp_path) as pages,
            pages.looking() as one,
            pages.looking() as other,
        ):
            await one.ask("wait 1h")
            pages.table.say("wait 1h")
            await other.do("press GAME_OVER")
            first, second = await one.ask("token 1 2"), await other.ask("token 3")
            await one.answer_to(first)
            await other.answer_to(second)
            await one.wait_for_snapshot(
                phase="BETTING", slots=dict.fromkeys("4567", "INVITE") | ON_1_2_3
            )

    asyncio.run(night())


def test_a_browser_that_asks_too_much_is_told_so_and_the_table_plays_on(tmp_path: Path) -> None:
    async def night() -> None:
        async with pages_of(tmp_path) as pages, pages.looking() as cabinet:
            asked = {await cabinet.ask("inspector here") for _ in range(50)}
            answers = [
                await cabinet.until(lambda message: message["kind"] == "answered") for _ in asked
            ]
            assert {answer["to"] for answer in answers} == asked
            refused = [one for one in answers if "at most 20 acts a second" in one["why"]]
            assert len(refused) > 10
            assert (await pages.table.do("press GAME_OVER", "wait 1s"))["phase"] == "BETTING"

    asyncio.run(night())


def test_what_was_done_on_the_page_is_played_again_as_a_scenario(tmp_path: Path) -> None:
    async def night() -> tuple[str, Seen]:
        async with pages_of(tmp_path) as pages, pages.looking() as cabinet:
            await cabinet.do("PRESS   game_over", "press TROMBONE", *ROUND[1:3])
            await cabinet.wait_for_snapshot(phase="PLAYING")  # on a slow machine tokens drop late
            await cabinet.do(*ROUND[3:])
            await cabinet.wait_for_snapshot(phase="BETTING", paid="100.02")
            for seat in "25":
                await cabinet.do(f"token {seat}", f"jam {seat}", "press COIN_IN")
                await cabinet.wait_for_snapshot(faults=["TOKEN_STUCK"])  # which takes two seconds
                await cabinet.do("wait 1s")  # on a slow machine an answer takes part of them
                if seat == "2":
                    await cabinet.do("take 2", "press COIN_IN", "press GAME_OVER")
            text = await pages.text("/cabinet/scenario")
            return text, await pages.table.do("wait 10ms")

    text, snapshot = asyncio.run(night())
    assert "begins with a new one" not in text
    scenario = parse_scenario(text, "page")
    with machine_in_virtual_time(scenario.plan, tmp_path / "again") as machine:
        simulated_table = SimulatedTable(machine)
        simulated_table.wait_for_devices()
        for statement in scenario.statements:
            assert not isinstance(statement.does, Expectation)
            simulated_table.do(statement.does)
        seen = simulated_table.observe().to_json()
    same = ("phase", "slots", "seats", "faults", "jackpot", "reserve", "house", "paid")
    assert {key: seen[key] for key in same} == {key: snapshot[key] for key in same}


def test_a_scenario_of_a_table_that_was_in_use_says_so(tmp_path: Path) -> None:
    async def night() -> str:
        async with pages_of(tmp_path) as pages:
            async with pages.looking() as cabinet:
                await cabinet.do("token 4")
            os.kill(pages.process, signal.SIGKILL)
            async with pages.looking() as cabinet:
                await cabinet.do("press GAME_OVER")
            return await pages.text("/cabinet/scenario")

    lines = asyncio.run(night()).splitlines()
    assert "# Before the first act here the table was in use: this begins with a new one." in lines
    assert lines[-2:-1] == ["press GAME_OVER"] or lines[-1] == "press GAME_OVER"


def test_the_end_of_the_input_does_not_end_a_table_with_pages_but_quit_does(tmp_path: Path) -> None:
    async def night() -> int:
        async with pages_of(tmp_path) as pages:
            assert pages.table.process.stdin is not None
            pages.table.process.stdin.close()
            async with pages.looking() as cabinet:
                await cabinet.do("press GAME_OVER")
            pages.table.signal(signal.SIGTERM)
            return await pages.table.wait_for_end()

    assert asyncio.run(night()) == 0

    async def quit_table() -> int:
        async with pages_of(tmp_path) as pages:
            pages.table.say("quit")
            async with asyncio.timeout(DEADLINE_S):
                return await pages.table.process.wait()

    assert asyncio.run(quit_table()) == 0
