"""A simulated dealer panel: buttons, key, contacts and lamps at the Raspberry Pi's lines."""

# mypy: disallow-subclassing-any=False

import asyncio
from collections import deque
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from devices.device import Device
from devices.panel_wiring import Contact, DoorWiring, PanelWiring, PlugContact
from devices.roles import SEATS, Button, KeyPosition, Lamp
from devices.sim.memory import CabinetState

REMEMBERED_STATES = 16
"""How many past states a pin keeps: gpiozero's mock pin keeps all, and a simulated table runs for
weeks."""


class CabinetPin(MockPWMPin):
    """A line of the Pi with a contact to ground, open at first."""

    def __init__(self, factory: MockFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._closed = False
        self.states: deque[Any] = deque(self.states, maxlen=REMEMBERED_STATES)

    def contact(self, closed: bool) -> None:
        """Close the contact, or open it."""
        self._closed = closed
        self._drive()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._closed:
            self.drive_low()

    def _drive(self) -> None:
        if self._function != "input":
            return
        if self._closed:
            self.drive_low()
        elif self._pull == "up":
            self.drive_high()


def cabinet_pins() -> MockFactory:
    """The lines of a Raspberry Pi, with all contacts open."""
    return MockFactory(pin_class=CabinetPin)


PRESS_S = 0.025
"""How long a button is held down."""


class SimulatedPanel:
    """What people do to the panel, and what its lamps show. It is powered by the Pi."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        wiring: PanelWiring,
        state: CabinetState,
        *,
        inspector_fitted: bool,
        doors: DoorWiring | None = None,
    ) -> None:
        self._loop = loop
        self._wiring = wiring
        self._lines = wiring.contacts()
        self._doors = {} if doors is None else doors.contacts()
        self._down: dict[Button, asyncio.TimerHandle | None] = {}
        self._stuck: set[Contact] = set()
        self._state = state
        self._inspector_fitted = inspector_fitted
        self._pins: dict[int, CabinetPin] = {}
        self.new_pins()

    def new_pins(self) -> None:
        """After a power cut of the Pi: new lines, with the contacts as they are."""
        self.factory = cabinet_pins()
        lamps = (*self._wiring.seats, *self._wiring.combination_lamps)
        lines = (*self._lines.values(), *self._doors.values(), *lamps)
        self._pins = {line: self.factory.pin(line) for line in lines}
        self.drive()

    def press(self, button: Button) -> None:
        """Press the button and let it go."""
        self.hold(button)
        self._down[button] = self._loop.call_later(PRESS_S, self.release, button)

    def hold(self, button: Button) -> None:
        """Press the button and keep it down."""
        self.release(button)
        self._down[button] = None
        self._drive(button)

    def release(self, button: Button) -> None:
        """Let the button go, if it is down."""
        if button in self._down:
            timer = self._down.pop(button)
            if timer is not None:
                timer.cancel()
            self._drive(button)

    # What is broken in it

    def weld(self, contact: Contact) -> None:
        """Break a contact: it stays closed, whatever is pressed and wherever the key stands."""
        self._stuck.add(contact)
        self._drive(contact)

    def mend(self) -> None:
        """Repair everything that is broken."""
        self._stuck.clear()
        self.drive()

    # Its wires

    def drive(self) -> None:
        """Close and open the contacts as key, inspector, plug and doors are now."""
        for contact in self._lines:
            self._drive(contact)
        for door, line in self._doors.items():
            self._pins[line].contact(door not in self._state.doors)

    def turn_key(self, position: KeyPosition | None) -> None:
        """Open the old contact and close the new one; None: stay between two positions."""
        old, self._state.key = self._state.key, position
        for moved in (old, position):
            if moved is not None:
                self._drive(moved)

    def seat_leds(self) -> dict[int, Lamp]:
        """What the seat LEDs of seats 1 to 7 show."""
        lines = self._wiring.seats
        return {seat: self._lamp(line) for seat, line in zip(SEATS, lines, strict=True)}

    def combination_lamps(self) -> tuple[bool, ...]:
        """Whether each of the five combination buttons is lit, from the left."""
        return tuple(self._lamp(line) is not Lamp.DARK for line in self._wiring.combination_lamps)

    def _lamp(self, line: int) -> Lamp:
        pin = self._pins[line]
        if Device.PANEL in self._state.unplugged or pin.function != "output" or not pin.state:
            return Lamp.DARK
        return Lamp.ON if pin.frequency is None else Lamp.ALERT

    def _is_closed(self, contact: Contact) -> bool:
        if Device.PANEL in self._state.unplugged:
            return False
        if contact in self._stuck:
            return True
        if isinstance(contact, Button):
            return contact in self._down
        if isinstance(contact, KeyPosition):
            return contact is self._state.key
        return contact is PlugContact.PRESENCE or (self._inspector_fitted and self._state.inspector)

    def _drive(self, contact: Contact) -> None:
        self._pins[self._lines[contact]].contact(self._is_closed(contact))
