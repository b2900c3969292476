"""Passes over the time in which a simulated table only repeats itself (`Repetition`).

Boards and their drivers say the same some hundred thousand times a day. When nothing else has
happened for two of its periods, a repetition is put off by whole periods, up to the one before the
next thing that is due. That one, and what follows, is done: so it is as if all had been done.
"""

from asyncio import TimerHandle
from collections.abc import Callable, Iterable
from math import inf

from firmware_bridge.repetition import US, Repetition

SETTLED_AFTER = 2
"""Periods."""

_STEP_S = 1e-6


class QuietTime:
    """Looks for time to pass over whenever the clock is about to jump; times of the loop's clock.

    `repetitions` finds all that repeat themselves; `passed` counts their periods that were passed
    over.
    """

    def __init__(self, repetitions: Callable[[], Iterable[Repetition | None]]) -> None:
        self.passed = 0
        self._repetitions = repetitions
        self._disturbed_at = 0.0
        self._look_at = 0.0
        self._next_disturbance = inf

    def disturb(self, now: float) -> None:
        """Note that something else happens: the repetitions must settle again."""
        self._disturbed_at = self._look_at = now
        self._next_disturbance = inf

    def pass_over(self, now: float, until: float, timers: Iterable[TimerHandle]) -> bool:
        """Put off what repeats itself; returns whether there was any.

        `timers` are all of the loop; by `until` everything must have been done.
        """
        if now < self._look_at:
            return False
        if now >= self._next_disturbance - _STEP_S:
            self.disturb(now)
        found = [each for each in self._repetitions() if each is not None]
        theirs = {timer for each in found for timer in each.timers}
        others = (t.when() for t in timers if not t.cancelled() and t not in theirs)
        self._next_disturbance = min(others, default=inf)
        until = min(until, self._next_disturbance)
        settled_at = [self._disturbed_at + SETTLED_AFTER * each.period_us / US for each in found]
        passed = self.passed
        for each, settled in zip(found, settled_at, strict=True):
            if settled <= now and until < inf:
                self._put_off(each, until)
        self._look_at = min([at for at in settled_at if at > now], default=until)
        self._look_at = min(self._look_at, until)
        return self.passed > passed

    def _put_off(self, repetition: Repetition, until: float) -> None:
        last = max((timer.when() for timer in repetition.timers), default=until)
        periods = int((until - last) * US // repetition.period_us) - 1
        if periods > 0:
            self.passed += periods
            repetition.pass_over(periods * repetition.period_us)
