"""How long the event loop was blocked: a timer measures how late it is called."""

from asyncio import AbstractEventLoop, TimerHandle
from collections import deque

EVERY_S = 0.1
"""The timer's period. A shorter stall may fall between two calls, and is measured only in part."""

STARTING_S = 2.0
"""docs/rules.md, section 7: the table is ready within 2 s of its start, which is no stall."""

CALLS_A_SPAN = 100
"""The timer's calls in one span of 10 s."""

SPANS = 6
"""Spans remembered: the last minute."""


class LoopStall:
    """Measures on the event loop, from 2 s after `start` until `stop`."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._due = 0.0
        self._calls = 0
        self._spans = deque([0.0], maxlen=SPANS)
        self._longest = 0.0
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        """Begin to measure when the table has had its time to start."""
        self._timer = self._loop.call_later(STARTING_S, self._wait)

    def stop(self) -> None:
        """Stop measuring; the results stay."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def of_the_last_minute_ms(self) -> float:
        """The longest stall of the last 50 to 60 s."""
        return max(self._spans)

    @property
    def longest_ms(self) -> float:
        """The longest stall since the start."""
        return self._longest

    def _wait(self) -> None:
        self._due = self._loop.time() + EVERY_S
        self._timer = self._loop.call_at(self._due, self._measure)

    def _measure(self) -> None:
        late = max(0.0, self._loop.time() - self._due) * 1000
        self._calls += 1
        if self._calls % CALLS_A_SPAN == 0:
            self._spans.append(0.0)
        self._spans[-1] = max(self._spans[-1], late)
        self._longest = max(self._longest, late)
        self._wait()
