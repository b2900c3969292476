"""The service: on the disk first, then shown; together what waits; locked where it cannot."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from console.configuration.prizes_section import read_prizes
from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.service.disk_thread import DiskWriter, InlineDiskWriter
from console.service.start import StartRefused
from console.simulation.cabinet import VirtualLoop, cabinet_for, drivers_in
from console.simulation.scenario.simulated_machine import SimulatedMachine, Time
from devices.roles import Lamp
from jackpot.failures import LedgerUnavailable
from jackpot.ledger.ledger import SNAPSHOT_EVERY, verify
from jackpot.money.amounts import Cents
from jackpot.money.settings import MoneySettings
from tests.console.table import OPEN, TO_PHASE, Table, table_in

SCENARIOS = Path(__file__).parents[2] / "scenarios"
T = TypeVar("T")


class HeldDiskWriter:
    """A disk that can be held in the middle of a write."""

    def __init__(self) -> None:
        self.held = False
        self.works: deque[Callable[[], None]] = deque()
        self._inline = InlineDiskWriter()

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        self.works.append(lambda: self._inline.do(work, done, failed))
        self.go_on()

    def go_on(self) -> None:
        while self.works and not self.held:
            self.works.popleft()()

    def close(self) -> None:
        self.works.clear()


@contextmanager
def table_with(
    folder: Path,
    disk_writer: Callable[[], DiskWriter],
    plan: TablePlan | None = None,
    loop: VirtualLoop | None = None,
) -> Iterator[Table]:
    """A table in virtual time whose disk work this writer does, and that of its lock."""
    plan = plan or TablePlan()
    loop = loop or VirtualLoop()
    time = Time(loop, lambda ms: loop.run_for(ms / 1000), lambda: "", disk_writer, durable=False)
    cabinet = cabinet_for(loop, plan)
    machine = SimulatedMachine(
        plan, folder / "ledger", time, cabinet, lambda: drivers_in(loop, cabinet, plan)
    )
    try:
        yield Table(plan, machine)
    finally:
        machine.close()
        cabinet.close()
        loop.run_for(0.001)
        loop.close()


def test_a_seat_led_lights_only_when_its_token_is_on_the_disk(tmp_path: Path) -> None:
    """TABLE 2.9: committed to the ledger, and only then shown"""
    disk_writer = HeldDiskWriter()
    with table_with(tmp_path, lambda: disk_writer) as table:
        table.play(*OPEN, "token 1", "jam 1", "press COIN_IN")
        disk_writer.held = True
        table.play("unjam 1", "wait 1s")
        assert table.machine.cabinet.tray_count == 1
        assert table.seen.seats == {}
        table.play("expect phase COLLECTING", "expect display 10.000,00 EUR")
        disk_writer.held = False
        disk_writer.go_on()
        table.play("wait 50ms", "expect phase PLAYING", "expect display 10.001,40 EUR")
        assert table.seen.seats == {1: Lamp.ON}


def test_what_arrives_while_the_disk_is_busy_is_written_together(tmp_path: Path) -> None:
    disk_writer = HeldDiskWriter()
    with table_with(tmp_path, lambda: disk_writer) as table:
        disk_writer.held = True
        table.play(*OPEN, "press GAME_OVER", "press JPOT", "key JPL", "expect phase PAUSED")
        assert len(disk_writer.works) == 1
        written = len(table.records)
        disk_writer.works.popleft()()
        assert len(table.records) == written + 1
        assert len(disk_writer.works) == 1
        disk_writer.held = False
        disk_writer.go_on()
        kinds = [record.kind for record in table.records[written:]]
        assert kinds == ["button", "button", "button", "key"]
        refused = [record.body.get("refusal") for record in table.records[written:]]
        assert refused == [None, "ALREADY_OPEN", "NO_COMBINATION", None]


def test_acts_are_timed_when_they_arrive_not_when_the_disk_is_free(tmp_path: Path) -> None:
    disk_writer = HeldDiskWriter()
    with table_with(tmp_path, lambda: disk_writer) as table:
        disk_writer.held = True
        table.play(*OPEN, "wait 1s", "press JPOT", "wait 3s")
        disk_writer.held = False
        disk_writer.go_on()
        first, second = table.records[-2:]
        assert 1_000 < second.at_ms - first.at_ms < 1_100


def test_a_failed_commit_is_forgotten_and_its_acts_are_refused(tmp_path: Path) -> None:
    """TABLE 7.14: the state stays where it was committed last; nothing of it is shown"""
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1")
        before = table.state
        table.play("disk full", "press COIN_IN", "expect refused LOCKED", "expect seats none")
        assert table.state.phase is before.phase
        assert table.state.balances == before.balances
        assert table.machine.cabinet.open_gates() == frozenset()
        assert table.state.faults == (Fault.LEDGER_FAULT,)


class BrokenDiskWriter(InlineDiskWriter):
    """A disk whose next write fails though it has reached the platter."""

    def __init__(self) -> None:
        self.lose_answer = False

    def do(
        self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        if not self.lose_answer:
            super().do(work, done, failed)
            return
        self.lose_answer = False
        work()
        failed(LedgerUnavailable("no answer"))


def test_a_commit_of_unknown_outcome_counts_if_it_is_on_the_disk(tmp_path: Path) -> None:
    """TABLE 7.11, 7.14: the token was written though the disk said no; it is counted once"""
    disk_writer = BrokenDiskWriter()
    with table_with(tmp_path, lambda: disk_writer) as table:
        table.play(*TO_PHASE["COLLECTING"])
        disk_writer.lose_answer = True
        table.play("unjam 2", "expect fault LEDGER_FAULT", "expect seats 1")
        table.play("key S", "clear LEDGER_FAULT", "expect refused none", "key R")
        table.play("expect phase PLAYING", "expect seats 1 2", "expect jackpot 10002.80")
        assert len(table.decisions("token-accepted")) == 2
        assert verify(table.machine.disk.folder).sound


def test_a_start_reads_the_snapshot_and_what_follows(tmp_path: Path) -> None:
    """TABLE 7.10: however long the night was"""
    with table_in(tmp_path) as table:
        for number in range(SNAPSHOT_EVERY // 6):  # at other seats, or they were unsteady
            seats = ("1 2", "3 4", "5 6")[number % 3]
            table.play(*OPEN, f"token {seats}", "press COIN_IN")
        table.play("press FLUSH")
        assert "snapshot" in [record.kind for record in table.records]
        before = table.seen
        table.play("power off", "power on", "wait 2s")
        assert table.seen == before


def test_the_night_goes_on_where_it_was_on_the_next_start(tmp_path: Path) -> None:
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play(*TO_PHASE["PLAYING"])
        paid = table.seen.accounts
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play("expect phase PLAYING", "expect lamps FLUSH")
        assert table.seen.accounts == paid


def test_other_settings_wait_for_a_paused_table(tmp_path: Path) -> None:
    """TABLE 4.4, 4.5: a round ends under the settings it began with"""
    dearer = TablePlan(money=MoneySettings(token=Cents(400)))
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play(*OPEN)
    with (
        pytest.raises(StartRefused, match="BETTING"),
        table_with(tmp_path, InlineDiskWriter, dearer),
    ):
        pass
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play("press COIN_IN")
    with table_with(tmp_path, InlineDiskWriter, dearer) as table:
        table.play(*OPEN, "token 1", "press COIN_IN", "expect jackpot 10002.80")
        assert table.records[-1].settings_version == 2
        openings = [t for r in table.records for t in r.transactions if t.reason.value == "opening"]
        assert len(openings) == 1


def test_other_prizes_are_adopted_as_settings_are(tmp_path: Path) -> None:
    """PRIZES 1.6"""
    fixed = TablePlan(prizes=read_prizes(SCENARIOS / "prizes" / "fixed.toml"))
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play(*OPEN)
    with (
        pytest.raises(StartRefused, match="BETTING"),
        table_with(tmp_path, InlineDiskWriter, fixed),
    ):
        pass
    with table_with(tmp_path, InlineDiskWriter) as table:
        table.play("press COIN_IN")
    with table_with(tmp_path, InlineDiskWriter, fixed) as table:
        table.play(*OPEN, "token 1", "press COIN_IN", "press FLUSH", "key JPL", "press JPOT")
        table.play("expect each 50.00")
        assert table.records[-1].settings_version == 2


def test_a_ledger_of_another_table_is_refused(tmp_path: Path) -> None:
    with table_with(tmp_path, InlineDiskWriter, TablePlan(table="one")):
        pass
    other = TablePlan(table="two")
    with pytest.raises(StartRefused, match="'one'"), table_with(tmp_path, InlineDiskWriter, other):
        pass


@pytest.mark.parametrize("link", ["", "garden"])
def test_a_linked_table_starts_neither_alone_nor_on_another_jackpot(
    tmp_path: Path, link: str
) -> None:
    with table_with(tmp_path, InlineDiskWriter, TablePlan(link="house")):
        pass
    with (
        pytest.raises(StartRefused, match="'house'"),
        table_with(tmp_path, InlineDiskWriter, TablePlan(link=link)),
    ):
        pass


def test_the_table_wakes_for_what_falls_due(tmp_path: Path) -> None:
    """TABLE 2.15: without anybody doing anything"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["COLLECTING"])
        asked = len(table.records)
        table.play("wait 1h", "expect fault TOKEN_STUCK")
        assert [record.kind for record in table.records[asked:]] == ["time"]
