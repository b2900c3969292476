"""The composition root: a configuration becomes the parts of a table.

A simulated device is the same driver on another line; only the panel has pins instead of one.
"""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable, Collection
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from console.configuration.sections import VERSION_1, Configuration, PanelDriver
from console.configuration.table_plan import TablePlan
from console.rules.structs import replace
from console.service.drivers import CentreLink, ClockCentre, Drivers
from devices.device import Device
from devices.drivers import (
    Acceptors,
    DeviceOptions,
    LineFor,
    create_display,
    create_rail,
    create_shoe,
    create_shuffler,
)
from devices.roles import DealerPanel, Doors
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine
from jackpot.failures import Refused, Unavailable

if TYPE_CHECKING:
    from console.service.board_keys import BoardKeys

log = logging.getLogger(__name__)

LINK_LIBRARY = "psycopg"

DRIVERS_FILES = Path("/tmp")
"""Where drivers may leave files while they run; the unit has a /tmp of its own."""


KEYS_FILE = "board-keys.json"
"""The boards' keys, in the ledger's folder."""


def assemble(
    loop: AbstractEventLoop,
    plan: TablePlan,
    fitted: Collection[Device],
    panel: DealerPanel,
    line_for: LineFor,
    options: DeviceOptions | None = None,
    keys: "BoardKeys | None" = None,
) -> Drivers:
    """The parts of a table, each on its line; those not `fitted` are left out."""
    options = options or DeviceOptions()
    sessions = {} if keys is None else keys.sessions
    game = plan.fitted
    rail = plan.rail if Device.RAIL in fitted else None
    shuffler = game.shuffler if Device.SHUFFLER in fitted else None
    shoe = game.shoe if Device.SHOE in fitted else None
    return Drivers(
        panel=panel,
        display=create_display(loop, options.display, line_for),
        rail=create_rail(loop, rail.value, line_for, options.acceptors, sessions.get(Device.RAIL))
        if rail
        else None,
        shuffler=create_shuffler(loop, shuffler.value, line_for, sessions.get(Device.SHUFFLER))
        if shuffler
        else None,
        shoe=create_shoe(loop, shoe.value, line_for, sessions.get(Device.SHOE)) if shoe else None,
        keys=keys,
    )


def compose(
    loop: AbstractEventLoop,
    configuration: Configuration,
    simulated_panel: Callable[[], DealerPanel] | None = None,
    simulated_line: LineFor | None = None,
    simulated_doors: Doors | None = None,
) -> Drivers:
    """The parts that the configuration names, on real ports or on a simulated cabinet's.

    Raises OSError, Unavailable, and Refused where no simulated cabinet is given
    for a device of one.
    """
    ports = configuration.ports()
    rail = configuration.rail

    def line_for(port: str, baud: int) -> Line:
        if port in ports:
            path, watch_dsr = ports[port]
            return SerialLine(path, baud, loop=loop, watch_dsr=watch_dsr)
        if simulated_line is None:
            raise Refused(f"there is no simulated cabinet for the {port}")
        return simulated_line(port, baud)

    if configuration.panel.driver is PanelDriver.GPIO:
        panel, doors = _parts_on_pins(loop, configuration)
    elif simulated_panel is not None:
        panel, doors = simulated_panel(), simulated_doors
    else:
        raise Refused("there is no simulated cabinet for the panel")
    options = DeviceOptions(
        Acceptors(rail.addresses, rail.serials) if rail else Acceptors(),
        configuration.display.commands,
    )
    plan = configuration.plan()
    keys = _keys_of_boards(configuration)
    drivers = assemble(loop, plan, configuration.devices(), panel, line_for, options, keys)
    for device in configuration.boards_without_keys():
        log.warning("%s.%s", device.value, VERSION_1)
    return replace(
        drivers,
        doors=doors,
        without_keys=configuration.boards_without_keys(),
        link=_link_to_centre(loop, configuration),
        clock=_clock_at_centre(loop, configuration),
    )


def _keys_of_boards(configuration: Configuration) -> "BoardKeys | None":
    """The keys, where a board has one or may get one."""
    file, protocols = Path(configuration.ledger.folder) / KEYS_FILE, configuration.board_protocols()
    if set(protocols.values()) <= {1} and not file.exists():
        return None
    from console.service.board_keys import BoardKeys

    return BoardKeys(file, protocols)


def _parts_on_pins(
    loop: AbstractEventLoop, configuration: Configuration
) -> tuple[DealerPanel, Doors | None]:
    from devices.gpio_doors import GpioDoors
    from devices.gpio_panel import GpioPanel
    from devices.pin_factories import pin_factory

    section = configuration.panel
    pins = section.pins.value if section.pins else ""
    factory = pin_factory(pins, DRIVERS_FILES)
    panel = GpioPanel(
        loop,
        section.lines,
        factory,
        inspector_fitted=section.inspector,
        settle_ms=section.settle_ms,
    )
    doors = configuration.doors
    return panel, None if doors is None else GpioDoors(loop, doors.wiring, factory)


def _link_to_centre(loop: AbstractEventLoop, configuration: Configuration) -> CentreLink | None:
    section = configuration.link
    if section is None:
        return None
    _require_library("link")
    from console.link.link_device import LinkDevice, plan_link

    return LinkDevice(loop, plan_link(configuration.plan(), section))


def _clock_at_centre(loop: AbstractEventLoop, configuration: Configuration) -> ClockCentre | None:
    section = configuration.clock
    if section is None:
        return None
    _require_library("clock")
    from console.link.clock_device import ClockDevice, plan_clock

    return ClockDevice(loop, plan_clock(configuration.table, section))


def _require_library(section: str) -> None:
    if find_spec(LINK_LIBRARY) is None:
        raise Unavailable(
            f"{section}: it needs the library {LINK_LIBRARY}: install banco[link], or leave the "
            f"section [{section}] out"
        )
