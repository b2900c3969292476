"""Two whole tables of a tournament on one clock: real couriers, a real PostgreSQL, SIGKILL."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.clock_house import House, find_courier, shows
from tests.console.link.servers import Server


@pytest.mark.sampled(of=4)
def test_one_clock_outlives_tables_couriers_and_silence(
    server: Server, postgres: PostgresCentre, tmp_path: Path
) -> None:
    """POKER 16.16, 16.17, 16.18"""
    house = House(tmp_path, server.port, postgres)

    async def night() -> None:
        async with house.run("holdem-2") as second:
            async with house.run("holdem-1") as first:
                await first.do("declare clock set 2 7m", "declare clock start")
                await second.until(shows(2, runs=True))
                os.kill(find_courier(second), signal.SIGKILL)
                await second.do("declare clock stop")
                await first.until(shows(2, runs=False))
                await second.do("declare clock start")
                await first.until(shows(2, runs=True))
                await first.kill()
            async with house.run("holdem-1") as first:
                await first.until(shows(2, runs=True))
                house.let_in("holdem-1", may=False)
                await first.until(lambda seen: "CLOCK_LOST" in seen["faults"])
                assert shows(2, runs=True)(await first.do("key r", "press game_over", "press hand"))
                await second.do("declare clock set 1 9m", "declare clock stop")
                house.let_in("holdem-1", may=True)
                await first.until(lambda seen: "CLOCK_LOST" not in seen["faults"])
                assert shows(2, runs=True)(await first.do("press flop"))
                await first.do("press game_over")
                await first.until(shows(1, runs=False))

    asyncio.run(night())
