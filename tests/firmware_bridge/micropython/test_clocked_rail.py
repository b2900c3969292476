"""A slot rail's board by its own clock in MicroPython, and the host's driver, on a terminal."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.board_rail import BoardRail
from devices.roles import ALL_DARK, DeviceUp, Event, Lamp, RailOrders, RailSeen
from devices.sim.memory import CabinetState
from devices.sim.rail import SimulatedRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.serial_line import SerialLine
from tests.devices.real_time import run_until
from tests.firmware_bridge.micropython.rail_process import ClockedRail, RailPower

SLOT = BoardKind.SLOT_RAIL


class ClockedTable:
    """A rail with its tokens, a board in MicroPython, and the driver at the other end."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.state = CabinetState()
        self.rail = SimulatedRail(self.loop, SLOT, self.state, lambda: None)
        self.boards: list[ClockedRail] = []
        power = RailPower(self._start_board)
        self.rail.fit_board(power.boot, power.stop)
        path = str(self.rail.cable.serve(folder / "rail"))
        line = SerialLine(path, 115200, loop=self.loop)
        self.driver = BoardRail(self.loop, line, SLOT)
        self.events: list[Event] = []
        self.driver.start(self.events.append)
        self.until(lambda: DeviceUp in map(type, self.events))

    def _start_board(self, boot: int) -> ClockedRail:
        self.boards.append(ClockedRail(SLOT, boot, self.loop, self.rail.run_board))
        return self.boards[-1]

    def until(self, true: Callable[[], bool]) -> None:
        run_until(self.loop, true, seconds=30)

    @property
    def seen(self) -> RailSeen:
        return [event for event in self.events if isinstance(event, RailSeen)][-1]

    def close(self) -> None:
        self.driver.close()
        self.rail.power(False)
        self.rail.cable.detach()
        self.loop.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ClockedTable]:
    table = ClockedTable(tmp_path)
    yield table
    table.close()


def order(table: ClockedTable, seat: int, turn: int) -> None:
    orders = RailOrders((Lamp.ON,) * 7, frozenset((seat,)), turn, boot=table.seen.boot)
    table.driver.show(orders)


def test_a_token_lies_falls_and_reaches_the_tray(table: ClockedTable) -> None:
    table.rail.put_token(3)
    table.until(lambda: table.seen.occupied == {3})
    order(table, 3, turn=1)
    table.until(lambda: table.seen.tray == 1)
    assert table.seen.drops == (0, 0, 1, 0, 0, 0, 0)
    assert (table.rail.gates(), table.state.tray_tokens) == (frozenset(), 1)


def test_a_token_that_falls_while_a_busy_machine_does_not_run_the_board_is_counted(
    table: ClockedTable,
) -> None:
    table.rail.put_token(3)
    table.until(lambda: table.seen.occupied == {3})
    order(table, 3, turn=1)
    table.until(lambda: table.rail.gates() == {3})
    board = table.boards[-1]
    board.process.halt()
    table.until(lambda: table.state.tray_tokens == 1)
    table.until(lambda: board.at_rest)
    board.process.go_on()
    table.until(lambda: table.seen.tray == 1)
    assert table.seen.drops == (0, 0, 1, 0, 0, 0, 0)


def test_without_a_host_the_board_darkens_and_closes_by_itself(table: ClockedTable) -> None:
    order(table, 5, turn=1)
    table.until(lambda: table.rail.gates() == {5})
    table.driver.close()
    table.until(lambda: tuple(table.rail.lamps().values()) == ALL_DARK)
    assert table.rail.gates() == frozenset()


def test_a_board_that_gets_its_power_back_is_another_boot(table: ClockedTable) -> None:
    boot = table.seen.boot
    table.rail.power(False)
    table.rail.power(True)
    table.until(lambda: table.seen.boot != boot)
