"""A process beside the service: whatever happens to it, there is another soon."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from console.child_process import ChildListener, ChildProcess, ChildProgram, kill_process
from tests.console.child_process.stuck_processes import let_processes_be_stuck
from tests.deadlines import DEADLINE_S

MODULE = "tests.console.child_process.echo"

ECHO = ChildProgram(
    what="the echo",
    module=MODULE,
    longest_line=1024,
    most_waiting=1024,
    first_again_s=0.05,
    latest_again_s=0.1,
)


class Echo:
    """A process that says again what it is told, and what was heard of it."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.ends: list[tuple[int, float]] = []
        self.starts = 0
        self.child = ChildProcess(
            asyncio.get_running_loop(),
            ECHO,
            ChildListener(self.lines.append),
            self._on_started,
            lambda status, again_s: self.ends.append((status, again_s)),
        )

    async def until_said(self, line: bytes) -> None:
        """Tell it until it has said it."""
        async with asyncio.timeout(DEADLINE_S):
            while line not in self.lines:
                self.child.send(line + b"\n")
                await asyncio.sleep(0.02)

    def _on_started(self) -> None:
        self.starts += 1


@asynccontextmanager
async def run_echo() -> AsyncIterator[Echo]:
    echo = Echo()
    echo.child.start()
    try:
        yield echo
    finally:
        await echo.child.end()


def test_a_process_that_was_killed_is_started_again_and_each_time_later() -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            for number in range(3):
                await echo.until_said(b"%d" % number)
                assert echo.child.pid is not None
                os.kill(echo.child.pid, signal.SIGKILL)
            await echo.until_said(b"still there")
            assert echo.ends == [(-signal.SIGKILL, 0.05), (-signal.SIGKILL, 0.1), (-9, 0.1)]
            assert echo.starts == 4

    asyncio.run(talk())


def test_its_own_exit_status_is_told() -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            await echo.until_said(b"hello")
            echo.child.send(b"exit 7\n")
            await echo.until_said(b"again")
            assert echo.ends == [(7, 0.05)]

    asyncio.run(talk())


def test_a_process_that_takes_nothing_is_replaced_once_too_much_waits() -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            await echo.until_said(b"hello")
            assert echo.child.pid is not None
            os.kill(echo.child.pid, signal.SIGSTOP)
            for _ in range(2000):
                echo.child.send(b"x" * 100 + b"\n")
            await echo.until_said(b"again")
            assert echo.starts == 2

    asyncio.run(talk())


def test_a_line_that_is_too_long_ends_it() -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            await echo.until_said(b"hello")
            echo.child.send(b"long\n")
            await echo.until_said(b"again")
            assert echo.starts == 2

    asyncio.run(talk())


def test_once_ended_it_is_not_started_again() -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            await echo.until_said(b"hello")
            pid = echo.child.pid
            echo.child.end_at_once()
            assert echo.child.pid is None
            assert not os.path.exists(f"/proc/{pid}")
            await asyncio.sleep(0.3)
            assert (echo.starts, echo.ends) == (1, [])

    asyncio.run(talk())


@pytest.mark.parametrize("at_once", [True, False])
def test_a_killed_process_that_does_not_end_is_left_and_logged(
    at_once: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def talk() -> None:
        async with run_echo() as echo:
            await echo.until_said(b"hello")
            pid = echo.child.pid
            assert pid is not None
            os.kill(pid, signal.SIGSTOP)
            with let_processes_be_stuck(monkeypatch) as killed:
                if at_once:
                    echo.child.end_at_once()
                else:
                    await echo.child.end()
                (process,) = killed
                assert process.poll() is None
            process.wait(DEADLINE_S)
            assert f"the echo, process {pid}, has been killed and does not end" in caplog.text

    asyncio.run(talk())


def test_who_kills_a_process_does_not_wait_for_it_without_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with subprocess.Popen(["sleep", "600"]) as sleeps:
        with let_processes_be_stuck(monkeypatch):
            kill_process(sleeps, "the sleeper", 0.1)
            assert sleeps.poll() is None
        assert sleeps.wait(DEADLINE_S) == -signal.SIGKILL
    assert f"the sleeper, process {sleeps.pid}, has been killed" in caplog.text
    with subprocess.Popen(["sleep", "600"]) as sleeps:
        kill_process(sleeps, "the sleeper")
        assert sleeps.returncode == -signal.SIGKILL
