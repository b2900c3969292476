"""Writes what a state shows to lamps, gates, shuffler and display."""

from asyncio import AbstractEventLoop, TimerHandle
from operator import attrgetter
from typing import Any

from console.rules.centre_orders import CLOCK_FIELDS, LINK_FIELDS, clock_orders, link_orders
from console.rules.display_texts import Texts
from console.rules.game_modules import (
    PANEL_FIELDS,
    RAIL_FIELDS,
    SHUFFLER_FIELDS,
    display_changes_at,
    display_fields,
    display_text,
    module_of,
    shuffler_orders,
)
from console.rules.round.card_outputs import rail_orders
from console.rules.state import Rules, TableState
from console.service.clock import Clock
from console.service.drivers import Drivers
from devices.roles import DisplayText


class _Dependency:
    """Fields of the state that an output is computed from, with their values when last written."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._values_in = attrgetter(*fields)
        self._written: Any = None

    def changes(self, state: TableState) -> bool:
        """Whether they differ from the last call's, which are then forgotten."""
        values = self._values_in(state)
        if values == self._written:  # quick: it compares identities first
            return False
        self._written = values
        return True


class OutputWriter:
    """Writes a state's outputs to the drivers, those of which something has changed."""

    def __init__(
        self, loop: AbstractEventLoop, drivers: Drivers, rules: Rules, texts: Texts, clock: Clock
    ) -> None:
        self._loop = loop
        self._drivers = drivers
        self._rules = rules
        self._outputs = module_of(rules).outputs
        self._texts = texts
        self._clock = clock
        self._timer: TimerHandle | None = None
        self._rail = _Dependency(RAIL_FIELDS)
        self._shuffler = _Dependency(SHUFFLER_FIELDS)
        self._panel = _Dependency(PANEL_FIELDS)
        self._display = _Dependency(display_fields(rules))
        self._link = _Dependency(LINK_FIELDS)
        self._shared_clock = _Dependency(CLOCK_FIELDS)

    def show(self, state: TableState) -> None:
        """Write every output of this state."""
        self.withdraw(state)
        if self._panel.changes(state):
            self._drivers.panel.show(self._outputs.panel_lights(state, self._rules))
        if self._display.changes(state) or self._timer is not None:
            self._show_display(state)

    def withdraw(self, state: TableState) -> None:
        """Write the orders of rail, shuffler and centre: a locked table invites nobody.

        Panel and display stay until the lock is on the disk.
        """
        if self._drivers.rail is not None and self._rail.changes(state):
            self._drivers.rail.show(rail_orders(state))
        if self._drivers.shuffler is not None and self._shuffler.changes(state):
            self._drivers.shuffler.show(shuffler_orders(state, self._rules))
        if self._drivers.link is not None and self._link.changes(state):
            self._drivers.link.show(link_orders(state))
        if self._drivers.clock is not None and self._shared_clock.changes(state):
            self._drivers.clock.show(clock_orders(state, self._rules))

    def display(self, state: TableState) -> DisplayText:
        """What the display shows of this state now."""
        return display_text(state, self._rules, self._texts, self._clock.now())

    def _show_display(self, state: TableState) -> None:
        if self._drivers.link is None:
            self._write_display(state)
        else:  # an answer that is at hand comes first: a display takes 50 ms for a text
            self.stop()
            self._timer = self._loop.call_later(0, self._write_display, state)

    def _write_display(self, state: TableState) -> None:
        now = self._clock.now()
        self._drivers.display.show(display_text(state, self._rules, self._texts, now))
        if self._timer is not None:
            self.stop()
        changes = display_changes_at(state, self._rules, now)
        if changes is not None:
            delay = (changes - now) / 1000
            self._timer = self._loop.call_later(delay, self._write_display, state)

    def stop(self) -> None:
        """Stop alternating the display."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
