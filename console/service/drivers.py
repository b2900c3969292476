"""The drivers of one cabinet, together."""

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from console.rules.acts import Act
from console.rules.centre_orders import ClockOrders, LinkedJournal, LinkOrders, ReadCodes
from console.rules.round import Transition
from console.service.disk_thread import DiskWriter
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.roles import CoinRail, DealerPanel, Display, Doors, RailSeen, Shoe, Shuffler

if TYPE_CHECKING:  # a table whose boards have no keys does without
    from console.service.board_keys import BoardKeys


class CentreLink(Protocol):
    """The way to the centre of a linked jackpot (docs/reference/link-rules.md, section 1)."""

    def resume(self, journal: LinkedJournal) -> None:
        """Speak for this journal; called before `start`."""

    def start(self, listener: Callable[[Act], None]) -> None:
        """Search for the centre without end; report what it says, DeviceUp and DeviceLost."""

    def tell_findings(self, findings: ReadCodes) -> None:
        """Each beat tells what is noticed then, beside the faults."""

    def show(self, orders: LinkOrders | None) -> None:
        """Carry out these orders from now on."""

    def close(self) -> None:
        """End at once."""

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """The figures of the link at any time."""


class ClockCentre(Protocol):
    """The way to the clock that all tables of a tournament share.

    docs/reference/poker-rules.md, 16.
    """

    def start(self, listener: Callable[[Act], None]) -> None:
        """Search for the centre without end; report what it shows, DeviceUp and DeviceLost."""

    def show(self, orders: ClockOrders | None) -> None:
        """Carry out these orders from now on."""

    def close(self) -> None:
        """End at once."""

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """The figures at any time."""


Driver = DealerPanel | CoinRail | Display | Shuffler | Shoe | CentreLink | ClockCentre


class Drivers(Struct, frozen=True):
    """A driver for each device of the cabinet; None where the table has no such device."""

    panel: DealerPanel
    display: Display
    rail: CoinRail | None = None
    shuffler: Shuffler | None = None
    shoe: Shoe | None = None
    link: CentreLink | None = None
    clock: ClockCentre | None = None
    doors: Doors | None = None
    """The contacts of its doors, which are never lost: a cut wire is an open door."""
    keys: "BoardKeys | None" = None
    """Of its boards, where a configuration may give them any."""
    without_keys: tuple[Device, ...] = ()
    """The devices for whose boards version 1 of the wire protocol is asked for."""
    simulated: bool = False
    """Whether they are a simulated cabinet's: their boards are enrolled at first sight."""

    @property
    def devices(self) -> frozenset[Device]:
        """The devices the table has."""
        return frozenset(self._by_device())

    def list_watchers(self, disk: DiskWriter) -> list[Callable[[Act, Transition], None]]:
        """What must see each act once it is committed; `disk` writes for it."""
        return [] if self.keys is None else [self.keys.watch(disk)]

    def resume(self, seen: RailSeen | None, journal: LinkedJournal) -> None:
        """Go on from the rail's last recorded state, and speak for this journal."""
        if self.rail is not None:
            self.rail.resume(seen)
        if self.link is not None:
            self.link.resume(journal)

    def start(self, listener: Callable[[Act], None]) -> None:
        """Start to look for every device."""
        for driver in self._by_device().values():
            driver.start(listener)
        if self.doors is not None:
            self.doors.start(listener)

    def close(self) -> None:
        """Close every device's line."""
        for driver in self._by_device().values():
            driver.close()
        if self.doors is not None:
            self.doors.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """Every button, contact and sensor, the panel's first."""
        drivers = (self.doors, self.shuffler, self.rail)
        others = [driver.inputs() for driver in drivers if driver is not None]
        return (*self.panel.inputs(), *chain.from_iterable(others))

    def figures(self, frames: int = 0) -> tuple[DeviceFigures, ...]:
        """Each device's figures, with the last `frames` frames of each line in words."""
        return tuple(
            line for driver in self._by_device().values() for line in driver.figures(frames)
        )

    def _by_device(self) -> dict[Device, Driver]:
        drivers: dict[Device, Driver | None] = {
            Device.PANEL: self.panel,
            Device.DISPLAY: self.display,
            Device.RAIL: self.rail,
            Device.SHUFFLER: self.shuffler,
            Device.SHOE: self.shoe,
            Device.LINK: self.link,
            Device.CLOCK: self.clock,
        }
        return {device: driver for device, driver in drivers.items() if driver is not None}
