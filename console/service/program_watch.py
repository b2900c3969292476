"""Looks at the program's files again while the table plays: a file may change after the start."""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Protocol

from msgspec import UnsetType

from console.rules.release_marks import ProgramChanged, ReleaseFound
from jackpot.failures import Unavailable

LOOKED_AGAIN_S = 3600.0
"""How long after the start, and after each look, the files are looked at again."""

CONFIRMED_AFTER_S = 300.0
"""What differs must differ still: meanwhile dpkg may put another release's units there."""

REST_S = 0.002
"""After each file: some 2,400 files take 7 s, and the table's own work goes first."""

ENDED_WITHIN_S = 1.0

Look = Callable[[Callable[[], None]], ReleaseFound | UnsetType]
"""Compares the files, calling what it is given before each; unset: this is no release."""

log = logging.getLogger(__name__)


class TakesActs(Protocol):
    """A table's service, as far as it is told of a changed program."""

    def report(self, act: ProgramChanged) -> None:
        """Take the act."""


@contextmanager
def watch_program(
    loop: AbstractEventLoop,
    look: Look,
    again_s: float = LOOKED_AGAIN_S,
    confirmed_s: float = CONFIRMED_AFTER_S,
) -> Iterator[Callable[[TakesActs | None], None]]:
    """Look again and again for the duration of the block; report what has changed, once."""
    services: list[TakesActs] = []
    over = Event()

    def rest() -> None:
        if over.wait(REST_S):
            raise Unavailable("the process ends: the look is given up")

    def report(why: str) -> None:
        for service in services:
            service.report(ProgramChanged(why))

    def find_problem() -> str:
        found = look(rest)
        return "" if isinstance(found, UnsetType) else found.problem

    def look_until_found() -> None:
        while not over.wait(again_s):
            if not find_problem() or over.wait(confirmed_s):
                continue
            if (why := find_problem()) and not loop.is_closed():
                log.critical("the program has changed since it was started: %s", why)
                loop.call_soon_threadsafe(report, why)
                return

    def work() -> None:
        try:
            look_until_found()
        except Unavailable:
            if not over.is_set():
                raise

    def follow(service: TakesActs | None) -> None:
        services[:] = [] if service is None else [service]

    thread = Thread(target=work, name="program watch", daemon=True)
    thread.start()
    try:
        yield follow
    finally:
        over.set()
        thread.join(ENDED_WITHIN_S)
