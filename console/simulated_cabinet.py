"""The one door to the simulation: a cabinet without hardware, its disk, and virtual time.

Nothing else of the house imports `devices.sim`; a table on real hardware never comes here.
"""

from asyncio import AbstractEventLoop
from pathlib import Path

from console.games import RailKind
from console.parts import Parts
from console.plan import TablePlan
from devices.board_rail import BoardRail
from devices.escpos_display import EscPosDisplay
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import PanelWiring
from devices.roles import Device
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk
from devices.sim.memory import CabinetMemory
from devices.sim.rail import PhysicallyImpossible
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board_protocol import BoardKind
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine

__all__ = [
    "CabinetMemory",
    "PhysicallyImpossible",
    "SimulatedCabinet",
    "SimulatedDisk",
    "VirtualLoop",
    "cabinet_for",
    "parts_in",
    "parts_on_terminals",
]

BOARD_KINDS = {RailKind.SLOT: BoardKind.SLOT_RAIL, RailKind.SENSOR: BoardKind.SENSOR_RAIL}


def cabinet_for(
    loop: AbstractEventLoop, plan: TablePlan, memory_file: Path | None = None
) -> SimulatedCabinet:
    """A cabinet such as the plan asks for; with `memory_file` it outlives its process."""
    return SimulatedCabinet(
        loop,
        rail=plan.rail.value if plan.rail else None,
        inspector_fitted=plan.inspector_fitted,
        memory=CabinetMemory(memory_file) if memory_file else None,
    )


def parts_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> Parts:
    """Fresh drivers on the cabinet's pins and on lines in memory."""
    rail = cabinet.rail_line() if plan.rail else None
    return _parts(loop, cabinet, plan, cabinet.display_line(), rail)


def parts_on_terminals(
    loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan, folder: Path
) -> Parts:
    """Fresh drivers on the cabinet's pins and on serial ports: pseudo-terminals in `folder`."""
    folder.mkdir(exist_ok=True)
    display = SerialLine(str(cabinet.serve_pty(Device.DISPLAY, folder)), 9600, loop=loop)
    rail: Line | None = None
    if plan.rail:
        rail = SerialLine(str(cabinet.serve_pty(Device.RAIL, folder)), 115200, loop=loop)
    return _parts(loop, cabinet, plan, display, rail)


def _parts(
    loop: AbstractEventLoop,
    cabinet: SimulatedCabinet,
    plan: TablePlan,
    display: Line,
    rail: Line | None,
) -> Parts:
    return Parts(
        panel=GpioPanel(
            loop, PanelWiring(), cabinet.pin_factory, inspector_fitted=plan.inspector_fitted
        ),
        rail=BoardRail(loop, rail, BOARD_KINDS[plan.rail]) if plan.rail and rail else None,
        display=EscPosDisplay(loop, display),
    )
