"""The clock of a table: monotonic time to compute with, and labels for people."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """What time it is: `now` in monotonic milliseconds, `wall` as a label for people."""

    now: Callable[[], int]
    wall: Callable[[], str]


def wall_clock() -> str:
    """The label that records bear for people; nothing is computed from it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
