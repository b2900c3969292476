"""A table whose boards and display are another process, on pseudo-terminals in a folder.

`python -m tests.bench.table_idle FOLDER PORT`: it runs as a real table's service does, with all
that runs beside it, until SIGTERM. Its panel has mock pins.
"""

import asyncio
import sys
from pathlib import Path

from console.configuration.places import simulation_folder
from console.configuration.table_plan import TablePlan
from console.line.companions import run_companions
from console.line.local_line import LineSource
from console.rules.structs import replace
from console.service.clock import Clock, wall_clock
from console.service.composition import assemble
from console.service.disk import Disk
from console.service.disk_thread import DiskThread
from console.service.health.log import keep_log
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings
from console.service.supervision.main_loop import run_until_stopped
from console.service.table_ledger import TableLedger
from console.service.table_service import TableService
from console.simulation.pages import PageProcess
from console.web.table_pages import Feed, TableLook, run_outlet
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import PanelWiring, PlugContact
from devices.roles import KeyPosition
from devices.sim.panel import cabinet_pins
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine
from tests.bench.table_web import DEAF, opening


def make_service(loop: asyncio.AbstractEventLoop, terminals: Path, home: Path) -> TableService:
    """The service, not started yet."""
    wiring, pins, plan = PanelWiring(), cabinet_pins(), TablePlan()
    panel = GpioPanel(loop, wiring, pins, inspector_fitted=False)
    for contact in (PlugContact.PRESENCE, KeyPosition.R):
        pins.pin(wiring.contacts()[contact]).contact(True)

    def line_for(port: str, baud: int) -> Line:
        return SerialLine(str(terminals / port), baud, loop=loop)

    drivers = assemble(loop, plan, plan.fitted.devices, panel, line_for)
    disk = Disk(
        TableLedger(home / "ledger", begins=True),
        DiskThread(loop),
        DiskThread(loop, name="lock"),
    )
    clock = Clock(lambda: round(loop.time() * 1000), wall_clock)
    return TableService(loop, plan, replace(drivers, simulated=True), clock, disk)


def main(terminals: Path, port: int) -> int:
    """Run it until it is stopped."""
    stall = LoopStall()
    loop = asyncio.SelectorEventLoop(stall)
    home = simulation_folder()
    home.mkdir(parents=True, exist_ok=True)
    service = make_service(loop, terminals, home)
    whose = LineSource(None, TablePlan(), home, home / "ledger")
    surroundings = Surroundings.of(home)
    pages = PageProcess(loop, opening(str(home / "ledger"), port), DEAF)
    table = TableLook()
    feed = Feed(loop, table.look, pages, may_differ=table.may_differ)
    with (
        keep_log() as journal,
        run_companions(loop, whose, journal, surroundings, stall) as companions,
        run_outlet(loop, feed, pages),
    ):
        service.start()
        companions.follow(service)
        table.follow(service)
        feed.follow(service)
        status = run_until_stopped(loop, service.disk.probes)
    service.close()
    loop.close()
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
