"""A limit for what a person's command waits for at the centre."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from console.database.connect import DatabaseUnusable


@contextmanager
def limit_wait(seconds: float) -> Iterator[None]:
    """Give up what waits for the centre in this block. The main thread's alone.

    It sends no cancel, nor does a Ctrl-C meanwhile: that ends the process
    (docs/reference/link-rules.md, 1.3). Raises DatabaseUnusable.
    """

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise DatabaseUnusable(
            f"no answer within {seconds:g} s, so it is not known whether it is done: type the same "
            "command again, it is booked once"
        )

    interrupt = signal.signal(signal.SIGINT, signal.SIG_DFL)
    alarm = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm)
        signal.signal(signal.SIGINT, interrupt)
