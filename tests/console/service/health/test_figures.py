"""What a table measures about itself while it is played."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import TypeVar

import pytest

from console.configuration.table_plan import TablePlan
from console.service.disk_thread import InlineDiskWriter
from console.service.health.figures import (
    LINE_EVERY_S,
    LOOK_EVERY_S,
    Health,
    statistics_line,
)
from console.service.health.loop_stall import STARTING_S, LoopStall
from console.service.health.surroundings import Surroundings
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.failures import LedgerUnavailable
from tests.console.service.test_table_service import table_with
from tests.console.table import Table
from tests.house.documents import page, rows

T = TypeVar("T")

STATISTICS = "console.service.health.figures"


class MeasuredTable(Table):
    """A table whose health is measured; `room` is what its disk says, None: it does not answer."""

    def __init__(self, folder: Path) -> None:
        self._machine = machine_in_virtual_time(TablePlan(), folder)
        machine = self._machine.__enter__()
        self.room: float | None = 900.0
        self._stall = LoopStall()
        self.health = Health(machine.loop, Surroundings(self._free), self._stall, lambda: 3)
        machine.followers.append(self.health.follow)
        super().__init__(TablePlan(), machine)

    def _free(self) -> float:
        if self.room is None:
            raise OSError("the disk is gone")
        return self.room

    def figure(self, key: str) -> float:
        return self.health.numbers()[key]

    def close(self) -> None:
        self._machine.__exit__(None, None, None)
        self._stall.close()


@contextmanager
def measure(folder: Path) -> Iterator[MeasuredTable]:
    table = MeasuredTable(folder)
    try:
        yield table
    finally:
        table.close()


def test_acts_and_refusals_are_counted(tmp_path: Path) -> None:
    with measure(tmp_path) as table:
        before = dict(table.health.numbers())
        table.play("press game_over", "press game_over", "token 3", "press coin_in")
        after = table.health.numbers()
        assert after["refused_acts"] - before["refused_acts"] == 1
        assert after["acts"] - before["acts"] >= 4
        assert after["waiting_acts"] == 0


def test_commits_are_counted_and_timed(tmp_path: Path) -> None:
    with measure(tmp_path) as table:
        before = table.figure("commits")
        table.play("press game_over")
        assert table.figure("commits") == before + 1
        last, mean = table.figure("commit_last_ms"), table.figure("commit_mean_ms")
        assert 0 < last <= table.figure("commit_max_ms")
        assert 0 < mean <= table.figure("commit_max_ms")


def test_a_commit_that_failed_is_none(tmp_path: Path) -> None:
    with measure(tmp_path) as table:
        table.play("disk full")
        before = table.figure("commits")
        table.play("press game_over", "expect fault LEDGER_FAULT")
        assert table.figure("commits") == before


def test_frames_are_those_of_all_devices(tmp_path: Path) -> None:
    with measure(tmp_path) as table:
        table.play("wait 10s")
        lines = [figures.counts for figures in table.simulated_table.service.drivers.figures()]
        assert table.figure("frames_in") == sum(counts.received for counts in lines) > 20
        assert table.figure("frames_out") == sum(counts.sent for counts in lines) > 20
        assert table.figure("frames_bad") == 0


def test_the_disk_is_looked_at_every_ten_seconds(tmp_path: Path) -> None:
    with measure(tmp_path) as table:
        assert table.figure("disk_free_mb") == 900.0
        table.room = 100.0
        table.play(f"wait {LOOK_EVERY_S:.0f}s")
        assert table.figure("disk_free_mb") == 100.0
        table.room = None
        table.play(f"wait {LOOK_EVERY_S:.0f}s")
        assert "disk_free_mb" not in table.health.numbers()


class DeadDisk(InlineDiskWriter):
    """A disk that answers nothing any more when `dead`: its thread's deadline passes."""

    dead = False

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        if self.dead:
            failed(LedgerUnavailable("the disk has not answered for 5 s"))
        else:
            super().do(work, done, failed)


def test_of_a_disk_that_answers_nothing_nothing_is_told_until_it_does(tmp_path: Path) -> None:
    disk = DeadDisk()
    with table_with(tmp_path, lambda: disk) as table, closing(LoopStall()) as stall:
        health = Health(table.machine.loop, Surroundings(lambda: 900.0), stall)
        health.follow(table.simulated_table.service)
        assert {"disk_free_mb", "memory_mb"} <= set(health.numbers())
        disk.dead = True
        table.play(f"wait {LOOK_EVERY_S:.0f}s")
        assert not {"disk_free_mb", "memory_mb"} & set(health.numbers())
        disk.dead = False
        table.play(f"wait {LOOK_EVERY_S:.0f}s")
        assert health.numbers()["disk_free_mb"] == 900.0
        health.follow(None)


