"""A disk that stalls: the table waits for it, shows nothing too early, and is not killed for it."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EIO
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault, Refusal
from console.service.disk_thread import DEADLINE_S, InlineDiskWriter
from console.service.supervision.main_loop import Watchdog
from console.simulation.cabinet import drivers_in
from console.simulation.scenario.simulated_machine import machine_in_real_time
from devices.board_rail import BoardRail
from devices.roles import SEATS, Lamp
from firmware_bridge.board_session.protocol import HOST_REPEAT_MS, SILENCE_MS
from tests.console.rules.test_outputs import first_lines
from tests.console.service.slow_disk import SlowDiskWriter, SlowTable, slow_disk_writers, slow_table
from tests.console.service.test_table_service import HeldDiskWriter, table_with
from tests.console.table import OPEN, TO_PHASE, Table
from tests.house.test_systemd import unit

T = TypeVar("T")

INVITED = dict.fromkeys(SEATS, Lamp.INVITE)
LEDGER_FAULT = "REGISTRO GUASTO"
WATCHDOG_S = float(unit()["Service"]["WatchdogSec"][0])
MARGIN_S = 1.0
EVENTS_WITHIN_S = 300.0
HEARTBEATS = 1 + SILENCE_MS // HOST_REPEAT_MS


# The watchdog


@contextmanager
def record_feeding(slow: SlowTable) -> Iterator[list[float]]:
    """When the service feeds the watchdog of its unit, in seconds of the loop's clock."""
    times: list[float] = []
    probes = slow.table.simulated_table.service.disk.probes
    watchdog = Watchdog(slow.loop, probes, WATCHDOG_S / 3, lambda: times.append(slow.loop.time()))
    watchdog.start()
    yield times
    watchdog.stop()


def longest_silence(times: list[float]) -> float:
    return max(later - sooner for sooner, later in pairwise(times))


@pytest.mark.parametrize("after_ms", range(0, 4000, 500))
def test_a_stall_of_four_seconds_is_waited_for(after_ms: int, tmp_path: Path) -> None:
    """Whenever it begins between two signs of life"""
    with slow_table(tmp_path) as slow, record_feeding(slow) as times:
        slow.table.play("wait 10s", f"wait {after_ms}ms")
        slow.ledger.stalls.append(4.0)
        slow.table.play(*OPEN, "wait 3s", "expect phase PAUSED", "wait 1s", "expect phase BETTING")
        slow.table.play("wait 20s", "expect fault none")
        assert longest_silence(times) <= WATCHDOG_S / 3 + 0.001


@pytest.mark.parametrize("stall_s", [6.0, 9.0])
@pytest.mark.parametrize("after_ms", range(0, 4000, 500))
def test_who_locks_on_a_slow_disk_lives_to_keep_the_lock(
    stall_s: float, after_ms: int, tmp_path: Path
) -> None:
    """Each sync takes longer than is waited for: the commit's, and then that of the lock"""
    with slow_table(tmp_path) as slow, record_feeding(slow) as times:
        slow.table.play("wait 10s", f"wait {after_ms}ms")
        slow.ledger.stalls.append(stall_s)
        slow.table.play(*OPEN, "wait 4900ms", "expect fault none")
        slow.lock.stalls.append(stall_s)
        slow.table.play("wait 6s", "expect refused LOCKED", "wait 1m")
        assert slow.table.state.faults == (Fault.LEDGER_FAULT,)
        assert longest_silence(times) <= WATCHDOG_S - MARGIN_S
        slow.table.play("power off", "power on", "wait 2s", "expect fault LEDGER_FAULT", "key S")
        slow.table.play("clear LEDGER_FAULT", "expect fault none", "key R", "expect phase BETTING")


@pytest.mark.parametrize("thread", ["ledger", "lock"])
def test_a_thread_that_hangs_is_not_kept_alive(thread: str, tmp_path: Path) -> None:
    """Hung but alive is worse than dead; once it answers again, the next feeding is at once"""
    with slow_table(tmp_path) as slow, record_feeding(slow) as times:
        slow.table.play("wait 10s")
        hangs: SlowDiskWriter = getattr(slow, thread)
        hung_at = slow.loop.time()
        hangs.stalls.append(60.0)
        hangs.do(lambda: None, lambda _: None, lambda _: None)
        slow.table.play("wait 59s")
        assert hung_at + DEADLINE_S - WATCHDOG_S / 3 <= times[-1]
        assert times[-1] <= hung_at + DEADLINE_S + WATCHDOG_S / 3
        slow.table.play("wait 2s")
        assert times[-1] == pytest.approx(hung_at + 60.0)


# What is shown before the lock is kept, and what a cut of power gives


@contextmanager
def hold_lock(folder: Path) -> Iterator[tuple[Table, HeldDiskWriter]]:
    """A table in BETTING with two tokens; the lock's sync can be held."""
    lock = HeldDiskWriter()
    with table_with(folder, slow_disk_writers(InlineDiskWriter(), lock)) as table:
        table.play(*OPEN, "token 1 2")
        yield table, lock


def let_go(lock: HeldDiskWriter) -> None:
    lock.held = False
    lock.go_on()


def test_a_lock_is_shown_when_it_is_kept_and_takes_the_invitation_back_at_once(
    tmp_path: Path,
) -> None:
    """TABLE 7.15, 7.19"""
    with hold_lock(tmp_path) as (table, lock):
        lock.held = True
        table.play("disk full", "press COIN_IN", "expect slots 1 2", "expect refused none")
        table.play("press JPOT", "wait 3s", "expect refused none", "expect display JACKPOT")
        let_go(lock)
        table.play("wait 10ms", "expect slots 1 2", "expect refused LOCKED")
        assert LEDGER_FAULT in first_lines(table, 5)
        table.play("power off", "disk ok", "power on", "wait 2s", "expect fault LEDGER_FAULT")
        table.play("key S", "clear LEDGER_FAULT", "key R", "press COIN_IN", "expect seats 1 2")


