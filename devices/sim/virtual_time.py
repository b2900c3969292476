"""An event loop whose clock jumps to the next timer as soon as nothing is left to do.

The code that runs on it is the shipped code; only `time()` differs. A quiet hour takes only the
time of its callbacks, and a wait that nothing can end is an error instead of a hang.

The time in which a table only repeats itself (`Repetition`) is passed over: boards and their
drivers say the same some hundred thousand times a day. When nothing else has happened for two of
its periods, a repetition is put off by whole periods, up to the one before the next thing that is
due. That one, and what follows, is done: so it is as if all had been done.
"""

import asyncio
import selectors
from asyncio import TimerHandle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import Context
from heapq import heappush
from math import inf
from threading import get_ident
from typing import Any, TypeVar, TypeVarTuple

from firmware_bridge.repetition import US, Repetition

SETTLED_AFTER = 2
"""Periods."""

_STEP_S = 1e-6

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

OUTSIDE_DEADLINE_S = 30.0
"""Real seconds for which work in another thread may stop the virtual clock."""

DECIMALS = 6
"""The clock counts whole microseconds, so that equal sums of delays are equal times."""

HALF_STEP_S = 0.6e-6
"""A little over half a step of the clock, so that a timer rounded down to now is due now."""


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


class _Timer(asyncio.TimerHandle):
    """Of timers that are due at the same instant, the one that was set first comes first.

    So their order does not depend on how many timers there were before.
    """

    __slots__ = ("order",)

    _scheduled: bool  # asyncio's own

    def __init__(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        context: Context | None,
        number: int,
    ) -> None:
        super().__init__(when, callback, args, loop, context)
        self.order = (when, number)

    def __lt__(self, other: object) -> bool:
        return self.order < other.order if type(other) is _Timer else NotImplemented


class _JumpingSelector(selectors.DefaultSelector):
    """Polls the real file descriptors; where the loop would sleep, it moves the clock.

    Descriptors are polled when nothing else is left to do.
    """

    def __init__(self) -> None:
        super().__init__()
        self.jumped: Callable[[float | None], bool] = bool
        self.disturbed: Callable[[], object] = bool

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout == 0:
            return []
        events = super().select(0)
        if events:
            self.disturbed()
            return events
        if self.jumped(timeout):
            return events
        events = super().select(OUTSIDE_DEADLINE_S)
        if not events:
            raise RuntimeError(f"outside work gave no sign for {OUTSIDE_DEADLINE_S} s")
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """An asyncio loop in virtual time, in seconds from `start`.

    File descriptors and `call_soon_threadsafe` work as usual, but the clock does not wait for them:
    it stops only for announced work, by `run_in_executor` or `outside_work`.

    `quiet_time` may be set: then time in which everything only repeats itself is passed over.
    """

    _scheduled: list[asyncio.TimerHandle]  # asyncio's own
    _closed: bool  # asyncio's own

    def __init__(self, start: float = 1000.0) -> None:
        self.quiet_time: QuietTime | None = None
        self._now = start
        self._timers_set = 0
        self._until: float | None = None
        self._outside = 0
        self._thread = get_ident()
        self._failure: BaseException | None = None
        selector = _JumpingSelector()
        selector.jumped = self._on_jump
        selector.disturbed = self._disturb
        super().__init__(selector)
        self._clock_resolution = HALF_STEP_S

    def time(self) -> float:
        """The virtual monotonic clock, in seconds."""
        return self._now

    def run_for(self, seconds: float) -> None:
        """Let `seconds` pass: everything due by then is done, with all its consequences.

        Raises the first exception of a callback, which an ordinary loop would only log.
        """
        self._until = round(self._now + seconds, DECIMALS)
        self._disturb()
        try:
            self.run_forever()
        finally:
            self._until = None
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """As asyncio's; the first failure is also raised at the end of `run_for`."""
        super().default_exception_handler(context)
        if self._failure is None:
            self._failure = context.get("exception")

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """As asyncio's, at whole microseconds; those of one instant in the order of their calls."""
        if self._closed:
            raise RuntimeError("the loop is closed")
        self._timers_set += 1
        number = self._timers_set
        timer = _Timer(round(when, DECIMALS), callback, args, self, context, number)
        heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """As asyncio's; the loop's own thread, on which the mock pins change, need not be woken."""
        if get_ident() == self._thread:
            return self.call_soon(callback, *args, context=context)
        return super().call_soon_threadsafe(callback, *args, context=context)

    @contextmanager
    def outside_work(self) -> Iterator[None]:
        """Stop the clock while another thread works and will call back."""
        self._outside += 1
        try:
            yield
        finally:
            self._outside -= 1

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """As asyncio's; the clock stops until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self._outside += 1
        future.add_done_callback(self._work_done)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """As asyncio's; the clock stops while its threads end, so `timeout` would never pass."""
        del timeout
        with self.outside_work():
            await super().shutdown_default_executor()

    def _work_done(self, _: object) -> None:
        self._outside -= 1

    def _disturb(self) -> None:
        if self.quiet_time is not None:
            self.quiet_time.disturb(self._now)

    def _passes_over(self, quiet: QuietTime) -> bool:
        until = inf if self._until is None else self._until
        return quiet.pass_over(self._now, until, self._scheduled)

    def _on_jump(self, timeout: float | None) -> bool:
        """Nothing is ready: jump to the next timer, unless outside work must be awaited."""
        if self._outside:
            self._disturb()
            return False
        if self.quiet_time is not None and self._passes_over(self.quiet_time):
            return True  # the timers are other ones now
        due = None if timeout is None else round(self._now + timeout, DECIMALS)
        if self._until is not None and (due is None or due > self._until):
            self._now = self._until
            self.stop()
        elif due is None:
            raise RuntimeError(f"at {self._now} s: no timer is set and no work is under way")
        else:
            self._now = due
        return True
