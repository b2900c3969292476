"""What happens while the disk is busy: acts wait, boards boot, ledgers are opened again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.rules.acts import Cleared
from console.rules.codes import Fault
from console.rules.games import RailKind
from console.rules.structs import replace
from console.service.table_ledger import LOCK_FILE
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from devices.roles import Button, ButtonPressed, RailSeen
from jackpot.ledger.lock_file import LockFile
from jackpot.ledger.schema import FILE
from tests.console.service.test_table_service import HeldDiskWriter, table_with
from tests.console.table import OPEN, Table, table_in

JPOT = ButtonPressed(Button.JPOT)
PLAYING = (*OPEN, "token 1", "press COIN_IN", "expect phase PLAYING")
LOCKED_IN_SERVICE = ("disk full", "press JPOT", "expect fault LEDGER_FAULT", "key S", "disk ok")


@dataclass(frozen=True, slots=True)
class BusyTable:
    """A table, and the disk that can be held under it."""

    table: Table
    disk: HeldDiskWriter

    def hold(self) -> None:
        self.disk.held = True

    def let_go(self) -> None:
        """What waits is written, and a second passes."""
        self.disk.held = False
        self.disk.go_on()
        self.table.machine.pass_time(1000)

    def reboot_rail(self) -> None:
        """The rail's board alone loses its power for a moment."""
        rail = self.table.machine.cabinet.rail
        rail.power(False)
        self.table.machine.pass_time(100)
        rail.power(True)
        self.table.machine.pass_time(700)

    @property
    def rail_seen(self) -> RailSeen:
        seen = self.table.state.rail.seen
        assert seen is not None
        return seen


@contextmanager
def busy_table(folder: Path, plan: TablePlan | None = None) -> Iterator[BusyTable]:
    disk = HeldDiskWriter()
    with table_with(folder, lambda: disk, plan) as table:
        yield BusyTable(table, disk)


def add_drops(drops: tuple[int, ...], *seats: int) -> tuple[int, ...]:
    """The drop counters after one more token at each of these seats."""
    return tuple(drop + (seat in seats) for seat, drop in enumerate(drops, 1))


# What fell due while it waited


def test_a_card_covered_for_two_seconds_has_lost_its_right_when_jpot_is_pressed(
    tmp_path: Path,
) -> None:
    """The cover and the button wait together; the card's time is over before the button's."""
    with busy_table(tmp_path) as busy:
        table = busy.table
        table.play(*PLAYING, "press FLUSH", "key JPL")
        busy.hold()
        table.play("press FULL_HOUSE", "press FLUSH", "cover 1", "wait 2s", "press JPOT")
        busy.let_go()
        table.play("expect phase PLAYING", "expect fault none")
        assert table.state.seats.changed == {1}
        jpot = [r.body for r in table.records if r.body.get("act") == {"button": "JPOT"}]
        assert jpot[-1]["refusal"] == "NOBODY_ELIGIBLE"


def test_a_card_covered_and_uncovered_too_late_loses_its_right(tmp_path: Path) -> None:
    """Both reports wait for the disk; each counts from when it came."""
    with busy_table(tmp_path) as busy:
        busy.table.play(*PLAYING)
        busy.hold()
        busy.table.play("press FLUSH", "cover 1", "wait 2s", "uncover 1", "wait 10ms")
        busy.let_go()
        assert busy.table.state.rail.seen == replace(busy.rail_seen, occupied=frozenset())
        assert busy.table.state.seats.changed == {1}


def test_a_card_covered_for_a_moment_keeps_its_right(tmp_path: Path) -> None:
    """However long the disk is busy after it."""
    with busy_table(tmp_path) as busy:
        busy.table.play(*PLAYING)
        busy.hold()
        busy.table.play("press FLUSH", "cover 1", "wait 10ms", "uncover 1", "wait 3s")
        busy.let_go()
        assert busy.table.state.seats.changed == frozenset()


# Boards that boot meanwhile


def test_a_drop_seen_before_the_board_rebooted_is_accepted(tmp_path: Path) -> None:
    with busy_table(tmp_path) as busy:
        table = busy.table
        table.play(*OPEN, "token 1", "jam 1", "press COIN_IN", "expect phase COLLECTING")
        boot = busy.rail_seen.boot
        busy.hold()
        table.play("press JPOT", "unjam 1", "wait 1s")
        assert table.machine.cabinet.tray_count == 1
        busy.reboot_rail()
        busy.let_go()
        assert busy.rail_seen.boot != boot
        table.play("expect phase PLAYING", "expect seats 1", "expect fault none")
        assert len(table.decisions("token-accepted")) == 1


def test_gates_decided_on_one_boot_do_not_open_for_another(tmp_path: Path) -> None:
    with busy_table(tmp_path) as busy:
        table = busy.table
        table.play(*OPEN, "token 1")
        busy.hold()
        table.play("press COIN_IN")
        busy.reboot_rail()
        busy.disk.works.popleft()()
        table.machine.pass_time(500)
        assert table.machine.cabinet.tray_count == 0
        busy.let_go()
        assert table.machine.cabinet.tray_count == 0
        table.play("press COIN_IN", "wait 1s", "expect phase PLAYING", "expect seats 1")
        assert table.machine.cabinet.tray_count == 1