def test_a_cut_before_the_lock_is_kept_gives_what_was_shown(tmp_path: Path) -> None:
    """TABLE 7.10: nothing was shown of the lock; what was committed last holds"""
    with hold_lock(tmp_path) as (table, lock):
        lock.held = True
        table.play("disk full", "press COIN_IN", "expect display JACKPOT", "power off")
        let_go(lock)
        table.play("disk ok", "power on", "wait 2s", "expect fault none", "expect phase BETTING")
        table.play("press COIN_IN", "expect seats 1 2", "expect jackpot 10002.80")


def test_a_lock_that_no_disk_takes_is_shown_all_the_same(tmp_path: Path) -> None:
    with slow_table(tmp_path) as slow:
        slow.table.play(*OPEN)
        slow.lock.stalls.append(3600.0)
        slow.table.play("disk full", "press COIN_IN", "expect slots none", "wait 4s")
        slow.table.play("expect refused none", "wait 1s", "expect refused LOCKED")


def test_unlocked_is_shown_once_a_cut_finds_it_so(tmp_path: Path) -> None:
    """TABLE 7.10, 7.15"""
    with hold_lock(tmp_path) as (table, lock):
        table.play("disk full", "press COIN_IN", "key S", "disk ok")
        lock.held = True
        table.play("clear LEDGER_FAULT", "wait 2s", "expect fault LEDGER_FAULT")
        table.play("power off", "power on", "wait 2s", "expect fault LEDGER_FAULT")
        let_go(lock)
        table.play("clear LEDGER_FAULT", "expect fault none", "power off", "power on", "wait 2s")
        table.play(
            "expect fault none", "key R", "expect phase BETTING", "expect slots 1 2 3 4 5 6 7"
        )


def test_service_under_a_lock_is_shown_when_a_cut_gives_it_back(tmp_path: Path) -> None:
    """TABLE 6.19, 7.10"""
    with hold_lock(tmp_path) as (table, lock):
        table.play("disk full", "press COIN_IN")
        lock.held = True
        table.play("key S", "wait 1s", "expect phase BETTING", "power off")
        let_go(lock)
        table.play("power on", "wait 2s", "expect phase BETTING", "key R", "key S")
        table.play("expect phase SERVICE", "power off", "power on", "expect phase SERVICE")


class RefusingDiskWriter(InlineDiskWriter):
    """The lock's thread; `refuses` what it is asked: the file cannot be written."""

    refuses = False

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        if self.refuses:
            failed(OSError(EIO, "Input/output error"))
        else:
            super().do(work, done, failed)


def test_a_lock_that_cannot_be_taken_back_stays_and_is_shown(tmp_path: Path) -> None:
    """TABLE 7.7, 7.10: a cut would find it; what was cleared is on record, each thing once"""
    lock = RefusingDiskWriter()
    with table_with(tmp_path, slow_disk_writers(InlineDiskWriter(), lock)) as table:
        table.play(
            *TO_PHASE["PLAYING"], "disk full", "press FLUSH", "press JPOT", "disk ok", "key S"
        )
        lock.refuses = True
        table.play("clear LEDGER_FAULT", "expect fault LEDGER_FAULT", "expect phase SERVICE")
        lock.refuses = False
        table.play("power off", "power on", "wait 2s", "expect fault LEDGER_FAULT")
        table.play("clear LEDGER_FAULT", "expect fault none", "key R", "expect phase PLAYING")
        locked = [record.body["act"] for record in table.records if "while_locked" in record.body]
        buttons = [act["button"] for act in locked if isinstance(act, dict) and "button" in act]
        assert buttons == ["COMBINATION_5", "JPOT"]


# By the clock, with the disk's real threads


class StallingSync:
    """`os.fsync` and `os.fdatasync` of a disk that does not answer until it is told to."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        self.threads: set[int] = set()
        self._loops = threading.get_ident()

    def __call__(self, _descriptor: int) -> None:
        self.threads.add(threading.get_ident())
        assert self._loops not in self.threads, "the event loop syncs"
        assert self.answers.wait(EVENTS_WITHIN_S)


def test_while_the_locks_sync_stalls_the_rail_is_attended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More heartbeats than a board waits for; nothing is ever synced on the event loop"""
    sync, plan = StallingSync(), TablePlan()
    with machine_in_real_time(plan, tmp_path, drivers=drivers_in) as machine:
        table = Table(plan, machine)
        table.play(*OPEN)
        rail = table.simulated_table.service.drivers.rail
        assert isinstance(rail, BoardRail)
        sent = rail.session.statistics

        async def until(ready: Callable[[], bool]) -> None:
            async with asyncio.timeout(EVENTS_WITHIN_S):
                while not ready():
                    await asyncio.sleep(0.01)

        def wait_until(ready: Callable[[], bool]) -> None:
            machine.loop.run_until_complete(until(ready))

        wait_until(lambda: table.seen.slots == INVITED)
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, sync)
        table.play("disk full", "press JPOT")
        wait_until(lambda: bool(sync.threads))
        heartbeats = sent.sent + HEARTBEATS
        wait_until(lambda: sent.sent >= heartbeats)
        wait_until(lambda: table.seen.slots == {})
        sync.answers.set()
        wait_until(lambda: table.seen.refused is Refusal.LOCKED)
        table.play("disk ok", "key S", "clear LEDGER_FAULT")
        wait_until(lambda: Fault.LEDGER_FAULT not in table.state.faults)
