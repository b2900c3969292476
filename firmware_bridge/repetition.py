"""What a line's ends do again and again while nothing else happens.

Virtual time passes over it instead of doing it: an end says how it repeats itself, and how it is
after so many periods. Whoever is not sure says nothing, and everything is done.
"""

from asyncio import TimerHandle
from collections.abc import Callable
from math import lcm
from typing import Protocol, runtime_checkable

from msgspec import Struct

US = 1_000_000
"""Microseconds of a second, the clock's smallest step in virtual time."""


class Repetition(Struct, frozen=True):
    """The same after each period, but for counters, and times that are later by as much."""

    period_us: int
    timers: tuple[TimerHandle, ...]
    """All that it waits for."""
    pass_over: Callable[[int], None]
    """Makes it later by so many microseconds, a multiple of the period."""

    def beside(self, other: "Repetition") -> "Repetition":
        """Both ends of a line, which repeat themselves together."""

        def pass_both_over(us: int) -> None:
            self.pass_over(us)
            other.pass_over(us)

        period_us = lcm(self.period_us, other.period_us)
        return Repetition(period_us, self.timers + other.timers, pass_both_over)


@runtime_checkable
class Repeating(Protocol):
    """What may repeat itself."""

    def repetition(self) -> Repetition | None:
        """How it repeats itself now; None: something else happens, or may happen."""


def later(when: float, us: int) -> float:
    """A time of the loop's clock, made later."""
    return round(when + us / US, 6)
