"""How long the event loop was held: a timer that measures its own lateness."""

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque

EVERY_S = 0.1
"""A shorter stall may fall between two of the timer's beats, and is then measured in part."""

STARTING_S = 2.0
"""docs/rules.md, section 7: the table is ready within 2 s of its start, which is no stall."""

BEATS = 100
"""Beats of one span, of 10 s."""

SPANS = 6
"""Spans remembered: the last minute."""


class LoopStall:
    """Measures from soon after `start` to `stop`; all on the event loop."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._due = 0.0
        self._beats = 0
        self._spans = deque([0.0], maxlen=SPANS)
        self._longest = 0.0
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        """Measure once the table has had its time to start."""
        self._timer = self._loop.call_later(STARTING_S, self._wait)

    def stop(self) -> None:
        """Measure no more; what was measured stays."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def of_the_last_minute_ms(self) -> float:
        """The longest of the last 50 to 60 s."""
        return max(self._spans)

    @property
    def longest_ms(self) -> float:
        """The longest since the start."""
        return self._longest

    def _wait(self) -> None:
        self._due = self._loop.time() + EVERY_S
        self._timer = self._loop.call_at(self._due, self._measure)

    def _measure(self) -> None:
        late = max(0.0, self._loop.time() - self._due) * 1000
        self._beats += 1
        if self._beats % BEATS == 0:
            self._spans.append(0.0)
        self._spans[-1] = max(self._spans[-1], late)
        self._longest = max(self._longest, late)
        self._wait()
