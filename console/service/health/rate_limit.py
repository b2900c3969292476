"""Limits equal log lines: ten in half a minute are written, further ones only counted."""

from typing import TypeVar

from msgspec import Struct

MOST = 10
WITHIN_S = 30.0

REMEMBERED = 256
"""The most kinds of lines that are counted; for a further one, the oldest span ends early."""

LineKind = tuple[str, int]
"""Where a log line comes from: source file and line number."""

T = TypeVar("T")


class OmittedLines(Struct):
    """The lines of one kind in one span of time."""

    since: float
    """The span's beginning, in seconds."""
    example: str
    """The first line's text."""
    level: int
    written: int = 0
    count: int = 0
    """Lines left out."""


class RateLimit:
    """Counts lines of each kind; times are seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._spans: dict[LineKind, OmittedLines] = {}  # in the order in which they began

    def admits(self, kind: LineKind, level: int, now: float) -> bool:
        """Whether one more line is to be written. Call `pop_ended` first."""
        span = self._spans.get(kind)
        if span is None:
            span = self._spans[kind] = OmittedLines(now, "", level)
        if span.written < MOST:
            span.written += 1
            return True
        span.count += 1
        return False

    def set_example(self, kind: LineKind, text: str) -> None:
        """Keep the text of an admitted line as the example."""
        span = self._spans.get(kind)
        if span is not None and not span.example:
            span.example = text

    def pop_ended(self, now: float) -> list[OmittedLines]:
        """Remove the spans that are over; returns those with lines left out."""
        over = [kind for kind, span in self._spans.items() if now - span.since >= WITHIN_S]
        if len(self._spans) - len(over) >= REMEMBERED:
            over.append(next(kind for kind in self._spans if kind not in over))
        omitted = [self._spans.pop(kind) for kind in over]
        return [span for span in omitted if span.count]
