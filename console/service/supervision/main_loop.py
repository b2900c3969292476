"""The event loop of a process: it runs until it is told to stop, or until something fails.

A callback that raises ends the process: a table that does not understand itself any more stops at
once, and systemd starts it again.
"""

import asyncio
import logging
import signal
from collections.abc import Coroutine, Sequence
from typing import Any

from console.service.supervision.watchdog import Notifier, Probe, Watchdog, watchdog_interval

log = logging.getLogger(__name__)

STOPPED = 0

RESTART = 75
"""The exit status that has the unit start the service again: somebody has asked for it."""

NEVER_S = 3600.0


class Ending:
    """How a running loop is told from within to end, so that the service is started again."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.restart_wanted = False

    def restart(self) -> None:
        """End in good order, to be started again."""
        log.warning("ending, to be started again")
        self.restart_wanted = True
        self._loop.stop()


def run_until_told(
    loop: asyncio.AbstractEventLoop,
    probes: Sequence[Probe],
    face: Coroutine[Any, Any, int] | None = None,
    ending: Ending | None = None,
) -> int:
    """Run the loop until SIGTERM or SIGINT, or until `face` ends; its result, or 0.

    `probes`: what must give signs of life beside the loop, for systemd's watchdog to be fed.
    With `ending` also until a restart is asked for: RESTART. Raises what a callback raised.
    """
    failures = _stop_on_failure(loop)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, loop.stop)
    task = loop.create_task(face) if face is not None else None

    def face_ended(_: object) -> None:
        loop.stop()

    if task is not None:
        task.add_done_callback(face_ended)
    notifier = Notifier.of_environment()
    watchdog = Watchdog(
        loop, probes, watchdog_interval() or NEVER_S, lambda: notifier.tell("WATCHDOG=1")
    )
    watchdog.start()
    notifier.tell("READY=1")
    try:
        loop.run_forever()
    finally:
        notifier.tell("STOPPING=1")
        watchdog.stop()
        notifier.close()
    if failures:
        raise failures[0]
    status = STOPPED
    if task is not None:
        task.remove_done_callback(face_ended)
        status = _ended(loop, task)
    return RESTART if ending is not None and ending.restart_wanted else status


def _ended(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[int]") -> int:
    """The face's result; STOPPED if a signal came first, and then it is ended properly."""
    if task.done():
        return task.result()
    task.cancel()
    loop.run_until_complete(asyncio.wait([task], timeout=1))
    return STOPPED


def _stop_on_failure(loop: asyncio.AbstractEventLoop) -> list[BaseException]:
    failures: list[BaseException] = []

    def failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "transport" in context:
            # A port that hangs up with unsent bytes; its line has been told and seeks it again.
            log.warning("%s: %s", context["message"], error)
            return
        failures.append(error if error is not None else RuntimeError(context["message"]))
        loop.stop()

    loop.set_exception_handler(failed)
    return failures
