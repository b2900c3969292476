"""Boards that prove themselves: a table whose rail speaks version 2.

docs/reference/wire-protocol.md.
"""

import asyncio
import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.board_marks import BoardEnrolled, BoardMarks
from console.rules.games import GAMES
from console.service.board_keys import BoardKeys, read_board_keys
from console.service.composition import KEYS_FILE as FILE
from console.service.composition import assemble
from console.service.drivers import Drivers
from console.simulation.cabinet import SimulatedCabinet, lines_in, panel_in
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from devices.board_rail import BoardRail
from devices.device import Device
from devices.sim.board import SimulatedKey
from devices.sim.memory import CabinetState
from devices.sim.rail import do_nothing
from firmware_bridge.board.rail import SlotRail
from tests.console.table import OPEN, Table

PLAN = TablePlan()
OTHER_KEY = b"another table's "


@contextmanager
def real_table(folder: Path, protocol: int = 2) -> Iterator[Table]:
    """A table that enrols nothing by itself; its rail's board may speak this version."""

    def drivers(
        loop: asyncio.AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan
    ) -> Drivers:
        keys = BoardKeys(folder / FILE, {Device.RAIL: protocol})
        panel, fitted = panel_in(loop, cabinet, plan), GAMES[plan.game].devices
        return assemble(loop, plan, fitted, panel, lines_in(cabinet, plan), keys=keys)

    with machine_in_virtual_time(PLAN, folder, drivers=drivers) as machine:
        machine.simulated = False
        yield Table(PLAN, machine)


def enrol(table: Table, device: Device = Device.RAIL) -> None:
    """The technician enrols what answers."""
    marks = table.state.boards
    assert isinstance(marks, BoardMarks)
    found = marks.found[device.value]
    table.simulated_table.service.report(BoardEnrolled(device, found, "anna"))
    table.play("wait 1500ms")


def enrol_all(table: Table) -> None:
    table.play("wait 2s", "key S")
    enrol(table)
    enrol(table, Device.SHUFFLER)
    table.play("key R")


def fit_board(table: Table, key: bytes | None = None) -> SimulatedKey:
    """Another board is fitted, which states the same serial number; its key."""
    memory = CabinetState(keys={} if key is None else {"rail": key.hex()})
    kept = SimulatedKey(Device.RAIL, memory, do_nothing)

    def make_board(boot: int) -> SlotRail:
        board = SlotRail(boot, "RAIL-001")
        board.use_key(kept)
        return board

    table.play("unplug rail", "wait 2s")
    table.machine.cabinet.rail.fit_board(make_board, do_nothing)
    table.play("plug rail", "wait 3s")
    return kept


def rail_of(table: Table) -> BoardRail:
    rail = table.simulated_table.service.drivers.rail
    assert isinstance(rail, BoardRail)
    return rail


def why_lost(table: Table) -> str:
    return rail_of(table).figures()[0].why_down


def read_key(folder: Path) -> bytes:
    return read_board_keys(folder / FILE)["rail"].key


def play_a_hand(table: Table) -> None:
    table.play(*OPEN, "token 1 2", "wait 1s", "press COIN_IN", "wait 3s", "expect phase PLAYING")


