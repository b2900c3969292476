"""The clock of a table: monotonic time to compute with, and labels for people."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

from msgspec import Struct


class Clock(Struct, frozen=True):
    """What time it is: `now` in monotonic milliseconds, `wall` as a label for people."""

    now: Callable[[], int]
    wall: Callable[[], str]


def wall_clock() -> str:
    """The label that records bear for people; nothing is computed from it."""
    return label_time(time.time_ns() // 1_000_000)


def label_time(ms: int) -> str:
    """The label of so many milliseconds since 1970: `2026-11-28T20:41:22.107+00:00`."""
    minute, rest = divmod(ms, 60_000)
    return f"{_begin_label(minute)}{rest // 1000:02}.{rest % 1000:03}+00:00"


@lru_cache(maxsize=1)
def _begin_label(minute: int) -> str:
    """What the labels of a minute have in common: each act has one."""
    return f"{datetime.fromtimestamp(minute * 60, UTC):%Y-%m-%dT%H:%M:}"
