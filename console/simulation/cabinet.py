"""The simulated cabinet, its disk, and virtual time.

This is the only module that imports `devices.sim`; a table on real hardware never imports it.
"""

from asyncio import AbstractEventLoop
from functools import partial
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.rules.games import RailKind
from console.service.composition import assemble
from console.service.drivers import Drivers
from devices.drivers import LineFor
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import PanelWiring
from devices.roles import DealerPanel
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk
from devices.sim.memory import CabinetMemory, MemoryUnreadable
from devices.sim.prepared_faults import FAULTS, WRONG_SETTING, prepare
from devices.sim.rail import PhysicallyImpossible
from devices.sim.virtual_time import QuietTime, VirtualLoop
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine

__all__ = [
    "FAULTS",
    "WRONG_SETTING",
    "CabinetMemory",
    "MemoryUnreadable",
    "PhysicallyImpossible",
    "QuietTime",
    "SimulatedCabinet",
    "SimulatedDisk",
    "VirtualLoop",
    "cabinet_for",
    "drivers_in",
    "drivers_on_terminals",
    "lines_in",
    "panel_in",
    "prepare",
]


def cabinet_for(
    loop: AbstractEventLoop, plan: TablePlan, memory_file: Path | None = None
) -> SimulatedCabinet:
    """A cabinet as the plan asks for; with `memory_file` its state outlives the process."""
    game = plan.fitted
    return SimulatedCabinet(
        loop,
        rail=plan.rail.value if plan.rail else None,
        shuffler=game.shuffler.value if game.shuffler else None,
        shoe=game.shoe.value if game.shoe else None,
        inspector_fitted=plan.inspector_fitted,
        memory=CabinetMemory(memory_file) if memory_file else None,
    )


def drivers_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> Drivers:
    """Fresh drivers on the cabinet's pins and on lines in memory."""
    panel, fitted = panel_in(loop, cabinet, plan), plan.fitted.devices
    return assemble(loop, plan, fitted, panel, lines_in(cabinet, plan))


def drivers_on_terminals(
    loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan, folder: Path
) -> Drivers:
    """Fresh drivers on the cabinet's pins and on serial ports: pseudo-terminals in `folder`."""
    folder.mkdir(exist_ok=True)
    terminals = {
        device.value: partial(cabinet.serve_pty, device, folder) for device in plan.fitted.devices
    }
    if plan.rail is RailKind.CCTALK:
        terminals["rail board"] = terminals["rail"]
        terminals["rail"] = partial(cabinet.serve_cctalk_pty, folder)

    def line_for(port: str, baud: int) -> Line:
        return SerialLine(str(terminals[port]()), baud, loop=loop)

    panel, fitted = panel_in(loop, cabinet, plan), plan.fitted.devices
    return assemble(loop, plan, fitted, panel, line_for)


def panel_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> DealerPanel:
    """A fresh driver on the cabinet's pins."""
    return GpioPanel(
        loop, PanelWiring(), cabinet.pin_factory, inspector_fitted=plan.inspector_fitted
    )


def lines_in(cabinet: SimulatedCabinet, plan: TablePlan) -> LineFor:
    """Fresh lines in memory to the cabinet's devices."""
    lines = {
        "rail": cabinet.cctalk_line if plan.rail is RailKind.CCTALK else cabinet.rail_line,
        "rail board": cabinet.rail_line,
        "shuffler": cabinet.shuffler_line,
        "shoe": cabinet.shoe_line,
        "display": cabinet.display_line,
    }
    return lambda port, _baud: lines[port]()
