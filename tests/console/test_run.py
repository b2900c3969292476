"""`banco run`: what it refuses to start, how it starts, is watched, and stops."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import tty
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals

import cobs
import pytest

from jackpot.ledger.ledger import read_records
from jackpot.ledger.lock_file import Lock, LockFile
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    RunningTable,
    configuration,
    running,
    start,
)
from tests.console.service.independent_rail import ALERT, IndependentRail
from tests.deadlines import DEADLINE_S

IN_PLAY = ("PLAYING", {"3": "ON"})

READY_S = 2.0
"""Ready within 2 s of the service's start (docs/reference/rules.md, section 7)."""

STOPPED_S = 30.0
"""A stop waits for nothing; systemd would wait for 90 s."""

PRODUCTION = """
kind = "production"
table = "cs-1"
game = "caribbean-stud"
[ledger]
folder = "/var/lib/banco"
[panel]
driver = "gpio"
pins = "lgpio"
[rail]
driver = "board"
kind = "slot"
port = "/dev/table/rail"
[display]
driver = "escpos"
port = "/dev/table/display"
"""


def refusal_of(*arguments: str | Path, libraries: Path | None = None) -> str:
    """What it says when it does not start; `libraries` go before those that are installed."""
    first = "" if libraries is None else f"{libraries}{os.pathsep}"
    ended = subprocess.run(
        [*BANCO, "run", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=ENVIRONMENT | {"PYTHONPATH": f"{first}{ENVIRONMENT['PYTHONPATH']}"},
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Traceback" not in ended.stderr
    return ended.stderr


async def bet(table: RunningTable) -> None:
    """A round in PLAYING, seat 3 in it."""
    await table.do("press game_over", "token 3", "press coin_in")
    await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)


# What it refuses


def test_a_real_table_is_never_simulated(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(PRODUCTION, "utf-8")
    assert "production" in refusal_of("--sim", "--config", file)


def test_pins_that_cannot_be_had_are_told(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(PRODUCTION, "utf-8")
    assert "the pin backend 'lgpio' cannot be " in refusal_of("--config", file)


def test_a_ledger_in_memory_and_a_slow_library_are_told(tmp_path: Path) -> None:
    """cobs as pip builds it where there is no C compiler: without its compiled part"""
    (source,) = cobs.__path__
    shutil.copytree(source, tmp_path / "cobs", ignore=shutil.ignore_patterns("*.so"))
    file = tmp_path / "table.toml"
    file.write_text(PRODUCTION.replace("/var/lib/banco", "/dev/shm/banco"), "utf-8")
    messages = refusal_of("--config", file, libraries=tmp_path)
    assert "takes 20 times longer for each frame of a board" in messages
    assert "/dev/shm/banco is on tmpfs, in memory" in messages


def test_a_simulation_is_never_started_for_a_table(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")
    assert "--sim" in refusal_of("--config", file)
    assert list(tmp_path.iterdir()) == [file]


def test_without_a_configuration_it_says_what_it_needs() -> None:
    message = refusal_of()
    assert "--config" in message
    assert "--sim" in message


def test_a_configuration_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "none.toml") in refusal_of("--config", tmp_path / "none.toml")


def test_a_second_process_is_refused_the_folder_and_the_first_goes_on(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def twice() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            message = await asyncio.to_thread(refusal_of, "--sim", "--config", file)
            assert f"{tmp_path} is open already" in message
            await bet(table)

    asyncio.run(twice())


def test_settings_change_between_rounds_and_never_in_one(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press game_over")
            await table.until(lambda seen: seen["phase"] == "BETTING")
        configuration(file, token="5.00")
        message = await asyncio.to_thread(refusal_of, "--sim", "--config", file)
        assert "a round is in play (BETTING) under other settings" in message
        configuration(file)
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("press coin_in")
            await table.until(lambda seen: seen["phase"] == "PAUSED")
        configuration(file, token="5.00")
        async with running(tmp_path, "--sim", "--config", file) as table:
            await bet(table)
            assert (await table.do("wait 1ms"))["jackpot"] == "10003.50"

    asyncio.run(night())
    adopted = list(read_records(tmp_path / "ledger", kind="settings"))
    assert [record.settings_version for record in adopted] == [1, 2]
    played = read_records(tmp_path / "ledger", kind="button", round=2)
    assert {record.settings_version for record in played} == {2}


# How it starts


def test_it_is_ready_within_two_seconds_in_the_middle_of_a_round(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def measure_start() -> float:
        async with running(tmp_path, "--sim", "--config", file) as table:
            assert (table.first["phase"], table.first["seats"]) == IN_PLAY
            assert table.first["faults"] == []
            return table.ready_s

    async def ready() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await bet(table)
            await table.kill()
        took = [await measure_start()]
        while min(took) > READY_S and len(took) < 5:  # its disk's thread waits for others, too
            took.append(await measure_start())
        assert min(took) < READY_S

    asyncio.run(ready())


def test_a_lock_left_beside_the_ledger_still_locks_the_table(tmp_path: Path) -> None:
    file = configuration(tmp_path / "sim.toml")

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await bet(table)
        LockFile(tmp_path / "ledger" / "lock").set(Lock("LEDGER_FAULT", "disk full", "23:11"))
        for _ in range(2):
            async with running(tmp_path, "--sim", "--config", file) as table:
                assert table.first["faults"] == ["LEDGER_FAULT"]
                assert (table.first["phase"], table.first["seats"]) == IN_PLAY
                assert (await table.do("press flush"))["refused"] == "LOCKED"
        async with running(tmp_path, "--sim", "--config", file) as table:
            await table.do("key s", "clear ledger_fault")
            await table.until(lambda seen: (seen["phase"], seen["faults"]) == ("SERVICE", []))
        async with running(tmp_path, "--sim", "--config", file) as table:
            assert table.first["faults"] == []
            await table.do("key jpl", "key r")
            await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)

    asyncio.run(night())


def scribble(ledger: Path) -> None:
    """One record says something else than it message."""
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.execute("UPDATE journal SET body = '{}' WHERE kind = 'button'")


def overwrite(ledger: Path) -> None:
    """The file is none of ours any more."""
    ledger.write_bytes(b"a tray is not a ledger " * 999)


@pytest.mark.parametrize("damage", [scribble, overwrite])
def test_a_corrupt_ledger_locks_the_table_until_it_is_repaired(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    file = configuration(tmp_path / "sim.toml")
    ledger = tmp_path / "ledger" / "ledger.db"

    async def night() -> None:
        async with running(tmp_path, "--sim", "--config", file) as table:
            await bet(table)
            table.say("quit")
            assert await table.wait_for_end() == 0
        assert not ledger.with_name("ledger.db-wal").exists()
        good = shutil.copy(ledger, tmp_path / "good")
        damage(ledger)
        async with running(tmp_path, "--sim", "--config", file) as table:
            assert (table.first["faults"], table.first["slots"]) == (["LEDGER_CORRUPT"], {})
            assert (await table.do("press game_over"))["refused"] == "LOCKED"
            await table.do("key s", "clear ledger_corrupt")
            state = await table.until(lambda seen: seen["refused"] == "STILL_FAULTY")
            assert state["faults"] == ["LEDGER_CORRUPT"]
            shutil.copy(good, ledger)
            await table.do("clear ledger_corrupt")
            await table.until(lambda seen: not seen["faults"])
            await table.do("key r")
            await table.until(lambda seen: (seen["phase"], seen["seats"]) == IN_PLAY)

    asyncio.run(night())


# How it goes on


def test_an_unplugged_line_with_unsent_bytes_does_not_end_it(tmp_path: Path) -> None:
    link = tmp_path / "rail"
    port = f'driver = "board"\nport = "{link}"\nprotocol = 1'
    file = configuration(tmp_path / "bench.toml", kind="bench", rail=port)
    device, host = os.openpty()
    tty.setraw(host)
    os.set_blocking(host, False)
    link.symlink_to(os.ttyname(host))
    fill(host)

    async def unplug() -> None:
        async with running(tmp_path, "--config", file) as table:
            await table.until(lambda seen: seen["faults"] == ["RAIL_LOST"])
            while fill(host):  # the port has been opened anew, which lets go of what was unsent
                await table.do("wait 250ms")
            os.close(device)
            os.close(host)
            rail = IndependentRail(link)
            try:
                rail.put(2)
                await table.until(lambda seen: not seen["faults"])
                rail.jams = {2}
                await table.do("press game_over", "press coin_in")
                await table.until(lambda _: rail.lamps(ALERT) == {2})
            finally:
                rail.close()

    asyncio.run(unplug())


def fill(host: int) -> int:
    """Until the terminal takes nothing more from the table; how many bytes that was."""
    count = 0
    with suppress(BlockingIOError):
        while True:
            count += os.write(host, bytes(256))
    return count


# How it ends


@pytest.mark.parametrize("number", [SIGTERM, SIGINT])
@pytest.mark.parametrize("rail", ["simulated", "board"])
def test_a_signal_stops_it_at_once_in_good_order(
    number: Signals, rail: str, tmp_path: Path
) -> None:
    port = f'driver = "board"\nport = "{tmp_path / "rail"}"'
    if rail == "board":
        file = configuration(tmp_path / "bench.toml", kind="bench", rail=port)
    else:
        file = configuration(tmp_path / "sim.toml")

    async def stop() -> None:
        arguments = ["--sim"] if rail == "simulated" else []
        table = await start(tmp_path, *arguments, "--config", file)
        await table.read_snapshot()
        table.signal(number)
        async with asyncio.timeout(STOPPED_S):
            assert await table.process.wait() == 0
        await table.wait_for_end()
        complaints = table.complaints.read_text("utf-8")
        assert "Traceback" not in complaints
        assert "Error" not in complaints

    asyncio.run(stop())