# A ledger that is opened again


def test_a_swallowed_token_counted_while_the_ledger_is_reopened_counts_once(
    tmp_path: Path,
) -> None:
    """The last report is not read before an older one that still waits."""
    with busy_table(tmp_path, TablePlan(rail=RailKind.CCTALK)) as busy:
        table, service = busy.table, busy.table.simulated_table.service
        table.play(*LOCKED_IN_SERVICE)
        seen = busy.rail_seen
        one = replace(seen, drops=add_drops(seen.drops, 1))
        busy.hold()
        service.report(Cleared(Fault.LEDGER_FAULT, "floor manager"))
        service.report(one)
        service.report(JPOT)
        service.report(replace(one, drops=add_drops(one.drops, 2)))
        busy.disk.held = False
        busy.disk.go_on()
        assert service.state.seats.swallowed == add_drops((0,) * 7, 1, 2)
        assert service.state.faults == ()


def test_tokens_dropped_while_the_ledger_is_reopened_are_both_accepted(tmp_path: Path) -> None:
    with busy_table(tmp_path) as busy:
        table, service = busy.table, busy.table.simulated_table.service
        table.play(*OPEN, "token 1 2", "jam 1 2", "press COIN_IN", "expect phase COLLECTING")
        table.play(*LOCKED_IN_SERVICE)
        seen = busy.rail_seen
        one = replace(
            seen, drops=add_drops(seen.drops, 1), occupied=frozenset({2}), tray=seen.tray + 1
        )
        two = replace(seen, drops=add_drops(one.drops, 2), occupied=frozenset(), tray=seen.tray + 2)
        busy.hold()
        service.report(Cleared(Fault.LEDGER_FAULT, "floor manager"))
        for act in (one, JPOT, two):
            service.report(act)
        busy.disk.held = False
        busy.disk.go_on()
        assert service.state.seats.accepted == {1, 2}
        assert service.state.faults == ()


def test_clearing_a_ledger_fault_without_room_does_not_unlock(tmp_path: Path) -> None:
    """The record of the clearing is itself what finds the disk full."""
    with table_in(tmp_path) as table:
        table.play("key S", "disk full", "clear LEDGER_FAULT", "expect fault LEDGER_FAULT")
        table.play("clear LEDGER_FAULT", "expect fault LEDGER_FAULT")
        table.play("power off", "power on", "wait 2s", "expect fault LEDGER_FAULT")
        table.play("disk ok", "clear LEDGER_FAULT", "expect fault none")


def test_settings_of_another_table_are_refused_when_its_ledger_is_mended(tmp_path: Path) -> None:
    """What a start refuses, a clearing refuses too: the ledger could not be read at the start."""
    with machine_in_virtual_time(TablePlan(table="one"), tmp_path) as machine:
        Table(TablePlan(table="one"), machine).play(*PLAYING)
    other = TablePlan(table="two")
    with machine_in_virtual_time(other, tmp_path) as machine:
        journal, aside = machine.disk.folder / FILE, tmp_path / "aside"
        journal.rename(aside)
        journal.mkdir()
        table = Table(other, machine)
        table.play("expect fault LEDGER_FAULT", "key S")
        journal.rmdir()
        aside.rename(journal)
        table.play("clear LEDGER_FAULT", "expect fault LEDGER_FAULT")
        assert table.state.settings is None
        table.play("key R", "press GAME_OVER", "expect refused LOCKED", "expect jackpot 0.00")


def test_cards_drawn_while_the_table_is_locked_are_there_when_it_is_cleared(
    tmp_path: Path,
) -> None:
    """Nobody says them again."""
    with table_in(tmp_path, "game mini-punto-banco") as table:
        table.play("shoe load", "shoe burn", "press GAME_OVER", "press COIN_IN", "draw 2S 3S")
        table.play("expect remaining 305", "disk full", "press COIN_IN")
        table.play("expect fault LEDGER_FAULT", "draw 9H 9D 5D 4C", "expect remaining 305")
        table.play("key S", "disk ok", "clear LEDGER_FAULT", "key R", "wait 1s")
        table.play("expect fault none", "expect remaining 301", "draw 2H", "wait 1s")
        table.play("expect fault none", "expect remaining 300")


# After the end


def test_a_service_closed_with_a_commit_in_flight_locks_nothing(tmp_path: Path) -> None:
    with busy_table(tmp_path) as busy:
        table = busy.table
        service = table.simulated_table.service
        busy.hold()
        table.play("press GAME_OVER", "press JPOT")
        in_flight = busy.disk.works.popleft()
        before = service.state
        table.machine.close()
        in_flight()
        assert service.state == before
        assert LockFile(table.machine.disk.folder / LOCK_FILE).read() is None
        service.report(JPOT)
        table.machine.pass_time(6000)
        assert service.state == before
        assert not busy.disk.works
