"""How often the same log line is written: ten times in half a minute, then it is only counted."""

from dataclasses import dataclass
from typing import TypeVar

MOST = 10
WITHIN_S = 30.0

REMEMBERED = 256
"""Kinds of lines under count; when there is another one, the oldest is told early."""

LineKind = tuple[str, int]
"""Where a line comes from: file, and line in it."""

T = TypeVar("T")


@dataclass(slots=True)
class OmittedLines:
    """So many lines of a kind were left out since `since` (s): `example` is the first of them."""

    since: float
    example: str
    level: int
    written: int = 0
    count: int = 0


class RateLimit:
    """Counts lines of each kind; times in seconds of one clock, that does not go back."""

    def __init__(self) -> None:
        self._spans: dict[LineKind, OmittedLines] = {}  # in the order in which they began

    def admits(self, kind: LineKind, level: int, now: float) -> bool:
        """Whether one more is written. First ask `pop_ended`."""
        span = self._spans.get(kind)
        if span is None:
            span = self._spans[kind] = OmittedLines(now, "", level)
        if span.written < MOST:
            span.written += 1
            return True
        span.count += 1
        return False

    def set_example(self, kind: LineKind, text: str) -> None:
        """A line that was admitted is this one."""
        span = self._spans.get(kind)
        if span is not None and not span.example:
            span.example = text

    def pop_ended(self, now: float) -> list[OmittedLines]:
        """What must be told of spans that are over; each is told once."""
        over = [kind for kind, span in self._spans.items() if now - span.since >= WITHIN_S]
        if len(self._spans) - len(over) >= REMEMBERED:
            over.append(next(kind for kind in self._spans if kind not in over))
        omitted = [self._spans.pop(kind) for kind in over]
        return [span for span in omitted if span.count]
