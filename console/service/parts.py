"""The cabinet's devices together, and the one place that tells them what to show."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from console.rules.display_texts import Texts
from console.rules.outputs import (
    display_changes_at,
    display_text,
    panel_lights,
    rail_orders,
    shuffler_orders,
)
from console.rules.state import Rules, TableState
from devices.device import Device
from devices.figures import DeviceFigures, InputFigures
from devices.roles import CoinRail, DealerPanel, Display, DisplayText, Listener, Shoe, Shuffler


@dataclass(frozen=True, slots=True)
class Clock:
    """What time it is: `now` in monotonic milliseconds, `wall` as a label for people."""

    now: Callable[[], int]
    wall: Callable[[], str]


def wall_clock() -> str:
    """The label that records bear for people; nothing is computed from it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


Part = DealerPanel | CoinRail | Display | Shuffler | Shoe


@dataclass(frozen=True, slots=True)
class Parts:
    """The cabinet's devices; None where the table has none."""

    panel: DealerPanel
    display: Display
    rail: CoinRail | None = None
    shuffler: Shuffler | None = None
    shoe: Shoe | None = None

    @property
    def devices(self) -> frozenset[Device]:
        """Which they are."""
        return frozenset(self._fitted())

    def start(self, listener: Listener) -> None:
        """Seek them all."""
        for part in self._fitted().values():
            part.start(listener)

    def close(self) -> None:
        """Let go of them all."""
        for part in self._fitted().values():
            part.close()

    def inputs(self) -> tuple[InputFigures, ...]:
        """Every button, contact and sensor, the panel's first."""
        return (*self.panel.inputs(), *(self.rail.inputs() if self.rail else ()))

    def figures(self, frames: int = 0) -> tuple[DeviceFigures, ...]:
        """How each of them fares, with so many of each line's last frames, in words."""
        return tuple(line for part in self._fitted().values() for line in part.figures(frames))

    def _fitted(self) -> dict[Device, Part]:
        parts: dict[Device, Part | None] = {
            Device.PANEL: self.panel,
            Device.DISPLAY: self.display,
            Device.RAIL: self.rail,
            Device.SHUFFLER: self.shuffler,
            Device.SHOE: self.shoe,
        }
        return {device: part for device, part in parts.items() if part is not None}


class Outputs:
    """Writes what a state shows; remembers nothing but when the display alternates next."""

    def __init__(
        self, loop: AbstractEventLoop, parts: Parts, rules: Rules, texts: Texts, clock: Clock
    ) -> None:
        self._loop = loop
        self._parts = parts
        self._rules = rules
        self._texts = texts
        self._clock = clock
        self._timer: TimerHandle | None = None

    def show(self, state: TableState) -> None:
        """Write every output of this state."""
        self.withdraw(state)
        self._parts.panel.show(panel_lights(state, self._rules))
        self._show_display(state)

    def withdraw(self, state: TableState) -> None:
        """Write what a lock takes back at once: invitations and dealing. The rest stays."""
        if self._parts.rail is not None:
            self._parts.rail.show(rail_orders(state))
        if self._parts.shuffler is not None:
            self._parts.shuffler.show(shuffler_orders(state, self._rules))

    def display(self, state: TableState) -> DisplayText:
        """What the display is to show of this state now."""
        return display_text(state, self._rules, self._texts, self._clock.now())

    def _show_display(self, state: TableState) -> None:
        now = self._clock.now()
        self._parts.display.show(display_text(state, self._rules, self._texts, now))
        self.stop()
        changes = display_changes_at(state, now)
        if changes is not None:
            delay = (changes - now) / 1000
            self._timer = self._loop.call_later(delay, self._show_display, state)

    def stop(self) -> None:
        """Alternate no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
