"""docs/how-to/install.md, section 10: the ledger of acceptance is put away, and the first night
begins.
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from jackpot.ledger.ledger import read_records, verify
from jackpot.trust.signed_nights import nights_file
from tests.console.running_table import ENVIRONMENT, RunningTable
from tests.console.service.independent_rail_table import (
    EVERYWHERE,
    IndependentRailTable,
    bet,
    phase,
    play,
    press,
    rail_table,
    win,
)
from tests.deadlines import DEADLINE_S
from tests.house.documents import blocks, page

CHAPTER = page("docs/how-to/install.md").split("### Putting the ledger of acceptance away")[1]
PUT_AWAY, START = blocks(CHAPTER.split("\n## ")[0], "")
STOP, SECOND = "".join(PUT_AWAY.splitlines(True)[:3]), "".join(PUT_AWAY.splitlines(True)[3:])
BEGIN = "sudo banco ledger begin"


class PageFolders:
    """The folders that the page names, as they are called in this test."""

    def __init__(self, at: IndependentRailTable) -> None:
        self.ledger = at.folder / "ledger"
        media = at.folder.with_name("media")
        self.second, self.seal = media / "second", media / "seal/caribbean-1"
        self.second.mkdir(parents=True)
        self.seal.parent.mkdir()
        more = f'[ledger]\nmirror = "{self.second}"\nseal = "{self.seal}"'
        text = at.file.read_text("utf-8")
        at.file.write_text(text.replace("[ledger]", more), "utf-8")
        self.banco = at.folder / "banco"
        self.banco.write_text(f'#!/bin/sh\nexec {sys.executable} -m console "$@"\n', "utf-8")
        self.banco.chmod(0o755)

    def do(self, block: str) -> None:
        """Each command of a block as it is written; the service is the test's to stop and start."""
        for line in block.splitlines():
            if line.startswith(("sudo systemctl ", BEGIN)):  # a simulation begins by itself
                continue
            command = line.removeprefix("sudo -u banco ")
            for theirs, ours in (
                ("banco ledger ", f"{self.banco} ledger "),
                ("/var/lib/banco", self.ledger),
                ("/media/second/banco", self.second),
                ("/media/seal", self.seal.parent),
            ):
                command = command.replace(theirs, str(ours))
            subprocess.run(command, shell=True, check=True, timeout=DEADLINE_S, env=ENVIRONMENT)


async def end_night(table: RunningTable) -> None:
    table.say("quit")
    assert await table.wait_for_end() == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "table"
    folder.mkdir()
    return folder


def test_the_blocks_stop_put_away_and_start() -> None:
    assert STOP.startswith("sudo systemctl stop ")
    assert START.startswith(f"{BEGIN} --as anna --and rossi\nsudo systemctl start ")
    assert "/media/" in SECOND
    assert "/media/" not in STOP


def test_the_first_night_after_acceptance_opens_every_gate(folder: Path) -> None:
    async def acceptance() -> None:
        async with rail_table(folder) as at:
            house = PageFolders(at)
            async with at.table() as table:
                await play(table, at.rail, *EVERYWHERE)
                await win(table, "flush", "jpl")
                await press(table, "game_over")
                await press(table, "coin_in")
                await end_night(table)
            nights = nights_file(house.seal)
            nights.write_text("", "utf-8")  # a table with a key has it
            for block in (STOP, SECOND):
                house.do(block)
            assert [path.name for path in house.seal.parent.iterdir()] == ["acceptance"]
            assert {house.seal.name, nights.name} == {
                path.name for path in (house.seal.parent / "acceptance").iterdir()
            }
            at.rail.tray.clear()
            async with at.table() as table:
                assert (table.first["jackpot"], table.first["faults"]) == ("10000.00", [])
                house.do(START)
                await bet(table, at.rail, *EVERYWHERE)
                snapshot = await table.until(phase("PLAYING"))
                assert snapshot["jackpot"] == "10009.80"
                await end_night(table)
            at.settle()
            put_away = house.ledger / "acceptance"
            assert verify(put_away).problems == verify(house.second).problems == ()
            assert next(iter(read_records(house.ledger))).kind == "started"
            assert verify(house.second / "acceptance").records == verify(put_away).records

    asyncio.run(acceptance())


@pytest.mark.parametrize("forgotten", ["second copy", "seal"])
def test_what_is_left_behind_of_acceptance_locks_the_table(forgotten: str, folder: Path) -> None:
    async def acceptance() -> None:
        async with rail_table(folder) as at:
            house = PageFolders(at)
            async with at.table() as table:
                await play(table, at.rail, 1)
                await end_night(table)
            house.do(STOP)
            *copy, seal = SECOND.splitlines()
            house.do(seal if forgotten == "second copy" else "\n".join(copy))
            async with at.table() as table:
                await table.until(lambda seen: seen["faults"] == ["LEDGER_CORRUPT"])

    asyncio.run(acceptance())
