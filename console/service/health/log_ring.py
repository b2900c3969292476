"""The log's last lines, for people who look at a running table."""

from collections import deque
from collections.abc import Sequence
from threading import Lock

import msgspec


class LogLine(msgspec.Struct, frozen=True):
    """One line of the service's log."""

    wall: str
    level: str
    text: str


LINES = 500


class LogRing:
    """The last 500 lines. Any thread may add lines."""

    def __init__(self, lines: int = LINES) -> None:
        self._lines: deque[LogLine] = deque(maxlen=lines)
        self._lock = Lock()

    def add(self, line: LogLine) -> None:
        """Add a line; the oldest one is dropped when the ring is full."""
        with self._lock:
            self._lines.append(line)

    def last(self, lines: int) -> Sequence[LogLine]:
        """At most this number of lines, oldest first; none for 0."""
        with self._lock:
            kept = tuple(self._lines)
        return kept[-lines:] if lines > 0 else ()
