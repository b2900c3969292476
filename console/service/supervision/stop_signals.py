"""The signals that ask a process to stop: held, raised, or acted on by a loop.

An exception in the midst of an import can end in a crash of the interpreter, and one raised while a
table starts leaves it half open. So a signal is held until something can act on it.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Handle

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

SAME_SIGNAL_S = 1.0
"""`timeout` and `make` send a signal twice: within this time it counts as one."""

OnSignal = Callable[[int, FrameType | None], None]

_held: list[int] = []


class Signalled(KeyboardInterrupt):
    """One of SIGNALS has come. It is a KeyboardInterrupt, so all clean up as after Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def hold_signals() -> None:
    """Let each of SIGNALS wait from now on, unless it is ignored or has a handler already.

    The package's `banco` starts Python with them blocked: what came meanwhile is held, too.
    """
    for number in SIGNALS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _hold)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def _hold(number: int, _: FrameType | None) -> None:
    _held.append(number)


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """Let each of SIGNALS raise Signalled, also one that is held; one that is ignored stays so."""
    if current_thread() is not main_thread():
        yield
        return
    default = (signal.SIG_DFL, signal.default_int_handler, _hold)
    with _handle([n for n in SIGNALS if signal.getsignal(n) in default], _Raising()):
        for number in _held:
            raise Signalled(number)
        yield


@contextmanager
def note_signals() -> Iterator[list[int]]:
    """Let each of SIGNALS only be noted meanwhile, in this list; one that is ignored stays so.

    For work that is short, and must be whole.
    """
    came: list[int] = []
    if current_thread() is not main_thread():
        yield came
        return
    numbers = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
    with _handle(numbers, lambda number, _: came.append(number)):
        yield came


@contextmanager
def act_on_signals(loop: "AbstractEventLoop", act: Callable[[], object]) -> Iterator[None]:
    """Let each of SIGNALS have the loop call `act`, also for one that is held.

    One that is ignored stays so. Afterwards no call is left to come, and they are handled as
    before: the loop's own handlers would leave the defaults, which end the process at once or
    with a traceback.
    """
    from socket import socketpair

    calls: list[Handle] = []

    def call(_number: int, _frame: FrameType | None) -> None:
        calls.append(loop.call_soon_threadsafe(act))

    wakes, woken = socketpair()
    with wakes, woken:
        wakes.setblocking(False)
        woken.setblocking(False)
        loop.add_reader(woken, woken.recv, 64)
        before = signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        try:
            with _handle([n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN], call):
                for number in _held:
                    call(number, None)
                yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(woken)
            for handle in calls:
                handle.cancel()


class _Raising:
    """The signal handler that raises Signalled."""

    def __init__(self) -> None:
        self._same_until = 0.0

    def __call__(self, number: int, _: FrameType | None) -> None:
        now = time.monotonic()
        if now >= self._same_until:
            self._same_until = now + SAME_SIGNAL_S
            raise Signalled(number)


@contextmanager
def _handle(numbers: "list[signal.Signals]", handler: OnSignal) -> Iterator[None]:
    """Handle these signals in this way meanwhile."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
