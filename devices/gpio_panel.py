"""The dealer panel on the Raspberry Pi's own lines, through gpiozero.

gpiozero's devices set direction and pull of the lines. Our own code debounces the contacts, because
mock pins have no bounce time and the tests must run the real code. gpiozero's Button is not used:
it starts a thread for every held button. A blinking LED uses PWM, not a timer.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from gpiozero import LED, InputDevice

from devices.contact_steadiness import BURST
from devices.debouncer import SETTLE_MS
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures, LineCounts
from devices.loop_wakeup import LoopWakeup
from devices.panel_inputs import UNPLUGGED, UP, PanelInputs
from devices.panel_wiring import Contact, PanelWiring
from devices.pin_factories import PinsUnavailable, errors_of, read_line_user
from devices.roles import Button, Event, Lamp, Listener, PanelLights
from firmware_bridge.seat_words import format_lamps, format_seats

DRIVERS = {
    2: "dtparam=i2c_arm=on",
    3: "dtparam=i2c_arm=on",
    4: "dtoverlay=w1-gpio",
    **dict.fromkeys(range(7, 12), "dtparam=spi=on"),
    **dict.fromkeys(range(18, 22), "dtparam=i2s=on"),
}
"""What in the Pi's config.txt gives a line to a driver (docs/how-to/wiring.md)."""


class GpioLines:
    """Claims lines for the parts wired to them."""

    def __init__(self, factory: Any, wiring: PanelWiring) -> None:
        self._factory = factory
        self._parts = wiring.parts()
        self._errors = errors_of(factory)

    def claim_contact(self, line: int) -> Any:
        """The gpiozero device of a contact to ground. Raises PinsUnavailable."""
        with self.name_failures(line):
            return InputDevice(line, pull_up=True, pin_factory=self._factory)

    def claim_lamp(self, line: int) -> Any:
        """The gpiozero device of a lamp, dark. Raises PinsUnavailable."""
        with self.name_failures(line):
            return LED(line, pin_factory=self._factory)

    @contextmanager
    def name_failures(self, line: int) -> Iterator[None]:
        """Whatever fails inside on this line is raised as PinsUnavailable, which names it."""
        try:
            yield
        except self._errors as error:
            why = str(error).strip("'")  # lgpio's errors are their own repr
            raise PinsUnavailable(
                f"GPIO {line} ({self._parts[line]}) cannot be used: {why}{self._holder(line)}"
            ) from error

    def _holder(self, line: int) -> str:
        """Who has the line, and where that is set; "" if nobody or if this backend has no chip."""
        number = getattr(self._factory, "chip", None)
        if number is None:
            return ""
        chip = Path(f"/dev/gpiochip{number}")
        try:
            user = read_line_user(chip, line)
        except OSError as error:
            return f"; who holds it on {chip} cannot be asked: {error}"
        return describe_holder(chip, line, user)


def describe_holder(chip: Path, line: int, user: str) -> str:
    """What to add to an error about a line of `chip` that `user` holds; "" for nobody."""
    if not user:
        return f" on {chip}"
    setting = DRIVERS.get(line)
    cause = f"; take {setting} out of config.txt if it is there" if setting else ""
    return (
        f" on {chip}: {user!r} holds it{cause}, and end other programs that use the panel's lines"
    )


log = logging.getLogger(__name__)

LONGEST_QUEUE = 1024
"""Edges that wait for the loop. Contacts that chatter beyond that are read anew instead."""

Edge = tuple[Contact, bool, float]
"""The contact, whether it closed, and when (seconds of the loop's clock)."""


class ContactEdges:
    """Keeps the edges in their order and wakes the loop for those that something may follow from.

    Nothing follows from the release of a button. It waits for the next edge or deadline, or until
    somebody asks for figures; its time is that of the edge, so a late reading changes nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, on_edges: Callable[[], None]) -> None:
        self._edges: deque[Edge] = deque()
        self.overflowed = False
        self._wakeup = LoopWakeup(loop, on_edges)

    def put(self, contact: Contact, closed: bool, when: float) -> None:
        """Add an edge. Called on the pin's thread."""
        if len(self._edges) < LONGEST_QUEUE:
            self._edges.append((contact, closed, when))
        else:
            self.overflowed = True
        if closed or not isinstance(contact, Button):
            self._wakeup.wake()

    def take(self) -> Iterator[Edge]:
        """Remove and yield the edges in their order."""
        while self._edges:
            yield self._edges.popleft()

    def take_overflow(self) -> bool:
        """Whether edges were discarded since the last call: the contacts must be read anew."""
        overflowed, self.overflowed = self.overflowed, False
        if overflowed:
            log.warning("more than %d edges waited for the loop; the rest are lost", LONGEST_QUEUE)
        return overflowed

    def close(self) -> None:
        """Take no more notice."""
        self._wakeup.close()
        self._edges.clear()


BLINK_HZ = 2.0
BLINK_DUTY = 0.5

SIMULATED_PINS = "MockFactory"
"""gpiozero's factory for mock pins."""


