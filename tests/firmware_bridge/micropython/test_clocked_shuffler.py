"""A shuffler's board by its own clock in MicroPython, and the host's driver, on a terminal."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devices.card_reports import Back, DeckState, ShufflerOrders, ShufflerSeen
from devices.neutral_shuffler import NeutralShuffler
from devices.roles import DeviceUp, Event
from devices.sim.memory import CabinetState, ShufflerMemory
from devices.sim.shuffler import SimulatedShuffler
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.serial_line import SerialLine
from tests.devices.real_time import run_until
from tests.firmware_bridge.micropython.shuffler_process import ClockedShuffler, ShufflerPower

KIND = BoardKind.SHUFFLER


class ClockedTable:
    """A machine with a deck that is ready, a board in MicroPython, and the driver."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        ready = ShufflerMemory(prepared_back=Back.RED, prepared_cards=52, counted=52)
        state = CabinetState(shuffler=ready)
        self.machine = SimulatedShuffler(self.loop, KIND, state, lambda: None)
        power = ShufflerPower(
            lambda boot: ClockedShuffler(KIND, boot, self.loop, self.machine.run_board)
        )
        self.machine.fit_board(power.boot, power.stop)
        path = str(self.machine.cable.serve(folder / "shuffler"))
        line = SerialLine(path, 115200, loop=self.loop)
        self.driver = NeutralShuffler(self.loop, line, KIND)
        self.events: list[Event] = []
        self.driver.start(self.events.append)
        self.until(lambda: DeviceUp in map(type, self.events))

    def until(self, true: Callable[[], bool]) -> None:
        run_until(self.loop, true, seconds=30)

    @property
    def seen(self) -> ShufflerSeen:
        return [event for event in self.events if isinstance(event, ShufflerSeen)][-1]

    def close(self) -> None:
        self.driver.close()
        self.machine.power(False)
        self.machine.cable.detach()
        self.loop.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ClockedTable]:
    table = ClockedTable(tmp_path)
    yield table
    table.close()


def test_a_hand_is_dealt_and_a_silent_host_shuts_the_exit(table: ClockedTable) -> None:
    assert table.seen.preparing is DeckState.READY
    assert table.machine.take_packet() == []
    table.driver.show(ShufflerOrders(True, True, 1, (5, 5)))
    table.until(table.machine.exit_is_open)
    assert len(table.machine.take_packet()) == 5
    table.until(lambda: (table.seen.dealt, table.seen.waiting) == (5, True))
    table.until(table.machine.exit_is_open)
    table.driver.close()
    table.until(lambda: not table.machine.exit_is_open())
    assert table.machine.take_packet() == []
