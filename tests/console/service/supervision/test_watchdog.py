"""What systemd is told: ready, alive, stopping; and nothing while the disk is past its deadline.

Hung but alive is worse than dead: whoever is not fed is started again.
"""

import asyncio
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from signal import SIGTERM

import pytest

from console.service.disk_thread import DiskThread
from console.service.supervision.main_loop import Watchdog
from jackpot.failures import LedgerUnavailable
from tests.console.running_table import (
    RunningTable,
    configuration,
    running,
)
from tests.deadlines import DEADLINE_S

INTERVAL_S = 0.05


class Supervisor:
    """The end of the socket that systemd has."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(address.replace("@", "\0"))
        self.environment = {
            "NOTIFY_SOCKET": address,
            "WATCHDOG_USEC": str(round(3e6 * INTERVAL_S)),
        }

    async def next_message(self, within: float = DEADLINE_S) -> str:
        """The next message. Raises TimeoutError."""
        loop = asyncio.get_running_loop()
        return (await asyncio.wait_for(loop.sock_recv(self.socket, 99), within)).decode()

    def overhear(self) -> set[str]:
        """What has come, all at once."""
        messages = set()
        with suppress(BlockingIOError):
            while True:
                messages |= {*self.socket.recv(99).decode().split("\n")}
        return messages

    async def silent(self, seconds: float) -> bool:
        try:
            await self.next_message(within=seconds)
        except TimeoutError:
            return True
        return False


async def until(ready: Callable[[], bool]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not ready():
            await asyncio.sleep(0.005)


@asynccontextmanager
async def run_supervised(
    folder: Path, address: str | None = None, **environment: str
) -> AsyncIterator[tuple[RunningTable, Supervisor]]:
    supervisor = Supervisor(address or str(folder / "notify"))
    file = configuration(folder / "sim.toml")
    variables = supervisor.environment | environment
    with closing(supervisor.socket):
        async with running(folder, "--sim", "--config", file, environment=variables) as table:
            yield table, supervisor


@pytest.mark.parametrize("abstract", [False, True])
def test_it_tells_that_it_is_ready_alive_and_stopping(abstract: bool, tmp_path: Path) -> None:
    async def life() -> None:
        address = f"@{tmp_path}" if abstract else None
        async with run_supervised(tmp_path, address) as (table, supervisor):
            assert await supervisor.next_message() == "READY=1"
            assert [await supervisor.next_message() for _ in range(5)] == ["WATCHDOG=1"] * 5
            table.signal(SIGTERM)
            assert await table.process.wait() == 0
            rest: list[str] = []
            while not rest or rest[-1] != "STOPPING=1":
                rest.append(await supervisor.next_message())
            assert set(rest[:-1]) <= {"WATCHDOG=1"}
            assert await supervisor.silent(INTERVAL_S)

    asyncio.run(life())


def test_a_watchdog_that_waits_for_another_process_is_not_fed(tmp_path: Path) -> None:
    async def life() -> None:
        async with run_supervised(tmp_path, WATCHDOG_PID="1") as (table, supervisor):
            await table.do("wait 200ms")
            assert await supervisor.next_message() == "READY=1"
            assert await supervisor.next_message() == "WATCHDOG=1"  # one, that cannot hurt
            assert await supervisor.silent(4 * INTERVAL_S)

    asyncio.run(life())


def test_a_supervisor_that_does_not_listen_ends_nothing(tmp_path: Path) -> None:
    async def life() -> None:
        async with run_supervised(tmp_path, WATCHDOG_USEC="3000") as (table, supervisor):
            await table.do("press game_over", "wait 1s", "token 3", "press coin_in")
            await table.until(lambda seen: seen["seats"] == {"3": "ON"})
            assert supervisor.overhear() == {"READY=1", "WATCHDOG=1"}
            assert await supervisor.next_message() == "WATCHDOG=1"  # it is fed again

    asyncio.run(life())


def test_a_busy_disk_is_waited_for_then_locks_and_the_table_lives_on(tmp_path: Path) -> None:
    async def life() -> None:
        async with run_supervised(tmp_path) as (table, supervisor):
            assert await supervisor.next_message() == "READY=1"
            with closing(sqlite3.connect(tmp_path / "ledger" / "ledger.db")) as other:
                other.execute("BEGIN IMMEDIATE")  # the table's commit waits for its end
                pressed = asyncio.create_task(table.do("press game_over"))
                supervisor.overhear()
                assert [await supervisor.next_message() for _ in range(3)] == ["WATCHDOG=1"] * 3
                assert (await pressed)["phase"] == "PAUSED"
                await table.until(lambda seen: seen["faults"] == ["LEDGER_FAULT"])
            supervisor.overhear()
            assert await supervisor.next_message() == "WATCHDOG=1"
            await table.do("key s", "clear ledger_fault")
            await table.until(lambda seen: not seen["faults"])
            await table.do("key r", "press game_over")
            await table.until(lambda seen: seen["phase"] == "BETTING")

    asyncio.run(life())


def test_a_thread_past_its_deadline_feeds_nobody_until_it_answers() -> None:
    async def life() -> None:
        loop = asyncio.get_running_loop()
        disk_writer = DiskThread(loop, deadline=0.02)
        fed: list[float] = []
        failures: list[Exception] = []

        def probe(alive: Callable[[], None], silent: Callable[[], None]) -> None:
            def not_alive(error: Exception) -> None:
                failures.append(error)
                silent()

            disk_writer.do(lambda: None, lambda _: alive(), not_alive)

        watchdog = Watchdog(loop, [probe], 0.01, lambda: fed.append(loop.time()))
        hang = threading.Event()
        watchdog.start()
        await until(lambda: len(fed) >= 3)
        failures.clear()
        disk_writer.do(lambda: hang.wait(DEADLINE_S), lambda _: None, lambda _: None)
        await until(lambda: bool(failures))
        assert isinstance(failures[0], LedgerUnavailable)
        fed.clear()
        await until(lambda: len(failures) >= 3)  # asked again and again, and fed never
        assert fed == []
        hang.set()
        await until(lambda: bool(fed))
        watchdog.stop()
        disk_writer.close()

    asyncio.run(life())


def test_a_sign_of_life_that_comes_after_the_end_feeds_nobody() -> None:
    async def life() -> None:
        asked: list[tuple[Callable[[], None], Callable[[], None]]] = []
        fed: list[str] = []
        watchdog = Watchdog(
            asyncio.get_running_loop(),
            [lambda alive, silent: asked.append((alive, silent))],
            0,
            lambda: fed.append("fed"),
        )
        watchdog.start()
        watchdog.stop()
        for answer in asked[0]:
            answer()
        await asyncio.sleep(0.01)
        assert (fed, len(asked)) == ([], 1)

    asyncio.run(life())
