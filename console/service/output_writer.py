"""Writes what a state shows to lamps, gates, shuffler and display."""

from asyncio import AbstractEventLoop, TimerHandle

from console.rules.display_texts import Texts
from console.rules.outputs import (
    display_changes_at,
    display_text,
    panel_lights,
    rail_orders,
    shuffler_orders,
)
from console.rules.state import Rules, TableState
from console.service.clock import Clock
from console.service.drivers import Drivers
from devices.roles import DisplayText


class OutputWriter:
    """Writes a state's outputs to the drivers. Its only memory is the timer of the display."""

    def __init__(
        self, loop: AbstractEventLoop, drivers: Drivers, rules: Rules, texts: Texts, clock: Clock
    ) -> None:
        self._loop = loop
        self._drivers = drivers
        self._rules = rules
        self._texts = texts
        self._clock = clock
        self._timer: TimerHandle | None = None

    def show(self, state: TableState) -> None:
        """Write every output of this state."""
        self.withdraw(state)
        self._drivers.panel.show(panel_lights(state, self._rules))
        self._show_display(state)

    def withdraw(self, state: TableState) -> None:
        """Write what a lock takes back at once: seats invited and dealing. The rest stays."""
        if self._drivers.rail is not None:
            self._drivers.rail.show(rail_orders(state))
        if self._drivers.shuffler is not None:
            self._drivers.shuffler.show(shuffler_orders(state, self._rules))

    def display(self, state: TableState) -> DisplayText:
        """What the display shows of this state now."""
        return display_text(state, self._rules, self._texts, self._clock.now())

    def _show_display(self, state: TableState) -> None:
        now = self._clock.now()
        self._drivers.display.show(display_text(state, self._rules, self._texts, now))
        self.stop()
        changes = display_changes_at(state, now)
        if changes is not None:
            delay = (changes - now) / 1000
            self._timer = self._loop.call_later(delay, self._show_display, state)

    def stop(self) -> None:
        """Stop alternating the display."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
