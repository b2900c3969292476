"""What the driver of a device tells its listener, each thing once, and no more than can be kept."""

import asyncio

from devices.device import Device
from devices.report_flow import OVER_AFTER_S, ReportFlow
from devices.roles import Event, FloodBegan, FloodOver, LinkLost, LinkUp, Listener


class Reporter:
    """Tells of one device: what is seen when it differs, LinkUp when it is usable, LinkLost.

    Each thing seen is all that the device knows, so of a flood only the newest is told, at the
    pace of `ReportFlow`; FloodBegan and FloodOver say so. `flood`: how many were left out in the
    flood that goes on, None: there is none.
    """

    def __init__(self, device: Device, loop: asyncio.AbstractEventLoop) -> None:
        self._device = device
        self.up = False
        self.why_down = "not started"
        self.flood: int | None = None
        self._loop = loop
        self._listener: Listener | None = None
        self._seen: Event | None = None  # told last
        self._waits: Event | None = None  # newer than that, and not told yet
        self._flow = ReportFlow()
        self._waited_at = 0.0  # when a report had to wait, the last time
        self._timer: asyncio.TimerHandle | None = None  # for what waits
        self._over: asyncio.TimerHandle | None = None  # for the end of a flood

    def start(self, listener: Listener) -> None:
        """From now on `listener` is told."""
        self._listener = listener
        self.why_down = "not found yet"

    def stop(self) -> None:
        """Nobody is told any more."""
        self._listener = None
        self.up = False
        self.why_down = "closed"
        self.flood = self._waits = None
        for timer in (self._timer, self._over):
            if timer is not None:
                timer.cancel()

    def begin_connection(self) -> None:
        """Another connection: whatever is seen next is told."""
        self._report_waiting()
        self._seen = None

    def report_state(self, event: Event) -> None:
        """The device tells all it knows; told if it differs from the last time."""
        now = self._loop.time()
        if self._listener is None or event == (self._waits or self._seen):
            return
        ready_at = self._flow.ready_at(now, flood=self.flood is not None)
        if self._waits is None and ready_at <= now:
            self._pass_on(event)
        else:
            self._wait(event, now)

    def report_up(self) -> None:
        """The device is there and its outputs are written."""
        self._report_waiting()
        if self._listener is not None and not self.up:
            self.up, self.why_down = True, ""
            self._listener(LinkUp(self._device))

    def report_lost(self, why: str) -> None:
        """The device has been silent for its time."""
        self._report_waiting()
        self.up, self.why_down = False, why
        if self._listener is not None:
            self._listener(LinkLost(self._device, why))

    def _pass_on(self, event: Event) -> None:
        self._seen = event
        self._flow.note_passed(self._loop.time())
        if self._listener is not None:
            self._listener(event)

    # A flood

    def _wait(self, event: Event, now: float) -> None:
        """Keep it until its time; a newer one takes its place."""
        self._waited_at = now
        older, self._waits = self._waits, event
        if self.flood is None:
            self.flood = 0
            self._over = self._loop.call_at(now + OVER_AFTER_S, self._end_flood)
            if self._listener is not None:
                self._listener(FloodBegan(self._device))
        if older is not None:
            self.flood += 1
        else:
            ready_at = self._flow.ready_at(now, flood=True)
            self._timer = self._loop.call_at(ready_at, self._report_waiting)

    def _report_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        event, self._waits = self._waits, None
        if event is not None and event != self._seen:
            self._pass_on(event)
        elif event is not None and self.flood is not None:
            self.flood += 1

    def _end_flood(self) -> None:
        over_at = self._waited_at + OVER_AFTER_S
        if self._loop.time() < over_at:
            self._over = self._loop.call_at(over_at, self._end_flood)
            return
        left_out, self.flood = self.flood or 0, None
        if self._listener is not None:
            self._listener(FloodOver(self._device, left_out))
