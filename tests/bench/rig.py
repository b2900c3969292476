"""A table for measuring: the whole controller on mock pins and on lines in memory.

The board at the other end of the rail's line is another processor's work: the time it takes is
kept apart.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter, thread_time

from console.configuration.table_plan import TablePlan
from console.service.clock import Clock, wall_clock
from console.service.disk import Disk
from console.service.disk_thread import DiskWriter
from console.service.drivers import CentreLink, Drivers
from console.service.table_ledger import TableLedger
from console.service.table_service import TableService
from devices.board_rail import BoardRail
from devices.debouncer import SETTLE_MS
from devices.escpos_display import ESCPOS
from devices.gpio_panel import GpioPanel
from devices.line_display import LineDisplay
from devices.panel_wiring import PanelWiring, PlugContact
from devices.roles import Button, KeyPosition
from devices.sim.panel import cabinet_pins
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.memory_line import DeviceEnd, memory_wire
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

READY_S = 20.0
PLAN = TablePlan()

MORE_THAN_A_PERSON = 1_000_000
"""Presses at once that are no flapping contact yet: the hand of the bench is quicker than ours."""


class Board:
    """A board without physics on the rail's line; `spent`: processor seconds it has taken."""

    def __init__(self, loop: asyncio.AbstractEventLoop, end: DeviceEnd) -> None:
        self.firmware = RailFirmware(BoardKind.SLOT_RAIL, boot=1)
        self.spent = 0.0
        self.lamps_changed: Callable[[float], None] = lambda _: None
        self._loop = loop
        self._end = end
        self._timer: asyncio.TimerHandle | None = None
        end.on_received = self._receive
        self.run()

    def run(self) -> None:
        """Send what is due, and be back when something is due next."""
        began = thread_time()
        now = round(self._loop.time() * 1000)
        out = self.firmware.advance(now)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self.firmware.next_wake(now) / 1000, self.run)
        self.spent += thread_time() - began
        self._end.send(out)

    def close(self) -> None:
        """Stop."""
        if self._timer is not None:
            self._timer.cancel()

    def _receive(self, data: bytes) -> None:
        at, began = perf_counter(), thread_time()
        firmware = self.firmware
        lamps = firmware.lamps
        firmware.receive(data, round(self._loop.time() * 1000))
        self.spent += thread_time() - began
        self.run()
        if firmware.lamps != lamps:
            self.lamps_changed(at)


class Rig:
    """A controller with all its drivers, its key in R."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        table_ledger: TableLedger,
        disk_writer: DiskWriter,
        settle_ms: int = SETTLE_MS,
        plan: TablePlan = PLAN,
        link: CentreLink | None = None,
    ) -> None:
        self._loop = loop
        wiring = PanelWiring()
        pins = cabinet_pins()
        # Found once: gpiozero's factory searches all headers each time it is asked for a pin.
        self._contacts = {name: pins.pin(line) for name, line in wiring.contacts().items()}
        panel = GpioPanel(
            loop,
            wiring,
            pins,
            inspector_fitted=False,
            settle_ms=settle_ms,
            burst=MORE_THAN_A_PERSON,
        )
        for contact in (PlugContact.PRESENCE, KeyPosition.R):
            self._contacts[contact].contact(True)
        rail_line, rail_end = memory_wire(loop)
        display_line, _ = memory_wire(loop)
        self._rail = rail = BoardRail(loop, rail_line, BoardKind.SLOT_RAIL)
        display = LineDisplay(loop, display_line, ESCPOS)
        drivers = Drivers(panel, display=display, rail=rail, link=link, simulated=True)
        self.board = Board(loop, rail_end)
        clock = Clock(lambda: round(loop.time() * 1000), wall_clock)
        self.service = TableService(
            loop, plan, drivers, clock, Disk(table_ledger, disk_writer, disk_writer)
        )

    async def start(self) -> None:
        """Start it, and wait until it can be played."""
        self.service.start()
        await self.wait_until_ready()

    async def wait_until_ready(self) -> None:
        """Wait until its devices are up, its key is found, and it has no fault.

        A linked table whose centre was slow has lost its link for a moment, and refuses GAME OVER.
        """
        service = self.service
        try:
            async with asyncio.timeout(READY_S):
                while not (
                    service.all_devices_up
                    and service.state.key is KeyPosition.R
                    and not service.state.faults
                ):
                    await asyncio.sleep(0.02)
        except TimeoutError as error:
            missing = [device.value for device, up in service.devices_up.items() if not up]
            raise TimeoutError(f"not ready: {missing} {service.state.faults}") from error

    @property
    def round_trips(self) -> int:
        """How often the rail's board has answered that it does what it was told."""
        return self._rail.session.statistics.round_trips.count

    def contact(self, button: Button, closed: bool) -> None:
        """Close or open a button's contact."""
        self._contacts[button].contact(closed)

    def close(self) -> None:
        """Stop the controller and the board."""
        self.service.close()
        self.board.close()
