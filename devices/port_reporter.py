"""A reporter for devices that send nothing while nothing happens."""

import asyncio

from devices.device import Device
from devices.reporter import Reporter
from devices.roles import Listener

LOST_AFTER_S = 1.0


class PortReporter(Reporter):
    """A `Reporter` for a device known only by its port: lost when the port was down for 1 s."""

    def __init__(self, device: Device, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(device, loop)
        self._lost_timer: asyncio.TimerHandle | None = None
        self.was_down = False  # for that long, and not up again yet
        self._why = ""

    def start(self, listener: Listener) -> None:
        """Report to `listener` from now on; a port that does not open counts as a loss too."""
        super().start(listener)
        self.start_loss_timer("the port has not been opened")

    def stop(self) -> None:
        """See `Reporter.stop`."""
        super().stop()
        self._cancel_loss()

    def report_up(self) -> None:
        """Report that the device is there, or there again."""
        self._cancel_loss()
        self.was_down = False
        super().report_up()

    def start_loss_timer(self, why: str) -> None:
        """Report the loss in 1 s, unless the port is up again before.

        The last reason counts: at a start it says more than `not opened`.
        """
        self._why = why
        if self.was_down:
            self.why_down = why
        elif self._lost_timer is None:
            self._lost_timer = self._loop.call_later(LOST_AFTER_S, self._lose)

    def _lose(self) -> None:
        self._lost_timer = None
        self.was_down = True
        self.report_lost(self._why)

    def _cancel_loss(self) -> None:
        if self._lost_timer is not None:
            self._lost_timer.cancel()
            self._lost_timer = None
