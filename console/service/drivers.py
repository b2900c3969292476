"""The drivers of one cabinet, together."""

from msgspec import Struct

from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.roles import CoinRail, DealerPanel, Display, Listener, Shoe, Shuffler

Driver = DealerPanel | CoinRail | Display | Shuffler | Shoe


class Drivers(Struct, frozen=True):
    """A driver for each device of the cabinet; None where the table has no such device."""

    panel: DealerPanel
    display: Display
    rail: CoinRail | None = None
    shuffler: Shuffler | None = None
    shoe: Shoe | None = None

    @property
    def devices(self) -> frozenset[Device]:
        """The devices the table has."""
        return frozenset(self._by_device())

    def start(self, listener: Listener) -> None:
        """Start to look for every device."""
        for driver in self._by_device().values():
            driver.start(listener)

    def close(self) -> None:
        """Close every device's line."""
        for driver in self._by_device().values():
            driver.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """Every button, contact and sensor, the panel's first."""
        return (*self.panel.inputs(), *(self.rail.inputs() if self.rail else ()))

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
        }
        return {device: driver for device, driver in drivers.items() if driver is not None}