def test_a_line_of_statistics_each_minute(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, STATISTICS)
    with measure(tmp_path) as table:
        table.play("wait 59s")
        assert caplog.messages == []
        table.play(f"wait {3 * LINE_EVERY_S - 59:.0f}s")
        assert len(caplog.messages) == 3
        figures = dict(word.split("=") for word in caplog.messages[0].split())
        assert float(figures["up_s"]) == pytest.approx(60, abs=1)
        assert figures["disk_free_mb"] == "900"
        assert figures["log_lines_lost"] == "3"
        assert set(figures) == set(table.health.numbers())


def test_a_line_has_no_more_digits_than_mean_something() -> None:
    numbers = {"acts": 1_234_567, "loop_stall_ms": 0.8341, "temperature_c": 50.0}
    assert statistics_line(numbers) == "acts=1234567 loop_stall_ms=0.8 temperature_c=50"


def test_nothing_is_measured_while_the_power_is_out_and_anew_when_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, STATISTICS)
    with measure(tmp_path) as table:
        table.play("press game_over", "wait 30s", "power off")
        assert table.health.numbers() == {}
        table.play("wait 10m")
        assert caplog.messages == []
        table.play("power on", "wait 1s")
        assert table.figure("up_s") == pytest.approx(1, abs=0.1)
        assert table.figure("acts") < 10


# The loop


def test_a_loop_that_is_held_is_measured() -> None:
    stall = LoopStall()
    loop = asyncio.SelectorEventLoop(stall)
    stall.start()
    loop.run_until_complete(asyncio.sleep(STARTING_S + 0.15))
    before, began = stall.longest_ms, loop.time()
    held_ms = 600 + 2 * before  # a busy machine has held it, too
    loop.call_soon(Event().wait, held_ms / 1000)
    loop.run_until_complete(asyncio.sleep(held_ms / 1000 + 0.2))
    took_ms = (loop.time() - began) * 1000
    loop.close()
    assert held_ms <= stall.longest_ms < took_ms
    assert stall.of_the_last_minute_ms == stall.longest_ms


class HeldStall(LoopStall):
    """Of a loop that is made to work or sleep for as long as is said."""

    def __init__(self) -> None:
        self.now, self._nap = 1000.0, 0.0
        super().__init__(self._tell)
        self.start()

    def turn(self, held: float, nap: float = 0.0, timeout: float = 0.0) -> None:
        """One pass that takes `held`, then a sleep of `nap`, where `timeout` was asked for."""
        self.now += held
        self._nap = nap
        self.select(timeout)

    def _tell(self) -> float:
        now = self.now
        self.now, self._nap = now + self._nap, 0.0
        return now


@pytest.fixture
def stall() -> Iterator[HeldStall]:
    with closing(HeldStall()) as held:
        yield held


def test_a_stall_is_forgotten_after_a_minute_and_the_longest_never(stall: HeldStall) -> None:
    stall.turn(0, STARTING_S + 1)
    assert (stall.longest_ms, stall.of_the_last_minute_ms) == (0, 0)
    stall.turn(0.25)
    stall.turn(0.001, 49)
    assert stall.of_the_last_minute_ms == pytest.approx(250)
    stall.turn(0, 15)
    assert stall.of_the_last_minute_ms == 0
    assert stall.longest_ms == pytest.approx(250)
    stall.turn(0, 3600)
    stall.turn(0.1)
    assert stall.of_the_last_minute_ms == pytest.approx(100)


def test_what_holds_the_loop_while_the_table_starts_is_no_stall(stall: HeldStall) -> None:
    stall.turn(0.3, 0.5)
    stall.turn(0.4, 0.5)
    stall.turn(0.4, 10)
    assert stall.longest_ms == 0
    stall.turn(0.2)
    stall.start()  # a power cut: another service
    assert stall.longest_ms == 0


def test_the_longest_of_a_minute_is_told(stall: HeldStall) -> None:
    stall.turn(0, STARTING_S)
    for seconds in (0.3, 1.0, 0.2):
        stall.turn(seconds, 12)
    assert stall.of_the_last_minute_ms == pytest.approx(1000)


def test_a_loop_that_is_woken_late_has_been_held(stall: HeldStall) -> None:
    """By a thread that keeps the interpreter, or by other programs."""
    stall.turn(0, STARTING_S)
    stall.turn(0, 0.4, timeout=0.001)
    assert stall.longest_ms == pytest.approx(399)


# The page


def test_every_figure_stands_on_the_page(tmp_path: Path) -> None:
    figures = rows(page("docs/reference/health.md").split("## The log")[0])[2:]
    with measure(tmp_path) as table:
        numbers = set(table.health.numbers())
    elsewhere = {"temperature_c", "under_voltage", "throttled"}  # on a Raspberry Pi
    elsewhere.add("clock_unsynced")  # at a real table
    for witness in ("copy", "seal", "witness"):  # where the ledger has them
        elsewhere |= {f"{witness}_lost", f"{witness}_behind", f"{witness}_late_s"}
    elsewhere |= {"link_lost", "link_calls_waiting", "link_last_answered"}  # at a linked table
    assert {row[0] for row in figures} == numbers | elsewhere | {"not_compared"}
