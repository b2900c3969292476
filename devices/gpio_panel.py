"""The dealer panel on the Raspberry Pi's own lines.

A blinking LED uses PWM, not a timer.
"""

import asyncio
from typing import Any

from devices.contact_steadiness import BURST
from devices.deadline_timer import DeadlineTimer
from devices.debouncer import SETTLE_MS
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts
from devices.gpio_lines import GpioLines, PinDevice
from devices.panel_inputs import UP, PanelInputs
from devices.panel_wiring import PanelWiring, PlugContact
from devices.roles import DeviceLost, Event, Lamp, Listener, PanelLights
from firmware_bridge.seat_words import format_lamps, format_seats

BLINK_HZ = 2.0
BLINK_DUTY = 0.5

SIMULATED_PINS = "MockFactory"
"""gpiozero's factory for mock pins."""


class GpioPanel:
    """`DealerPanel` on `wiring`, over a gpiozero pin factory (see `pin_factories`).

    `settle_ms`: how long a button must be stable, 0 to 20 ms. `burst`: how many presses at once are
    still a person's. Raises OSError that names a line which cannot be claimed, and its
    part.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        wiring: PanelWiring,
        factory: Any,
        *,
        inspector_fitted: bool,
        settle_ms: int = SETTLE_MS,
        burst: int = BURST,
    ) -> None:
        self._loop = loop
        self._settle_s = settle_ms / 1000
        self._burst = burst
        self._inspector_fitted = inspector_fitted
        self._listener: Listener | None = None
        self._timer = DeadlineTimer(loop, self._on_deadline)
        self._inputs: PanelInputs | None = None
        self._lights = PanelLights()
        self._identity = {"pins": _backend(factory), "settling time": f"{settle_ms} ms"}
        self._why_down = "not started"
        self._found = 0
        lines = GpioLines(factory, wiring.parts())
        wired = wiring.contacts()
        if not inspector_fitted:
            del wired[PlugContact.INSPECTOR]
        self._contacts = lines.claim_contacts(loop, wired, self._take_edges)
        self._edges = self._contacts.edges
        self._seats = [lines.claim_lamp(line) for line in wiring.seats]
        self._lamps = [lines.claim_lamp(line) for line in wiring.combination_lamps]

    def start(self, listener: Listener) -> None:
        """See `DealerPanel.start`; the key is found after its settling time.

        Raises OSError that names a contact's line which cannot be watched.
        """
        self._listener = listener
        self._why_down = "not found yet"
        self._inputs = PanelInputs(
            self._contacts.watch(),
            self._loop.time(),
            settle_s=self._settle_s,
            inspector_fitted=self._inspector_fitted,
            burst=self._burst,
        )
        self._timer.follow(self._inputs.deadline)

    def show(self, lights: PanelLights) -> None:
        """See `DealerPanel.show`; only the lines that differ are written."""
        if lights == self._lights:
            return
        shown, self._lights = self._lights, lights
        for led, old, new in zip(self._seats, shown.seats, lights.seats, strict=True):
            if new is not old:
                _light(led, new)
        for lamp, was_on, on in zip(
            self._lamps, shown.combinations, lights.combinations, strict=True
        ):
            if on != was_on:
                _light(lamp, Lamp.ON if on else Lamp.DARK)

    def close(self) -> None:
        """See `DealerPanel.close`."""
        self._listener = None
        self._inputs = None
        self._why_down = "closed"
        self._timer.follow(None)
        self._contacts.close()
        for led in (*self._seats, *self._lamps):
            _light(led, Lamp.DARK)
            led.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `DealerPanel.inputs`: levels as the pins read now."""
        self._catch_up()
        if self._inputs is None:
            return ()
        return self._inputs.input_figures(self._loop.time(), self._contacts.read)

    def figures(self, _frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `DealerPanel.figures`; pins carry no frames."""
        self._catch_up()
        lights = self._lights
        shown = {
            "seat LEDs": format_lamps(lights.seats),
            "combination lamps": format_seats(
                n for n, on in enumerate(lights.combinations, 1) if on
            ),
        }
        return (
            DeviceFigures(
                Device.PANEL,
                Device.PANEL.value,
                "panel on GPIO",
                not self._why_down,
                self._why_down,
                identity=self._identity,
                state=shown if self._inputs is None else self._inputs.state() | shown,
                counts=LineCounts(connections=self._found),
            ),
        )

    def _take_edges(self) -> None:
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            self._timer.follow(self._inputs.deadline)
            self._report(events)

    def _catch_up(self) -> None:
        """Read the edges that wait, for figures; what they lead to is reported afterwards."""
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            self._timer.follow(self._inputs.deadline)
            if events:
                self._loop.call_soon(self._report, events)

    def _read_edges(self, inputs: PanelInputs) -> list[Event]:
        events = []
        for edge in self._edges.take():
            events += inputs.on_change(*edge)
        if self._edges.overflowed and self._edges.take_overflow():
            events += inputs.read_anew(self._loop.time(), self._contacts.read)
        return events

    def _on_deadline(self, deadline: float) -> None:
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            events += self._inputs.advance(deadline)
            self._timer.follow(self._inputs.deadline)
            self._report(events)

    def _report(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, DeviceLost):
                self._why_down = event.why
            elif event is UP:
                self._why_down = ""
                self._found += 1
                self._rewrite()
            if self._listener is not None:
                self._listener(event)

    def _rewrite(self) -> None:
        for led, lamp in zip(self._seats, self._lights.seats, strict=True):
            _light(led, lamp)
        for led, on in zip(self._lamps, self._lights.combinations, strict=True):
            _light(led, Lamp.ON if on else Lamp.DARK)


def _light(led: PinDevice, lamp: Lamp) -> None:
    pin = led.pin
    if lamp is Lamp.ALERT:
        if pin.frequency is None:
            pin.frequency = BLINK_HZ
            pin.state = BLINK_DUTY
        return
    if pin.frequency is not None:
        pin.frequency = None
    if lamp is Lamp.DARK:
        led.off()
    else:
        led.on()


def _backend(factory: Any) -> str:
    """The name of the pins' backend, for people."""
    name = type(factory).__name__
    return "simulated" if name == SIMULATED_PINS else name
