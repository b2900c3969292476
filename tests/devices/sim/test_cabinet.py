"""The simulated cabinet: what hands can do, what outlives a process, and the disk under it."""

import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.device import Device
from devices.roles import KeyPosition, PanelLights, RailOrders
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk
from devices.sim.memory import CabinetMemory
from devices.sim.rail import PhysicallyImpossible
from tests.devices.table import Table

BOOT = 1
"""A new cabinet's board has booted once."""

MOST_CALLS = 40_000
"""Of Python functions in a quiet minute: there are 31,600. A poll every 10 ms adds 12,000."""


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table("slot")
    yield table
    table.close()


IMPOSSIBLE: list[tuple[Callable[[SimulatedCabinet], None], str]] = [
    (lambda cabinet: cabinet.rail.put_token(1), "a token lies at seat 1 already"),
    (lambda cabinet: cabinet.rail.put_token(2), "a card covers seat 2"),
    (lambda cabinet: cabinet.rail.take_token(3), "no token lies at seat 3"),
    (lambda cabinet: cabinet.rail.uncover(3), "no card covers seat 3"),
    (lambda cabinet: cabinet.unplug(Device.SHOE), "the shoe has no serial cable"),
]


@pytest.mark.parametrize(("act", "why"), IMPOSSIBLE)
def test_what_nobody_could_do_is_refused_with_its_reason(
    table: Table, act: Callable[[SimulatedCabinet], None], why: str
) -> None:
    table.cabinet.rail.put_token(1)
    table.cabinet.rail.cover(2)
    with pytest.raises(PhysicallyImpossible, match=why):
        act(table.cabinet)


def test_a_cabinet_without_a_rail_takes_no_token() -> None:
    table = Table(None)
    with pytest.raises(PhysicallyImpossible, match="no coin rail"):
        table.cabinet.rail.put_token(1)
    table.close()


def test_power_off_is_dark_and_leaves_things_where_they_are(table: Table) -> None:
    panel = table.start_panel()
    panel.show(PanelLights(combinations=(True,) * 5))
    table.start_display()
    table.cabinet.rail.put_token(1)
    table.cabinet.turn_key(KeyPosition.S)
    table.cabinet.cut_power()
    table.run(10)
    assert table.cabinet.display.lines() == ("", "")
    assert table.cabinet.panel.combination_lamps() == (False,) * 5
    table.cabinet.restore_power()
    assert table.cabinet.state.tokens == {1}
    assert table.cabinet.state.key is KeyPosition.S
    assert table.cabinet.display.lines() == (" " * 20, " " * 20)


