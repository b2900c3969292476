"""The disk under a simulation takes nothing: a table is locked, a scenario says why it ends.

A limit on the size of files stands for it: the kernel refuses the writing, as of a full disk.
"""

import asyncio
import json
import resource
import subprocess
from pathlib import Path

from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    RunningTable,
    configuration,
    running,
)
from tests.deadlines import DEADLINE_S

NOTHING = 512
"""Bytes that a file may have: none of ours is so small."""


def limit(table: RunningTable, most: int) -> None:
    """From now on its files may have so many bytes."""
    resource.prlimit(table.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def test_a_disk_that_fills_up_locks_the_table_and_ends_nothing(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over", "token 1")
            limit(table, NOTHING)
            await table.do("token 3")
            locked = await table.until(lambda seen: "LEDGER_FAULT" in seen["faults"])
            assert locked["phase"] == "BETTING"
            limit(table, resource.RLIM_INFINITY)
            await table.do("key S", "clear LEDGER_FAULT", "key R")
            await table.until(lambda seen: seen["faults"] == [])
            await table.do("press coin_in")
            await table.until(lambda seen: seen["seats"] == {"1": "ON", "3": "ON"})

    asyncio.run(night())
    complaints = (tmp_path / "complaints").read_text()
    assert complaints.count("what lies in the cabinet is not remembered") == 1


def test_a_table_starts_locked_on_a_full_disk(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def start_table() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over", "token 1")

    asyncio.run(start_table())
    done = run_without_disk(
        ("run", "--sim", "--json", "--config", str(file)), "token 2\n", tmp_path
    )
    assert done.returncode == 0
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    assert [state["faults"] for state in seen] == [["LEDGER_FAULT"]] * 2
    assert "Traceback" not in done.stderr


def test_a_scenario_says_that_it_is_the_disk(tmp_path: Path) -> None:
    scenario = tmp_path / "a.scenario"
    scenario.write_text("press GAME_OVER\nexpect phase BETTING\n")
    done = run_without_disk(("play", str(scenario)), "", tmp_path)
    assert done.returncode == 2
    assert "cannot play: the temporary folder: " in done.stderr
    assert "TMPDIR" in done.stderr
    assert "Traceback" not in done.stderr


def run_without_disk(
    words: tuple[str, ...], acts: str, place: Path
) -> "subprocess.CompletedProcess[str]":
    """A command that may write no file; 512 bytes are one block of `ulimit`."""
    return subprocess.run(
        ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *BANCO, *words],
        input=acts,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        cwd=place,
        env={**ENVIRONMENT, "TMPDIR": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
