"""How long the event loop is held: each of its passes is measured, and nothing wakes up for it."""

import selectors
import time
from collections import deque
from collections.abc import Callable

STARTING_S = 2.0
"""docs/reference/rules.md, section 7: the table is ready within 2 s of its start, which is no
stall.
"""

SPAN_S = 10.0

SPANS = 6
"""Spans remembered: the last minute."""


class LoopStall(selectors.DefaultSelector):
    """The selector of an event loop: what it does between two calls holds everything else.

    A loop that is woken later than it asked for has been held by another thread, or another
    process.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: in seconds."""
        super().__init__()
        self._clock = clock
        self._longest = 0.0
        self._spans = deque([0.0], maxlen=SPANS)
        self._most = 0.0
        """Of the span that ends at `_ends`."""
        self._awake_at = self._from = self._ends = clock()

    def start(self) -> None:
        """Begin to measure, from zero, when the table has had its time to start."""
        self._from = self._clock() + STARTING_S
        self._ends = self._from + SPAN_S
        self._spans = deque([0.0], maxlen=SPANS)
        self._longest = self._most = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """See `BaseSelector.select`."""
        asleep_at = self._clock()
        held = asleep_at - self._awake_at
        if held > self._most or asleep_at >= self._ends:
            self._note(held, asleep_at)
        events = super().select(timeout)
        self._awake_at = now = self._clock()
        if timeout and now - asleep_at - timeout > self._most:
            self._note(now - asleep_at - timeout, now)
        return events

    @property
    def of_the_last_minute_ms(self) -> float:
        """The longest stall of the last 50 to 60 s."""
        self._note(0.0, self._clock())
        return max(self._spans) * 1000

    @property
    def longest_ms(self) -> float:
        """The longest stall since the start."""
        return self._longest * 1000

    def _note(self, held: float, now: float) -> None:
        if now - held < self._from:
            return
        while now >= self._ends:
            ended = int((now - self._ends) // SPAN_S) + 1
            self._ends += ended * SPAN_S
            self._spans.extend([0.0] * min(ended, SPANS))
        self._spans[-1] = self._most = max(self._spans[-1], held)
        self._longest = max(self._longest, held)
