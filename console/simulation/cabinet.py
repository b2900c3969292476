"""The simulated cabinet, its disk, virtual time, and faults prepared for training.

This is the only module that imports `devices.sim`; a table on real hardware never imports it. Only
the trainer knows the faults: a number does not reveal one (docs/how-to/training.md).
"""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from console.configuration.file import load_configuration
from console.configuration.overrides import (
    Override,
    overrides_file,
    read_overrides,
    render_overrides,
)
from console.configuration.places import TABLE_FILE
from console.configuration.sections import Configuration, TableKind
from console.configuration.table_plan import TablePlan
from console.rules.games import RailKind
from console.rules.structs import replace
from console.service.composition import assemble
from console.service.drivers import Drivers
from devices.card_reports import Back
from devices.device import Device
from devices.drivers import LineFor
from devices.gpio_doors import GpioDoors
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import PanelWiring
from devices.roles import Button, DealerPanel, Doors, KeyPosition
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.disk import SimulatedDisk
from devices.sim.memory import CabinetMemory
from devices.sim.rail import PhysicallyImpossible
from devices.sim.virtual_time import QuietTime, VirtualLoop
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine
from jackpot.failures import Refused

Prepare = Callable[[SimulatedCabinet], None]

RESETS_S = 7.0
A_CARD_SHORT = 51
FILLS_AFTER_S = 1.0

__all__ = [
    "FAULTS",
    "WRONG_SETTING",
    "CabinetMemory",
    "PhysicallyImpossible",
    "QuietTime",
    "SimulatedCabinet",
    "SimulatedDisk",
    "VirtualLoop",
    "cabinet_for",
    "doors_in",
    "drivers_in",
    "drivers_on_terminals",
    "lines_in",
    "panel_in",
    "prepare",
]


WRONG_SETTING = 5
FULL_DISK = 9


def _deck_a_card_short(cabinet: SimulatedCabinet) -> None:
    """Put in a deck that lacks a card, unless there is a deck already: this may be repeated."""
    memory = cabinet.state.shuffler
    if A_CARD_SHORT in (memory.prepared_cards, memory.behind_cards):
        return
    last = memory.behind_back or memory.prepared_back or memory.playing_back
    cabinet.shuffler.load_deck(Back.BLUE if last is Back.RED else Back.RED, A_CARD_SHORT)


def _nothing_of_the_cabinet(_cabinet: SimulatedCabinet) -> None:
    """Do nothing: the fault is in a file, or on the disk."""


FAULTS: Mapping[int, Prepare] = {
    1: lambda cabinet: cabinet.rail.reset_every(RESETS_S),
    2: lambda cabinet: cabinet.unplug(Device.DISPLAY),
    3: lambda cabinet: cabinet.panel.weld(KeyPosition.JPL),
    4: lambda cabinet: cabinet.rail.kill_sensor(4),
    WRONG_SETTING: _nothing_of_the_cabinet,
    6: lambda cabinet: cabinet.rail.stick_gate(6),
    7: lambda cabinet: cabinet.panel.weld(Button.GAME_OVER),
    8: _deck_a_card_short,
    FULL_DISK: _nothing_of_the_cabinet,
    10: lambda cabinet: cabinet.rail.kill_lamp(2),
}


def prepare(
    number: int, loop: AbstractEventLoop, cabinet: SimulatedCabinet, disk: SimulatedDisk
) -> None:
    """Prepare fault 1 to 10 before the table starts; a full disk becomes full a second later.

    A wrong setting is prepared by the caller. Raises PhysicallyImpossible if the cabinet lacks the
    part.
    """
    FAULTS[number](cabinet)
    if number == FULL_DISK:
        loop.call_later(FILLS_AFTER_S, setattr, disk, "full", True)


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
        doors=plan.doors,
        memory=CabinetMemory(memory_file) if memory_file else None,
    )


def drivers_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> Drivers:
    """Fresh drivers on the cabinet's pins and on lines in memory."""
    panel, fitted = panel_in(loop, cabinet, plan), plan.fitted.devices
    drivers = assemble(loop, plan, fitted, panel, lines_in(cabinet, plan))
    return replace(drivers, doors=doors_in(loop, cabinet, plan))


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
    drivers = assemble(loop, plan, fitted, panel, line_for)
    return replace(drivers, doors=doors_in(loop, cabinet, plan))


def panel_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> DealerPanel:
    """A fresh driver on the cabinet's pins."""
    return GpioPanel(
        loop, PanelWiring(), cabinet.pin_factory, inspector_fitted=plan.inspector_fitted
    )


def doors_in(loop: AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan) -> Doors | None:
    """A fresh driver on the cabinet's pins; None where its doors have no contacts."""
    return None if plan.doors is None else GpioDoors(loop, plan.doors, cabinet.pin_factory)


def lines_in(cabinet: SimulatedCabinet, plan: TablePlan) -> LineFor:
    """Fresh lines in memory to the cabinet's devices."""

    def open_line(port: str, _baud: int) -> Line:
        match port:
            case "rail" if plan.rail is RailKind.CCTALK:
                return cabinet.cctalk_line()
            case "rail" | "rail board":
                return cabinet.rail.cable.line()
            case "shuffler":
                return cabinet.shuffler.cable.line()
            case "shoe":
                return cabinet.shoe.cable.line()
        return cabinet.display_cable.line()

    return open_line


TABLE = """# A simulated Caribbean Stud table, for training.

kind = "simulation"
table = "simulated"
game = "caribbean-stud"

[ledger]
folder = "{folder}"

[panel]
driver = "simulated"

[rail]
driver = "simulated"
kind = "slot"

[shuffler]
driver = "simulated"

[display]
driver = "simulated"
"""


def prepare_training_table(file: Path | None, folder: Path, fault: int) -> Path:
    """Prepare a fault; returns the configuration to start with.

    Without `file` a training table's configuration is written to `folder`, unless it is there.
    Raises FileUnusable, OSError, and Refused for a real table: nothing is written then.
    """
    if file is None:
        file = folder / TABLE_FILE
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(TABLE.format(folder=folder), "utf-8")
    configuration = load_configuration(file)
    if configuration.kind is not TableKind.SIMULATION:
        raise Refused("only a simulation has prepared faults")
    if fault == WRONG_SETTING:
        _write_wrong_setting(configuration)
    return file


def _write_wrong_setting(configuration: Configuration) -> None:
    """A wrong amount in the line's settings file: an Italian comma, as if typed by hand."""
    written = overrides_file(configuration)
    overrides = {**read_overrides(written), "money.base": Override("5.000,00")}
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text(render_overrides(overrides), "utf-8")