class Pin(Protocol):
    """The attributes of a gpiozero pin that are used here."""

    frequency: float | None
    state: float
    when_changed: Callable[[float, float], None] | None


class PinDevice(Protocol):
    """The attributes of a gpiozero device that are used here."""

    @property
    def pin(self) -> Pin: ...

    @property
    def value(self) -> float: ...

    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class _ContactLine:
    """One contact to ground; notes on its pin's thread when it closes and opens."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        device: PinDevice,
        contact: Contact,
        edges: ContactEdges,
    ) -> None:
        self._loop = loop
        self._device = device
        self._contact = contact
        self._edges = edges

    def watch(self) -> bool:
        """Note changes from now on; returns whether the contact is closed."""
        # The pin keeps only a weak reference, so that an abandoned panel can be collected.
        self._device.pin.when_changed = self._edge
        return self.read()

    def read(self) -> bool:
        """Whether the contact is closed at this instant."""
        return bool(self._device.value)

    def close(self) -> None:
        self._device.pin.when_changed = None
        self._device.close()

    def _edge(self, _ticks: float, state: float) -> None:
        """Called on the pin's thread; takes the time here, so that a busy loop does not matter."""
        self._edges.put(self._contact, not state, self._loop.time())


class GpioPanel:
    """`DealerPanel` on `wiring`, over a gpiozero pin factory (see `pin_factories`).

    `settle_ms`: how long a button must be stable, 0 to 20 ms. `burst`: how many presses at once are
    still a person's. Raises PinsUnavailable that names a line which cannot be claimed, and its
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
        self._timer: asyncio.TimerHandle | None = None
        self._inputs: PanelInputs | None = None
        self._lights = PanelLights()
        self._identity = {"pins": _backend(factory), "settling time": f"{settle_ms} ms"}
        self._why_down = "not started"
        self._found = 0
        self._edges = ContactEdges(loop, self._take_edges)
        self._wiring = wiring
        self._lines = lines = GpioLines(factory, wiring)
        self._contacts = {
            contact: _ContactLine(loop, lines.claim_contact(line), contact, self._edges)
            for contact, line in wiring.contacts().items()
        }
        self._seats = [lines.claim_lamp(line) for line in wiring.seats]
        self._lamps = [lines.claim_lamp(line) for line in wiring.combination_lamps]

    def start(self, listener: Listener) -> None:
        """See `DealerPanel.start`; the key is found after its settling time.

        Raises PinsUnavailable that names a contact's line which cannot be watched.
        """
        self._listener = listener
        self._why_down = "not found yet"
        closed = frozenset(contact for contact in self._contacts if self._watch(contact))
        self._inputs = PanelInputs(
            closed,
            self._loop.time(),
            settle_s=self._settle_s,
            inspector_fitted=self._inspector_fitted,
            burst=self._burst,
        )
        self._arm(self._inputs)

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
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for line in self._contacts.values():
            line.close()
        self._edges.close()
        for led in (*self._seats, *self._lamps):
            _light(led, Lamp.DARK)
            led.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """See `DealerPanel.inputs`: levels as the pins read now, edges as gpiozero reports them."""
        self._catch_up()
        if self._inputs is None:
            return ()
        return self._inputs.input_figures(self._loop.time(), self._read)

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

    def _watch(self, contact: Contact) -> bool:
        with self._lines.name_failures(self._wiring.contacts()[contact]):
            return self._contacts[contact].watch()

    def _take_edges(self) -> None:
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            self._arm(self._inputs)
            self._report(events)

    def _catch_up(self) -> None:
        """Read the edges that wait, for figures; what they lead to is reported afterwards."""
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            self._arm(self._inputs)
            if events:
                self._loop.call_soon(self._report, events)

    def _read(self, contact: Contact) -> bool:
        return self._contacts[contact].read()

    def _read_edges(self, inputs: PanelInputs) -> list[Event]:
        events = []
        for edge in self._edges.take():
            events += inputs.on_change(*edge)
        if self._edges.overflowed and self._edges.take_overflow():
            events += inputs.read_anew(self._loop.time(), self._read)
        return events

    def _on_deadline(self, deadline: float) -> None:
        self._timer = None
        if self._inputs is not None:
            events = self._read_edges(self._inputs)
            # The loop may call slightly before the deadline.
            events += self._inputs.advance(max(deadline, self._loop.time()))
            self._arm(self._inputs)
            self._report(events)

    def _report(self, events: list[Event]) -> None:
        for event in events:
            if event is UNPLUGGED:
                self._why_down = UNPLUGGED.why
            elif event is UP:
                self._why_down = ""
                self._found += 1
                self._rewrite()
            if self._listener is not None:
                self._listener(event)

    def _arm(self, inputs: PanelInputs) -> None:
        deadline = inputs.deadline
        if self._timer is not None:
            if deadline == self._timer.when():
                return
            self._timer.cancel()
            self._timer = None
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._on_deadline, deadline)

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
