"""The clock of a table: monotonic time to compute with, and labels for people."""

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct


class Clock(Struct, frozen=True):
    """What time it is: `now` in monotonic milliseconds, `wall` as a label for people."""

    now: Callable[[], int]
    wall: Callable[[], str]


def wall_clock() -> str:
    """The label that records bear for people; nothing is computed from it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
