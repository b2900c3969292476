"""Work in a thread, with a real clock: it is watched, ends at its deadline, or when asked to."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from console.technician import long_work
from console.technician.command import TechnicianSession
from console.technician.long_work import Meter, run_in_thread
from console.technician.talk import Interrupted
from console.technician.terminal.terminal import Terminal
from firmware_bridge.memory_line import DeviceEnd, memory_wire
from jackpot.failures import Unavailable
from tests.console.technician.commands.command_line import EN, absent_service
from tests.deadlines import DEADLINE_S


@dataclass
class EndlessWork:
    """Work that goes on until it is let go, or given up by whoever waits."""

    let_go: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def __call__(self, meter: Meter) -> str:
        try:
            while not self.let_go.wait(0.01):
                meter.step()
            return f"{meter.done} steps"
        finally:
            self.over.set()


@dataclass
class MemoryTerminal:
    """A session at a terminal in memory; `shown` is all that was printed."""

    session: TechnicianSession
    wire: DeviceEnd
    shown: bytearray = field(default_factory=bytearray)


@asynccontextmanager
async def run_terminal() -> AsyncIterator[MemoryTerminal]:
    loop = asyncio.get_running_loop()
    line, wire = memory_wire(loop)
    terminal = Terminal(loop, line)
    terminal.session.open()
    await terminal.wait_for_user(at_once=True)
    one = MemoryTerminal(TechnicianSession(terminal, absent_service(), EN), wire)
    wire.on_received = one.shown.extend
    try:
        async with asyncio.timeout(DEADLINE_S):
            yield one
    finally:
        terminal.session.close()


def test_quick_work_is_done_at_once() -> None:
    async def life() -> None:
        async with run_terminal() as one:
            assert await run_in_thread(one.session, lambda _: 6 * 7, seconds=DEADLINE_S) == 42
            assert one.shown == b""

    asyncio.run(life())


def test_long_work_is_awaited_and_its_progress_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PROGRESS_EVERY_S", 0.1)

    async def life() -> None:
        digging = EndlessWork()
        async with run_terminal() as one:
            task = asyncio.create_task(run_in_thread(one.session, digging, seconds=DEADLINE_S))
            while b"(q: end)" not in one.shown:
                await asyncio.sleep(0.05)
            digging.let_go.set()
            assert (await task).endswith(" steps")

    asyncio.run(life())


@pytest.mark.parametrize("key", [b"q", b"\x03"])
def test_q_and_ctrl_c_end_the_wait_and_then_the_work(key: bytes) -> None:
    async def life() -> None:
        digging = EndlessWork()
        async with run_terminal() as one:
            task = asyncio.create_task(run_in_thread(one.session, digging, seconds=DEADLINE_S))
            await asyncio.sleep(0)
            one.wire.send(key)
            with pytest.raises(Interrupted):
                await task
            assert await asyncio.to_thread(digging.over.wait, DEADLINE_S), "its thread goes on"

    asyncio.run(life())


def test_work_past_its_deadline_is_given_up() -> None:
    async def life() -> None:
        digging = EndlessWork()
        async with run_terminal() as one:
            with pytest.raises(Unavailable, match=r"not done within 0\.5 s"):
                await run_in_thread(one.session, digging, seconds=0.5)
            assert await asyncio.to_thread(digging.over.wait, DEADLINE_S), "its thread goes on"

    asyncio.run(life())


def test_what_the_work_raises_is_raised() -> None:
    def fail(_: Meter) -> None:
        raise OSError("no such file")

    async def life() -> None:
        async with run_terminal() as one:
            with pytest.raises(OSError, match="no such file"):
                await run_in_thread(one.session, fail, seconds=DEADLINE_S)

    asyncio.run(life())
