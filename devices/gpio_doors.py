"""The contacts of the cabinet's doors on the Raspberry Pi's own lines."""

import asyncio
from typing import Any

from devices.deadline_timer import DeadlineTimer
from devices.door_inputs import DoorInputs
from devices.door_reports import DoorsSeen
from devices.figures import InputFigures
from devices.gpio_lines import GpioLines
from devices.panel_wiring import DoorWiring
from devices.roles import Listener


class GpioDoors:
    """`Doors` on `wiring`, over a gpiozero pin factory (see `pin_factories`).

    Raises OSError that names a line which cannot be claimed, and its part.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, wiring: DoorWiring, factory: Any) -> None:
        self._loop = loop
        self._listener: Listener | None = None
        self._timer = DeadlineTimer(loop, self._on_deadline)
        self._inputs: DoorInputs | None = None
        self._wired = wiring.contacts()
        lines = GpioLines(factory, wiring.parts())
        self._contacts = lines.claim_contacts(loop, self._wired, self._take_edges)
        self._edges = self._contacts.edges

    def start(self, listener: Listener) -> None:
        """See `Doors.start`. Raises OSError that names a line that cannot be watched."""
        self._listener = listener
        closed = self._contacts.watch()
        self._inputs = DoorInputs(self._wired, closed, self._loop.time())
        self._report([self._inputs.seen])

    def close(self) -> None:
        """See `Doors.close`."""
        self._listener = None
        self._inputs = None
        self._timer.follow(None)
        self._contacts.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `Doors.inputs`."""
        return () if self._inputs is None else self._inputs.figures(self._loop.time())

    def _take_edges(self) -> None:
        if self._inputs is None:
            return
        reports: list[DoorsSeen] = []
        for edge in self._edges.take():
            reports += self._inputs.on_change(*edge)
        if self._edges.take_overflow():
            for contact in self._wired:
                closed = self._contacts.read(contact)
                reports += self._inputs.on_change(contact, closed, self._loop.time())
        self._timer.follow(self._inputs.deadline)
        self._report(reports)

    def _on_deadline(self, deadline: float) -> None:
        if self._inputs is not None:
            reports = self._inputs.advance(deadline)
            self._timer.follow(self._inputs.deadline)
            self._report(reports)

    def _report(self, reports: list[DoorsSeen]) -> None:
        for report in reports:
            if self._listener is not None:
                self._listener(report)
