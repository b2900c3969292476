"""The centre of a tournament's clock is killed while the clock runs; it comes back."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from console.database.install import install_schema
from console.link.centre.roles import load_link_schema
from jackpot.ledger.ledger import read_records
from tests.console.link.centre.database_pool import LentDatabase
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.clock_house import TABLES, House, shows
from tests.console.link.servers import Server, run_server
from tests.console.running_table import RunningTable, Seen
from tests.open_folder import make_open_folder

DATABASE = "clocked"
FIRST_LEVEL_S, LEVEL_S = 9, 600
"""What the first level has left when the centre dies, and the next ones' length."""

SHOWN_S = 1
"""A clock shows whole seconds, rounded up."""

APART_S = 0.2
"""Tables are at most so far from each other."""


@contextmanager
def own_centre() -> Iterator[tuple[Server, PostgresCentre]]:
    """A server that may be killed: no other test's."""
    with make_open_folder() as folder, run_server(folder / "cluster", "fsync=off") as server:
        server.make_database(DATABASE)
        with server.connect(database=DATABASE) as connection:
            install_schema(connection, load_link_schema())
        with closing(LentDatabase(server, DATABASE)) as database:
            yield server, PostgresCentre(database)


class RunningClock:
    """What the clock of all tables must show since it was started, by this machine's own time."""

    def __init__(self) -> None:
        self._started: tuple[float, float] | None = None

    async def start(self, table: RunningTable) -> None:
        """The first level has a few seconds left, and runs."""
        before = time.monotonic()
        await table.do(f"declare clock set 1 {FIRST_LEVEL_S}s", "declare clock start")
        self._started = before, time.monotonic()

    async def is_right(self, table: RunningTable) -> Seen:
        """The table's clock is neither ahead nor behind; how the table looks."""
        assert self._started is not None
        before = time.monotonic()
        seen = await table.do("wait 10ms")
        first, last = before - self._started[1], time.monotonic() - self._started[0]
        passed = FIRST_LEVEL_S + (seen["level"] - 1) * LEVEL_S - _read_left_s(seen)
        assert first - SHOWN_S - APART_S <= passed <= last + APART_S, (seen, first, last)
        return seen


def _read_left_s(seen: Seen) -> int:
    minutes, seconds = seen["clock"].split(":")
    return int(minutes) * 60 + int(seconds)


def levels_announced(ledger: Path) -> list[int]:
    """The levels that a table has announced, in order; setting the clock announces none twice."""
    levels = []
    for record in read_records(ledger):
        decisions = record.body.get("decisions", [])
        assert isinstance(decisions, list)
        levels += [one["level"] for one in decisions if one["decision"] == "level-announced"]
    return levels


def is_lost(seen: Seen) -> bool:
    return "CLOCK_LOST" in seen["faults"]


@pytest.mark.sampled(of=2)
def test_tables_go_on_by_their_own_clock_and_agree_again(tmp_path: Path) -> None:
    """POKER 16.17, 16.18"""

    async def night(server: Server, house: House) -> None:
        clock = RunningClock()
        async with house.run("holdem-1") as first, house.run("holdem-2") as second:
            await clock.start(first)
            await second.until(shows(1, runs=True))
            await asyncio.to_thread(server.kill)
            for table in (first, second):
                await table.until(is_lost)
                await clock.is_right(table)
            for table in (first, second):
                await table.until(shows(2, runs=True))
                assert is_lost(await clock.is_right(table))
            await second.do("key r", "press game_over", "press hand")
            # Holds at this table, and not when the row holds again.
            await first.do("declare clock stop")
            await first.until(shows(2, runs=False))
            assert shows(2, runs=True)(await clock.is_right(second))
            await asyncio.to_thread(server.start)
            for table in (first, second):
                await table.until(lambda seen: not is_lost(seen))
            await first.until(shows(2, runs=True))
            await clock.is_right(first)
            await second.do("press game_over")
            await clock.is_right(second)
            await second.do("declare clock set 3 7m", "declare clock stop")
            assert (await first.until(shows(3, runs=False)))["clock"] == "7:00"

    with own_centre() as (server, centre):
        asyncio.run(night(server, House(tmp_path, server.port, centre)))
    assert [levels_announced(tmp_path / table / "ledger") for table in TABLES] == [[2, 3], [2, 3]]
