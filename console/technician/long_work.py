"""Runs long work in a thread with a deadline. The person sees the progress and may end it."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from console.technician.command import TechnicianSession
from console.technician.talk import Interrupted
from console.texts.technician import session_texts
from jackpot.failures import Unavailable

Result = TypeVar("Result")

AT_ONCE_S = 0.3
"""Work done within this time shows no progress and reads no keys."""

POLL_S = 0.5
PROGRESS_EVERY_S = 5.0


class Meter:
    """The progress of work: counted in its thread, read by the waiting task."""

    def __init__(self) -> None:
        self.done = 0
        self._given_up = False

    def step(self) -> None:
        """Count a step. Raises Interrupted if nobody waits any more."""
        self.done += 1
        if self._given_up:
            raise Interrupted

    def give_up(self) -> None:
        """Make the next step raise Interrupted."""
        self._given_up = True


async def run_in_thread(
    session: TechnicianSession, work: Callable[[Meter], Result], *, seconds: float
) -> Result:
    """Run the work and return its result.

    Raises Unavailable past the deadline; Interrupted, Hung, and what the work raises.
    """
    loop = asyncio.get_running_loop()
    meter = Meter()
    results: list[Result] = []

    def run() -> None:
        try:
            results.append(work(meter))
        except Interrupted:
            return

    future = loop.run_in_executor(None, run)
    try:
        await asyncio.wait({future}, timeout=AT_ONCE_S)
        if not future.done():
            await _show_progress(session, future, meter, seconds)
        future.result()
        return results[0]
    finally:
        meter.give_up()
        future.cancel()  # the result of abandoned work is not needed


async def _show_progress(
    session: TechnicianSession, future: asyncio.Future[None], meter: Meter, seconds: float
) -> None:
    """Wait and show the progress; `q` and Ctrl-C end the wait."""
    loop = asyncio.get_running_loop()
    shown_s = loop.time()
    deadline = shown_s + seconds
    while not future.done():
        if loop.time() >= deadline:
            raise Unavailable(session.words(session_texts.NOT_DONE_WITHIN.fill(seconds)))
        if await session.talk.key(POLL_S) == "q":
            raise Interrupted
        if loop.time() - shown_s >= PROGRESS_EVERY_S and not future.done():
            shown_s = loop.time()
            end = session.words(session_texts.Q_END)
            await session.talk.say(f"  ... {meter.done} {end}")
