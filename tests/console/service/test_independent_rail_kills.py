"""A table is killed, an independent rail board is not: its counter proves every token."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.console.service.independent_rail import ALERT, ON
from tests.console.service.independent_rail_table import (
    EVERYWHERE,
    IndependentRailTable,
    bet,
    phase,
    press,
    rail_table,
)

KILLS = 6


@pytest.mark.sampled
@pytest.mark.parametrize("after_ms", [100, 2500])
def test_a_token_that_drops_while_the_table_is_dead_is_proved_by_the_counter(
    after_ms: int, tmp_path: Path
) -> None:
    async def kill_and_drop() -> None:
        async with rail_table(tmp_path) as at:
            async with at.table() as table:
                at.rail.jams = {3, 4}
                await bet(table, at.rail, 2, 3, 4)
                await table.until(lambda seen: seen["seats"] == {"2": "ON"})
                await table.kill()
            at.rail.jams = {4}
            await asyncio.sleep(after_ms / 1000)
            assert sorted(at.rail.tray) == [2, 3]
            async with at.table() as table:
                answer = await table.until(phase("COLLECTING", "TOKEN_STUCK"))
                assert answer["seats"] == {"2": "ON", "3": "ON"}
                at.rail.jams = set()
                await table.until(lambda _: at.rail.lamps(ALERT) == {4})
                assert (await table.do("wait 100ms"))["phase"] == "COLLECTING"
                assert at.rail.slots == {4}
                await press(table, "coin_in")
                answer = await table.until(phase("PLAYING"))
                assert answer["jackpot"] == "10004.20"
            at.settle()

    asyncio.run(kill_and_drop())


def test_a_table_killed_again_and_again_beside_a_board_that_is_not(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """The counter proves every token: however often it dies, the tray is never counted by hand."""
    random = Random(pytestconfig.getoption("hypothesis_seed"))

    async def kill_while_collecting(at: IndependentRailTable) -> None:
        async with at.table() as table:
            if table.first["phase"] != "COLLECTING":
                await table.do("press game_over")
                at.rail.put(*random.sample(sorted(EVERYWHERE), 3))
            await table.until(lambda _: at.rail.lamps(ON, ALERT) >= at.rail.slots)
            table.say("press coin_in")
            await asyncio.sleep(random.random() * 0.04)
            await table.kill()

    async def night() -> None:
        async with rail_table(tmp_path) as at:
            for _ in range(KILLS):
                await kill_while_collecting(at)
            async with at.table() as table:
                if table.first["phase"] != "PLAYING":  # BETTING, if it died before it heard it
                    await table.do("press coin_in")
                await table.until(phase("PLAYING"))
            at.settle()

    asyncio.run(night())
