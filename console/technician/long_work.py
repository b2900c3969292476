"""Work that may take long: in a thread, with a deadline; the person sees progress, may end it."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from console.technician.command import TechnicianSession
from console.technician.talk import Interrupted

Result = TypeVar("Result")

AT_ONCE_S = 0.3
"""Work that is done by then asks for no key."""

POLL_S = 0.5
PROGRESS_EVERY_S = 5.0


class TooLong(Exception):
    """The work was not done by its deadline, and goes on for nobody."""


class WorkCancelled(Exception):
    """Raised within the work: nobody waits for it any more."""


class Meter:
    """How far a piece of work has come: counted by its thread, read by who waits for it."""

    def __init__(self) -> None:
        self.done = 0
        self._given_up = False

    def step(self) -> None:
        """One thing more is done. Raises WorkCancelled when nobody waits for the rest."""
        self.done += 1
        if self._given_up:
            raise WorkCancelled

    def give_up(self) -> None:
        """The next step is the last."""
        self._given_up = True


async def run_in_thread(
    session: TechnicianSession, work: Callable[[Meter], Result], *, seconds: float
) -> Result:
    """What the work comes to. Raises TooLong, Interrupted, Hung, and what the work raises."""
    loop = asyncio.get_running_loop()
    meter = Meter()
    results: list[Result] = []

    def run() -> None:
        try:
            results.append(work(meter))
        except WorkCancelled:
            return

    future = loop.run_in_executor(None, run)
    try:
        await asyncio.wait({future}, timeout=AT_ONCE_S)
        if not future.done():
            await _show_progress(session, future, meter, loop.time() + seconds)
        future.result()
        return results[0]
    finally:
        meter.give_up()
        future.cancel()  # nobody asks what an abandoned one came to


async def _show_progress(
    session: TechnicianSession, future: asyncio.Future[None], meter: Meter, deadline: float
) -> None:
    """Wait for it, showing how far it has come; `q` and Ctrl-C end the wait."""
    loop = asyncio.get_running_loop()
    told = loop.time()
    while not future.done():
        if loop.time() >= deadline:
            raise TooLong
        if await session.talk.key(POLL_S) == "q":
            raise Interrupted
        if loop.time() - told >= PROGRESS_EVERY_S and not future.done():
            told = loop.time()
            end = session.words("(q: fine)", "(q: end)")
            await session.talk.say(f"  ... {meter.done} {end}")
