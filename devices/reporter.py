"""Reports a device's events to the driver's listener; in a flood, only the newest states."""

import asyncio

from devices.boards import BoardFound, BoardImage, BoardLabel, Boards
from devices.device import Device
from devices.roles import (
    AWAITED_S,
    DeviceLost,
    DeviceUp,
    Event,
    FloodBegan,
    FloodOver,
    Listener,
)

BURST = 512
A_SECOND = 40
"""More reports than `BURST` at once, and `A_SECOND` per second afterwards, are a flood. People at a
table cause a tenth of that."""

SPACING_S = 0.08
"""In a flood one report passes in this time. A token counted in the tray at the latest moment is
still in time (docs/reference/wire-protocol.md, "Timing")."""

OVER_AFTER_S = 5.0
"""A flood is over when no report had to wait for this time."""


class ReportFlow:
    """A token bucket of `BURST` reports, refilled with `A_SECOND` per second; times in seconds."""

    __slots__ = ("_full_at", "_passed_at")

    def __init__(self) -> None:
        self._full_at = 0.0
        self._passed_at = 0.0

    def ready_at(self, now: float, *, flood: bool) -> float:
        """When the next report may pass: `now`, or later."""
        if flood:
            return max(now, self._passed_at + SPACING_S)
        return max(now, self._full_at - (BURST - 1) / A_SECOND)

    def note_passed(self, now: float) -> None:
        """Note that a report passes now."""
        self._passed_at = now
        self._full_at = max(now, self._full_at) + 1 / A_SECOND


class Reporter:
    """Reports of one device: each new state, DeviceUp when it is usable, DeviceLost.

    Each report has the device's whole state. So in a flood only the newest one is passed on, at the
    pace of `ReportFlow`, between FloodBegan and FloodOver. `flood`: reports left out in the present
    flood; None without one.

    After the start a device is awaited until it first answers, for AWAITED_S at most: a loss found
    meanwhile is reported at the end of that time, unless the device is up by then.
    """

    def __init__(self, device: Device, loop: asyncio.AbstractEventLoop) -> None:
        self._device = device
        self.up = False
        self.why_down = "not started"
        self.flood: int | None = None
        self._loop = loop
        self._listener: Listener | None = None
        self._seen: Event | None = None  # reported last
        self._waits: Event | None = None  # newer than that, and not reported yet
        self._flow = ReportFlow()
        self._waited_at = 0.0  # when a report last had to wait
        self._timer: asyncio.TimerHandle | None = None  # for the waiting report
        self._over: asyncio.TimerHandle | None = None  # for the end of a flood
        self._awaited_until: float | None = None  # None: it has answered, or its time is over
        self._first_loss: asyncio.TimerHandle | None = None  # for one found while it was awaited

    def start(self, listener: Listener) -> None:
        """Report to `listener` from now on."""
        self._listener = listener
        self.why_down = "not found yet"
        self._awaited_until = self._loop.time() + AWAITED_S

    def stop(self) -> None:
        """Report nothing any more."""
        self._listener = None
        self.up = False
        self.why_down = "closed"
        self.flood = self._waits = None
        for timer in (self._timer, self._over, self._first_loss):
            if timer is not None:
                timer.cancel()

    def begin_connection(self) -> None:
        """A new connection: report the next state even if it is unchanged."""
        self._report_waiting()
        self._seen = None

    def report_boards(self, boards: Boards) -> None:
        """Report who has answered in this connection."""
        self._awaited_until = None
        if self._listener is not None:
            self._listener(BoardFound(self._device, boards))

    def report_image(self, board: BoardLabel, image: str) -> None:
        """Report what a board of this device says that its flash holds."""
        self.report_beside(BoardImage(self._device, board.kind, board.serial, image))

    def report_state(self, event: Event) -> None:
        """Report the device's state if it differs from the last report."""
        now = self._loop.time()
        if self._listener is None or event == (self._waits or self._seen):
            return
        ready_at = self._flow.ready_at(now, flood=self.flood is not None)
        if self._waits is None and ready_at <= now:
            self._pass_on(event, now)
        else:
            self._wait(event, now)

    def report_beside(self, event: Event) -> None:
        """Report an event that is no state of the device; it never waits."""
        if self._listener is not None:
            self._listener(event)

    def report_up(self) -> None:
        """Report that the device is there and its outputs are written."""
        self._report_waiting()
        self._end_wait()
        if self._listener is not None and not self.up:
            self.up, self.why_down = True, ""
            self._listener(DeviceUp(self._device))

    def report_lost(self, why: str) -> None:
        """Report that the device has been silent for its time; while it is awaited, only later."""
        self._report_waiting()
        self.up, self.why_down = False, why
        if self._awaited_until is None:
            self._report_loss()
        elif self._first_loss is None:
            self._first_loss = self._loop.call_at(self._awaited_until, self._report_loss)

    def _report_loss(self) -> None:
        self._end_wait()
        if self._listener is not None:
            self._listener(DeviceLost(self._device, self.why_down))

    def _end_wait(self) -> None:
        self._awaited_until = None
        if self._first_loss is not None:
            self._first_loss.cancel()
            self._first_loss = None

    def _pass_on(self, event: Event, now: float) -> None:
        self._seen = event
        self._flow.note_passed(now)
        if self._listener is not None:
            self._listener(event)

    # A flood

    def _wait(self, event: Event, now: float) -> None:
        """Keep the report until its time, in place of an older one."""
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
            self._pass_on(event, self._loop.time())
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
