"""The event loop of a process: it runs until it is stopped, or until something fails.

A callback that raises ends the process: a table in an unexpected state stops at once, and systemd
starts it again.
"""

import asyncio
import gc
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from console.service.supervision.stop_signals import act_on_signals
from console.service.supervision.watchdog import Notifier, Probe, Watchdog, watchdog_interval

log = logging.getLogger(__name__)

STOPPED = 0

RESTART = 75
"""The exit status after a requested restart: the unit starts the service again."""

NEVER_S = 3600.0


class Ending:
    """Ends a running loop from within, so that the service is started again."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.restart_wanted = False

    def restart(self) -> None:
        """End in good order, and have the service started again."""
        log.warning("ending, to be started again")
        self.restart_wanted = True
        self._loop.stop()


def run_until_stopped(
    loop: asyncio.AbstractEventLoop,
    probes: Sequence[Probe],
    foreground: Coroutine[Any, Any, int] | None = None,
    ending: Ending | None = None,
) -> int:
    """Run the loop until a signal asks to stop, or until `foreground` ends; its result, or 0.

    `probes`: the threads that must also answer for systemd's watchdog to be fed. `ending`: what
    may ask for a restart; the result is then RESTART. Raises what a callback raised.
    """
    failures = _stop_on_failure(loop)
    task = loop.create_task(foreground) if foreground is not None else None

    def on_foreground_end(_: object) -> None:
        loop.stop()

    if task is not None:
        task.add_done_callback(on_foreground_end)
    notifier = Notifier.of_environment()
    watchdog = Watchdog(
        loop, probes, watchdog_interval() or NEVER_S, lambda: notifier.send("WATCHDOG=1")
    )
    watchdog.start()
    gc.freeze()  # what the start has made stays: no later look for garbage goes through it
    gc.enable()
    notifier.send("READY=1")
    try:
        with act_on_signals(loop, loop.stop):
            loop.run_forever()
    finally:
        notifier.send("STOPPING=1")
        watchdog.stop()
        notifier.close()
    if failures:
        raise failures[0]
    status = STOPPED
    if task is not None:
        task.remove_done_callback(on_foreground_end)
        status = _finish_foreground(loop, task)
    return RESTART if ending is not None and ending.restart_wanted else status


def _finish_foreground(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[int]") -> int:
    """The task's result; STOPPED if a signal came first: it is then cancelled and awaited."""
    if task.done():
        return task.result()
    task.cancel()
    loop.run_until_complete(asyncio.wait([task], timeout=1))
    return STOPPED


def _stop_on_failure(loop: asyncio.AbstractEventLoop) -> list[BaseException]:
    failures: list[BaseException] = []

    def on_failure(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "transport" in context:
            # A port that hangs up with unsent bytes; its line knows, and opens it again.
            log.warning("%s: %s", context["message"], error)
            return
        failures.append(error if error is not None else RuntimeError(context["message"]))
        loop.stop()

    loop.set_exception_handler(on_failure)
    return failures