def count_calls(run: Callable[[], None]) -> int:
    """How many Python functions are called meanwhile: the same on every machine."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def test_a_quiet_minute_of_all_devices_costs_little(table: Table) -> None:
    table.start_panel()
    table.start_display()
    table.start_rail()
    calls = count_calls(lambda: table.run(60))
    assert calls < MOST_CALLS, f"{calls} calls"
    assert all(table.is_up(device) for device in (Device.PANEL, Device.DISPLAY, Device.RAIL))


def test_a_killed_process_finds_the_cabinet_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "cabinet.json"
    table = Table("slot", memory=CabinetMemory(path))
    rail = table.start_rail()
    for seat in (1, 2):
        table.cabinet.rail.put_token(seat)
    table.cabinet.rail.jam(2, True)
    table.cabinet.turn_key(KeyPosition.JPL)
    rail.show(RailOrders(gates=frozenset((1, 2)), turn=1, boot=BOOT))
    table.run()
    seen, state = table.rail_seen, table.cabinet.state
    table.close()
    again = Table("slot", memory=CabinetMemory(path))
    again.start_rail()
    assert again.cabinet.state == state
    assert again.rail_seen == seen
    assert (seen.tray, state.tokens, state.jams) == (1, {2}, {2})
    again.close()


def test_a_token_in_the_chute_of_a_killed_process_still_lands(tmp_path: Path) -> None:
    path = tmp_path / "cabinet.json"
    table = Table("slot", memory=CabinetMemory(path))
    rail = table.start_rail()
    table.cabinet.rail.put_token(2)
    rail.show(RailOrders(gates=frozenset((2,)), turn=1, boot=BOOT))
    while table.cabinet.state.tokens:
        table.run(0.001)
    assert table.cabinet.tray_count == 0
    table.close()
    again = Table("slot", memory=CabinetMemory(path))
    again.start_rail()
    assert (sum(again.rail_seen.drops), again.rail_seen.tray, again.cabinet.tray_count) == (1, 1, 1)
    again.close()


def test_the_board_opens_no_gate_twice_for_a_turn_when_the_service_was_killed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "cabinet.json"
    table = Table("slot", memory=CabinetMemory(path))
    rail = table.start_rail()
    table.cabinet.rail.put_token(2)
    table.cabinet.rail.jam(2, True)
    rail.show(RailOrders(gates=frozenset((2,)), turn=7, boot=BOOT))
    table.run()
    table.close()
    again = Table("slot", memory=CabinetMemory(path))
    again.cabinet.rail.jam(2, False)
    again.start_rail().show(RailOrders(gates=frozenset((2,)), turn=7, boot=BOOT))
    again.run()
    assert again.cabinet.state.tokens == {2}
    again.close()


def test_a_memory_that_is_none_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cabinet.json"
    path.write_text('{"key": "Q"}')
    with pytest.raises(OSError, match=r"cabinet\.json"):
        CabinetMemory(path).load()


@pytest.fixture
def disk(tmp_path: Path) -> SimulatedDisk:
    (tmp_path / "ledger").mkdir()
    return SimulatedDisk(tmp_path / "ledger")


def connect_to(disk: SimulatedDisk) -> sqlite3.Connection:
    connection = disk.connect(disk.folder / "ledger.db")
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE IF NOT EXISTS journal (seq)")
    return connection


def test_a_full_disk_takes_no_write_and_gives_what_was_written(disk: SimulatedDisk) -> None:
    connection = connect_to(disk)
    connection.execute("INSERT INTO journal VALUES (1)")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO journal VALUES (2)")
    disk.full = True
    with pytest.raises(sqlite3.OperationalError, match="database or disk is full") as full:
        connection.execute("COMMIT")
    assert full.value.sqlite_errorcode == sqlite3.SQLITE_FULL
    with pytest.raises(sqlite3.OperationalError), connection:
        connection.cursor().executemany("INSERT INTO journal VALUES (?)", [(3,)])
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("COMMIT")
    assert connection.execute("SELECT seq FROM journal").fetchall() == [(1,)]
    disk.full = False
    connection.execute("INSERT INTO journal VALUES (4)")
    assert connection.execute("SELECT seq FROM journal").fetchall() == [(1,), (4,)]
    connection.close()


def test_a_pulled_plug_keeps_what_was_committed_and_nothing_else(disk: SimulatedDisk) -> None:
    abandoned = connect_to(disk)
    abandoned.execute("INSERT INTO journal VALUES (1)")
    abandoned.execute("BEGIN IMMEDIATE")
    abandoned.execute("INSERT INTO journal VALUES (2)")
    disk.pull_plug()
    abandoned.execute("COMMIT")
    abandoned.close()
    connection = connect_to(disk)
    assert connection.execute("SELECT seq FROM journal").fetchall() == [(1,)]
    connection.close()


def test_a_process_killed_while_its_plug_is_pulled_finds_its_ledger(disk: SimulatedDisk) -> None:
    connection = connect_to(disk)
    connection.execute("INSERT INTO journal VALUES (1)")
    connection.close()
    disk.folder.rename(disk.folder.with_name("ledger.cut"))
    connection = connect_to(SimulatedDisk(disk.folder))
    assert connection.execute("SELECT seq FROM journal").fetchall() == [(1,)]
    connection.close()
