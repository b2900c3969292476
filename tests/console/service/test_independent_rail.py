"""A board built from docs/reference/wire-protocol.md alone plays on a table that runs by the clock.

Whatever becomes of it: no token is lost, none is counted twice, and there is a fault where the
table's rules ask for one (docs/reference/rules.md, sections 2 and 7).
"""

import asyncio
from pathlib import Path

import pytest

from jackpot.ledger.ledger import read_records
from tests.console.service.independent_rail import ALERT, DARK, INVITE, ON
from tests.console.service.independent_rail_table import (
    EVERYWHERE,
    bet,
    phase,
    play,
    play_and_settle,
    press,
    rail_table,
    win,
)


def test_a_board_that_boots_in_betting_is_asked_what_lies_there(tmp_path: Path) -> None:
    async def boot() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            await play(table, rail, 1)
            await press(table, "game_over")
            rail.put(2, 6)
            await table.until(lambda _: rail.lamps(ON) == {2, 6})
            rail.reboot()
            rail.take(6)
            await table.until(lambda _: rail.lamps(ON) == {2})
            assert (await table.until(phase("BETTING")))["seats"] == {}
            await press(table, "coin_in")
            assert (await table.until(phase("PLAYING")))["seats"] == {"2": "ON"}

    asyncio.run(boot())


def test_a_board_that_boots_in_playing_gets_its_lamps_again(tmp_path: Path) -> None:
    async def boot() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            await play(table, rail, 1, 7)
            rail.reboot()
            assert rail.lamps(ON) == set()
            await table.until(lambda _: rail.lamps(ON) == {1, 7})
            answer = await table.until(phase("PLAYING"))
            assert answer["seats"] == {"1": "ON", "7": "ON"}
            await play(table, rail, 1)

    asyncio.run(boot())


def test_a_board_that_boots_in_collecting_leaves_the_gates_closed_until_coin_in(
    tmp_path: Path,
) -> None:
    async def boot() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            rail.jams = {3, 5}
            await bet(table, rail, 1, 3, 5)
            await table.until(lambda seen: seen["seats"] == {"1": "ON"})
            assert rail.gates == {3, 5}
            rail.reboot()
            rail.jams = set()
            rail.take(5)
            answer = await table.until(lambda _: rail.lamps(ALERT) == {3, 5})
            assert rail.lamps(ON) == {1}
            answer = await table.until(phase("COLLECTING", "TRAY_COUNT", "TOKEN_STUCK"))
            answer = await table.do("wait 200ms")
            assert (rail.gates, rail.slots, answer["seats"]) == (set(), {3}, {"1": "ON"})
            await press(table, "coin_in")
            answer = await table.until(phase("PLAYING", "TRAY_COUNT"))
            assert answer["seats"] == {"1": "ON", "3": "ON"}
            assert rail.tray == [1, 3]

    asyncio.run(boot())


def test_a_silent_board_is_lost_and_comes_back_by_itself(tmp_path: Path) -> None:
    async def silence() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            await bet(table, rail, 2)
            await table.until(phase("PLAYING"))
            rail.dumb = True
            await table.until(phase("PLAYING", "RAIL_LOST"))
            assert (await table.do("press game_over"))["refused"] == "LOCKED"
            answer = await win(table, "full_house", "jpl")  # awards go on
            assert (answer["phase"], answer["paid"]) == ("PLAYING", "200.02")
            await table.do("wait 600ms")
            assert rail.lamps(INVITE, ON, ALERT) == set()  # the watchdog
            rail.dumb = False
            await table.until(phase("PLAYING"))
            assert rail.lamps(ON) == {2}
            await play(table, rail, 2)

    asyncio.run(silence())


@pytest.mark.parametrize("how", ["never answers", "speaks version 2"])
def test_a_board_that_is_none_is_a_lost_rail(how: str, tmp_path: Path) -> None:
    async def run() -> None:
        version = 2 if how == "speaks version 2" else 1
        async with rail_table(tmp_path, version=version) as at:
            at.rail.dumb = how == "never answers"
            at.rail.put(1)
            async with at.table() as table:
                await table.until(phase("PAUSED", "RAIL_LOST"))
                assert (await table.do("press game_over"))["refused"] == "LOCKED"
                await table.do("wait 3500ms")  # the port is opened anew meanwhile
                assert at.rail.lamps(DARK) == EVERYWHERE
                assert (await table.do("wait 1ms"))["faults"] == ["RAIL_LOST"]
            at.settle()
            *_, record = read_records(tmp_path / "ledger", kind="device-lost")
            expected = "speaks version 2" if version == 2 else "nobody answers"
            assert expected in str(record.body["act"])

    asyncio.run(run())


def test_a_tray_that_counts_otherwise_is_counted_by_hand(tmp_path: Path) -> None:
    async def count() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            rail.blind_tray = True
            await bet(table, rail, 1)
            answer = await table.until(phase("PLAYING", "TRAY_COUNT"))
            assert answer["seats"] == {"1": "ON"}  # its drop sensor has seen it
            rail.blind_tray = False
            await table.do("press game_over", "press coin_in", "key s", "clear tray_count", "key r")
            await table.until(phase("PAUSED"))
            await play(table, rail, 1)

    asyncio.run(count())


def test_a_token_that_does_not_drop_is_stuck_until_coin_in(tmp_path: Path) -> None:
    async def keep_stuck() -> None:
        async with play_and_settle(tmp_path) as (table, rail):
            rail.jams = {6}
            await bet(table, rail, 6, 7)
            answer = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
            assert answer["seats"] == {"7": "ON"}
            await table.until(lambda _: rail.lamps(ALERT) == {6})
            assert (rail.lamps(ON), rail.gates) == ({7}, set())
            rail.jams = set()
            await press(table, "coin_in")
            await table.until(phase("PLAYING"))
            assert rail.tray == [7, 6]

    asyncio.run(keep_stuck())
