"""gpiozero's mock pins with contacts: a contact that is closed to ground stays closed.

gpiozero's own mock pin follows its pull whenever it becomes an input; but a contact does not open
because a controller starts.
"""
# mypy: disallow-subclassing-any=False

from collections import deque
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

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