def test_a_new_board_is_not_believed_until_it_is_enrolled(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        table.play("wait 2s", "expect fault BOARD_CHANGED", *OPEN, "expect phase PAUSED")
        assert why_lost(table) == "the board has not been given a key: enrol it"
        assert not (tmp_path / FILE).exists()


def test_an_enrolled_board_gets_a_key_and_the_table_plays(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        table.play("expect fault none")
        play_a_hand(table)
        identity = rail_of(table).session.identity
        assert identity is not None
        assert identity.version == 2
    held = read_board_keys(tmp_path / FILE)["rail"]
    assert (held.serial, held.confirmed) == ("RAIL-001", True)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_the_key_is_nowhere_else(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        key = read_key(tmp_path)
        frames = [frame.raw for frame in rail_of(table).session.trace.last(32)]
        seen = repr(rail_of(table).figures(32)) + repr(table.records) + repr(table.state)
    assert not any(key in raw for raw in frames)
    assert key.hex() not in seen
    for file in (tmp_path / "ledger").iterdir():
        assert key not in file.read_bytes()
        assert key.hex().encode() not in file.read_bytes()


def test_a_confirmed_key_is_used_at_the_next_start_and_never_sent_again(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        key = read_key(tmp_path)
        table.play("power off", "power on", "wait 2s", "expect fault none")
        play_a_hand(table)
        spare = fit_board(table)
        assert spare.read_key() is None
        table.play("expect fault BOARD_CHANGED")
    assert read_key(tmp_path) == key


@pytest.mark.parametrize("key", [None, OTHER_KEY], ids=["no key", "another key"])
def test_a_board_that_states_an_enrolled_serial_is_not_believed(
    tmp_path: Path, key: bytes | None
) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        table.play(*OPEN)
        fit_board(table, key)
        assert why_lost(table) == (
            "the board does not prove the key that it was given when it was enrolled"
        )
        table.play("expect fault BOARD_CHANGED", "token 1 2", "wait 1s", "press COIN_IN")
        table.play("expect phase BETTING")
        assert table.decisions("board-changed")[-1]["serial"] == "RAIL-001"


def test_a_version_1_board_in_place_of_one_with_a_key_is_not_believed(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        table.play("unplug rail", "wait 2s")
        table.machine.cabinet.rail.fit_board(lambda boot: SlotRail(boot, "RAIL-001"), do_nothing)
        table.play("plug rail", "wait 3s", "expect fault BOARD_CHANGED")
        assert why_lost(table) == "the board speaks version 1, this host version 2"


def test_a_spare_board_is_enrolled_with_a_key_of_its_own(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        first = read_key(tmp_path)
        spare = fit_board(table)
        table.play("key S")
        enrol(table)
        table.play("key R", "expect fault none")
        play_a_hand(table)
        assert spare.read_key() == read_key(tmp_path) != first


def test_a_board_of_another_table_takes_its_key_when_its_jumper_is_closed(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        other = fit_board(table, OTHER_KEY)
        table.play("key S")
        enrol(table)
        assert other.read_key() == OTHER_KEY
        assert why_lost(table).startswith("the board does not take its key")
        table.play("expect fault BOARD_CHANGED")
        other._state.jumpers.add(Device.RAIL)
        table.play("wait 1s")
        assert other.read_key() == read_key(tmp_path)
        enrol(table)
        table.play("key R", "expect fault none")


@pytest.mark.parametrize("taken", [False, True], ids=["not yet sent", "taken by the board"])
def test_a_power_cut_on_the_way_goes_on_at_the_next_start(tmp_path: Path, taken: bool) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
        content = json.loads((tmp_path / FILE).read_text())
        content["rail"]["confirmed"] = False
        (tmp_path / FILE).write_text(json.dumps(content))
        if not taken:
            table.machine.cabinet.state.keys.clear()
        table.play("power off", "power on", "wait 2s", "expect fault none")
        play_a_hand(table)
    assert read_board_keys(tmp_path / FILE)["rail"].confirmed


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_file_that_others_could_read_is_not_believed(tmp_path: Path, protocol: int) -> None:
    with real_table(tmp_path) as table:
        enrol_all(table)
    (tmp_path / FILE).chmod(0o644)
    with real_table(tmp_path, protocol) as table:
        table.play("wait 2s", "expect fault BOARD_CHANGED")
        assert "mode 0644" in why_lost(table)


def test_a_file_that_is_damaged_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    (tmp_path / FILE).chmod(0o600)
    with real_table(tmp_path, 1) as table:
        table.play("wait 2s", "expect fault BOARD_CHANGED")
        assert "does not hold the boards' keys" in why_lost(table)


def test_a_version_1_board_goes_on_where_the_configuration_allows_it(tmp_path: Path) -> None:
    with real_table(tmp_path, 1) as table:
        enrol_all(table)
        table.play("expect fault none")
        play_a_hand(table)
    assert not (tmp_path / FILE).exists()
