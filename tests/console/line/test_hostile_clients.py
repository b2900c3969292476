"""Whatever hangs on the socket: the round is the same, memory bounded, the loop never held."""

import asyncio
import gc
import subprocess
import sys
import time
from collections.abc import Coroutine, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.console.line.handled_table import HandledTable, open_handled_table
from tests.console.line.served_table import ServedTable, open_sockets, serve_table
from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

ROUND = (
    "press GAME_OVER",
    "token 1 3 5",
    "press COIN_IN",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "key R",
    "press GAME_OVER",
)

HELD_S = 0.005
"""The event loop is never held for longer by the line."""

UNLUCKY = 0.05
"""This part of the steps may be longer: what else runs on the machine interrupts them.

A line that held the loop would do so with each of its answers, a third of the steps.
"""

MEMORY = 6_000_000
"""Bytes this process may grow by, whatever 10 MB are thrown at it."""

LEAST = {
    "random": 10_000_000,
    "endless": 10_000_000,
    "deaf": 1_000_000,
    "eager": 80_000,
    "crowd": 1_000,
}
"""What a client must have got rid of: bytes, or connections."""

BEGUN = 20
PAGE = 4096


class TimedCoroutine(Coroutine[Any, Any, Any]):
    """A coroutine whose steps are timed, in processor time of this thread."""

    steps = 0
    held: ClassVar[list[float]] = []

    def __init__(self, inner: Coroutine[Any, Any, Any]) -> None:
        self._inner = inner

    def send(self, value: Any) -> Any:
        began = time.thread_time()
        try:
            return self._inner.send(value)
        finally:
            TimedCoroutine.steps += 1
            if (took := time.thread_time() - began) > HELD_S:
                TimedCoroutine.held.append(took)

    def throw(self, *error: Any) -> Any:
        return self._inner.throw(*error)

    def close(self) -> None:
        self._inner.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._inner.__await__()


@contextmanager
def time_tasks(loop: asyncio.AbstractEventLoop) -> Iterator[type[TimedCoroutine]]:
    """Every task that begins meanwhile is timed; no rubbish is collected in between."""
    TimedCoroutine.steps, TimedCoroutine.held = 0, []

    def task(loop: asyncio.AbstractEventLoop, work: Any, **how: Any) -> "asyncio.Task[Any]":
        return asyncio.Task(TimedCoroutine(work), loop=loop, **how)

    loop.set_task_factory(task)
    gc.collect()
    gc.disable()
    try:
        yield TimedCoroutine
    finally:
        gc.enable()
        loop.set_task_factory(None)


@contextmanager
def hostile(kind: str, path: Path) -> Iterator["subprocess.Popen[str]"]:
    """The client runs meanwhile, as a process of its own."""
    command = [sys.executable, "-m", "tests.console.line.hostile", kind, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def outcome(table: HandledTable) -> list[object]:
    """What was done and what became of it, what money moved, and how the table looks."""
    records = table.table.records
    keys = ("act", "outcome", "refusal")
    acts = [[one.body.get(key) for key in keys] for one in records if one.kind in ("button", "key")]
    money = {moved.identity: moved for one in records for moved in one.transactions}
    return [acts, money, table.table.seen.to_json()]


def quiet(folder: Path) -> list[object]:
    """The same when nobody disturbs it."""
    folder.mkdir()
    with open_handled_table(folder) as rig:
        rig.play(*ROUND)
        return outcome(rig)


async def ask_meanwhile(table: ServedTable) -> str:
    """What somebody else is answered meanwhile."""
    caller = await table.caller()
    answer = await caller.ask('{"ask":"status"}')
    caller.hang_up()
    await caller.wait_closed()
    return str(answer.get("answer") or "nothing")


@pytest.mark.parametrize("kind", ["random", "endless", "deaf", "eager", "crowd"])
def test_a_hostile_client_changes_nothing(kind: str, tmp_path: Path) -> None:
    expected = quiet(tmp_path / "quiet")
    with serve_table(tmp_path) as table:
        rig, files = table.rig, open_sockets()
        until = time.monotonic() + DEADLINE_S
        with time_tasks(rig.table.machine.loop) as line, hostile(kind, table.path) as client:
            while line.steps < BEGUN:
                rig.play("wait 10ms")
                assert time.monotonic() < until
            before, grown = resident(), 0
            acts = iter(ROUND)
            while client.poll() is None:
                rig.play(next(acts, "wait 500ms"))
                grown = max(grown, resident() - before)
                assert time.monotonic() < until, "it does not get rid of its bytes"
            rig.play(*acts)
            assert client.stdout is not None
            sent = int(client.stdout.read())
        assert sent >= LEAST[kind]
        assert grown < MEMORY
        assert len(line.held) <= 1 + UNLUCKY * line.steps, (line.steps, line.held)
        rig.play("wait 1m")
        assert rig.run(ask_meanwhile(table)) == "status"
        rig.play("wait 1s")
        assert outcome(rig) == expected
        assert open_sockets() == files
