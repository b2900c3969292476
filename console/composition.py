"""The composition root: a configuration becomes the parts of a table."""

from asyncio import AbstractEventLoop
from pathlib import Path

from console.configuration import (
    Configuration,
    DisplayDriver,
    DisplaySection,
    PanelDriver,
    PanelSection,
    RailDriver,
    RailSection,
)
from console.games import RailKind
from console.parts import Parts
from devices.roles import CoinRail, DealerPanel, Display
from firmware_bridge.board_protocol import BoardKind
from firmware_bridge.serial_line import SerialLine

BOARD_BAUD = 115200
DISPLAY_BAUD = 9600

BOARD_KINDS = {RailKind.SLOT: BoardKind.SLOT_RAIL, RailKind.SENSOR: BoardKind.SENSOR_RAIL}


class NotSimulated(ValueError):
    """A device is configured as simulated, and there is no cabinet to simulate it."""


def compose(
    loop: AbstractEventLoop, configuration: Configuration, simulated: Parts | None, runtime: Path
) -> Parts:
    """The drivers that the configuration names; those of `simulated` where it says so.

    `runtime` is a folder for what drivers must leave on a disk while they run. Raises
    PinsUnavailable, and NotSimulated without a simulated cabinet.
    """
    rail = configuration.rail
    return Parts(
        panel=_panel(loop, configuration.panel, simulated, runtime),
        display=_display(loop, configuration.display, simulated),
        rail=_rail(loop, rail, simulated) if rail else None,
    )


def _panel(
    loop: AbstractEventLoop, section: PanelSection, simulated: Parts | None, runtime: Path
) -> DealerPanel:
    if section.driver is PanelDriver.SIMULATED:
        return _of(simulated).panel
    from devices.gpio_panel import GpioPanel
    from devices.pin_factories import pin_factory

    pins = section.pins.value if section.pins else ""
    return GpioPanel(
        loop,
        section.lines,
        pin_factory(pins, runtime),
        inspector_fitted=section.inspector,
        settle_ms=section.settle_ms,
    )


def _rail(loop: AbstractEventLoop, section: RailSection, simulated: Parts | None) -> CoinRail:
    rail = _of(simulated).rail if section.driver is RailDriver.SIMULATED else None
    if rail is not None:
        return rail
    from devices.board_rail import BoardRail

    line = SerialLine(str(section.port), BOARD_BAUD, loop=loop)
    return BoardRail(loop, line, BOARD_KINDS[section.kind])


def _display(loop: AbstractEventLoop, section: DisplaySection, simulated: Parts | None) -> Display:
    if section.driver is DisplayDriver.SIMULATED:
        return _of(simulated).display
    from devices.escpos_display import EscPosDisplay

    line = SerialLine(str(section.port), DISPLAY_BAUD, loop=loop, watch_dsr=section.watch_dsr)
    return EscPosDisplay(loop, line)


def _of(simulated: Parts | None) -> Parts:
    if simulated is None:
        raise NotSimulated("a simulated device needs `banco run --sim`")
    return simulated
