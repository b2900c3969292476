"""A table of the room, as a process that is asked act by act."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from console.simulation.room import room_table
from console.simulation.room.postgres_server import list_children
from console.simulation.room.room_table import NetworkCable, PlayingTable, write_table_file


@asynccontextmanager
async def play_table(folder: Path) -> AsyncIterator[tuple[PlayingTable, int]]:
    """A table that has no centre, and its process."""
    before = list_children(os.getpid())
    table = PlayingTable("table-1", NetworkCable(), folder / "log")
    try:
        await table.start(write_table_file(folder, table.name, (1,)), None)
        (pid,) = set(list_children(os.getpid())).difference(before)
        yield table, pid
    finally:
        await table.end()


def test_a_killed_table_that_does_not_end_is_left_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with play_table(tmp_path) as (table, pid):
            os.kill(pid, signal.SIGSTOP)
            with monkeypatch.context() as patch:
                patch.setattr(asyncio.subprocess.Process, "kill", lambda _: None)
                await table.end()
            os.kill(pid, 0)  # it is there
        assert f"table-1, process {pid}, has been killed and does not end" in caplog.text

    monkeypatch.setattr(room_table, "ENDS_WITHIN_S", 0.1)
    asyncio.run(story())


def test_a_late_answer_is_not_taken_for_that_of_the_next_act(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with play_table(tmp_path) as (table, pid):
            os.kill(pid, signal.SIGSTOP)
            with monkeypatch.context() as patch:
                patch.setattr(room_table, "ACT_WITHIN_S", 0.2)
                for act in ("wait 1ms", "wait 2ms"):
                    with pytest.raises(TimeoutError):
                        await table.do(act)
            os.kill(pid, signal.SIGCONT)
            assert (await table.do("power off"))["text"] == "power off"
            assert (await table.do("power on", "wait 3ms"))["text"] == "wait 3ms"

    asyncio.run(story())
