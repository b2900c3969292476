"""A slot rail's board in MicroPython, by its own clock, that proves its key to a whole table.

On a terminal and in real time, from its enrolment to a round; the board's key is in a file.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.rules.board_marks import BoardEnrolled, BoardMarks
from console.service.board_keys import BoardKeys, read_board_keys
from console.service.composition import KEYS_FILE, assemble
from console.service.drivers import Drivers
from console.simulation.cabinet import SimulatedCabinet, lines_in, panel_in
from console.simulation.scenario.simulated_machine import machine_in_real_time
from devices.board_rail import BoardRail
from devices.device import Device
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine
from tests.console.table import OPEN, Table
from tests.devices.real_time import run_until
from tests.firmware_bridge.micropython.rail_process import ClockedRail, RailPower

SLOT = BoardKind.SLOT_RAIL
KEY_FILE = "rail.key"
A_HAND = (*OPEN, "token 1 2", "wait 300ms", "press COIN_IN", "wait 3s", "expect phase PLAYING")


@contextmanager
def real_table(folder: Path) -> Iterator[Table]:
    """A table whose rail speaks version 2 only."""

    def drivers(
        loop: asyncio.AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan
    ) -> Drivers:
        in_memory = lines_in(cabinet, plan)

        def line_for(port: str, baud: int) -> Line:
            if port != Device.RAIL.value:
                return in_memory(port, baud)
            return SerialLine(str(cabinet.serve_pty(Device.RAIL, folder)), baud, loop=loop)

        keys, panel = BoardKeys(folder / KEYS_FILE, {Device.RAIL: 2}), panel_in(loop, cabinet, plan)
        return assemble(loop, plan, plan.fitted.devices, panel, line_for, keys=keys)

    with machine_in_real_time(TablePlan(), folder, drivers=drivers) as machine:
        machine.simulated = False
        rail = machine.cabinet.rail

        def start_board(boot: int) -> ClockedRail:
            return ClockedRail(SLOT, boot, machine.loop, rail.run_board, folder / KEY_FILE)

        power = RailPower(start_board)
        rail.fit_board(power.boot, power.stop)
        yield Table(machine.plan, machine)


def marks_of(table: Table) -> BoardMarks:
    marks = table.state.boards
    assert isinstance(marks, BoardMarks)
    return marks


def enrol(table: Table, device: Device) -> None:
    """The technician enrols what answers, once it does."""
    run_until(table.machine.loop, lambda: device.value in marks_of(table).found)
    found = marks_of(table).found[device.value]
    table.simulated_table.service.report(BoardEnrolled(device, found, "anna"))


def version_of(table: Table) -> int:
    rail = table.simulated_table.service.drivers.rail
    assert isinstance(rail, BoardRail)
    run_until(table.machine.loop, lambda: rail.session.identity is not None, seconds=30)
    assert rail.session.identity is not None
    return rail.session.identity.version


def test_a_board_with_a_key_plays_a_hand_and_knows_its_key_after_a_reboot(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        table.play("key S")
        enrol(table, Device.RAIL)
        enrol(table, Device.SHUFFLER)
        assert version_of(table) == 2
        key = read_board_keys(tmp_path / KEYS_FILE)["rail"].key
        assert key in (tmp_path / KEY_FILE).read_bytes()
        table.play("wait 1s", "key R", "expect fault none", *A_HAND, "power off", "power on")
        assert version_of(table) == 2
        table.play("wait 1s", "expect fault none", "expect phase PLAYING")
    held = read_board_keys(tmp_path / KEYS_FILE)["rail"]
    assert (held.key, held.confirmed) == (key, True)
