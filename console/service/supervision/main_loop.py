"""The event loop of a process, and its signs of life: until it is stopped, or something fails.

A callback that raises ends the process: a table in an unexpected state stops at once, and systemd
starts it again. systemd hears that it is ready, that it stops, and that its loop still runs.
"""

import asyncio
import gc
import logging
import os
import socket
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from console.service.supervision.stop_signals import act_on_signals


class Notifier:
    """Sends sd_notify messages to the socket in `NOTIFY_SOCKET`; without one it does nothing."""

    def __init__(self, address: str | None) -> None:
        self._socket: socket.socket | None = None
        self._unsent: dict[str, None] = {}
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            # systemd writes an abstract address with an @ for the leading zero byte.
            self._socket.connect("\0" + address[1:] if address.startswith("@") else address)

    @classmethod
    def of_environment(cls) -> "Notifier":
        """The notifier that the environment asks for."""
        return cls(os.environ.get("NOTIFY_SOCKET"))

    def send(self, message: str) -> None:
        """Send one message, such as READY=1; when systemd is busy it goes with the next one."""
        if self._socket is None:
            return
        self._unsent[message] = None
        try:
            self._socket.send("\n".join(self._unsent).encode())
        except BlockingIOError:  # its queue is full: no reason for a table to end
            return
        self._unsent.clear()

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()


def watchdog_interval() -> float | None:
    """A third of systemd's watchdog time, in seconds; None: there is no watchdog."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    mine = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 3e6 if microseconds.isdecimal() and mine else None


Answer = Callable[[], None]
Probe = Callable[[Answer, Answer], None]
"""Asks for a sign of life: calls the first when it comes, the second when it is late."""

ASKED_AGAIN_S = 0.1
"""How soon a probe that has not answered is asked again."""


class Watchdog:
    """Feeds systemd's watchdog while the event loop runs and each probe is answered in time.

    A probe counts as alive until its own deadline (for a disk's thread `disk_thread.DEADLINE_S`),
    so a disk may stall for some seconds. While a probe is overdue the watchdog is not fed: hung but
    alive is worse than dead.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        probes: Sequence[Probe],
        interval: float,
        feed: Callable[[], None],
    ) -> None:
        """`interval`: how often it is fed, and each probe asked, in seconds."""
        self._loop = loop
        self._probes = probes
        self._interval = interval
        self._feed = feed
        self._silent = set(range(len(probes)))  # none of them has answered yet
        self._stopped = False
        self._timers: dict[str, TimerHandle] = {}

    def start(self) -> None:
        """Ask each probe; feed as soon as all have answered, and regularly from then on."""
        for number in range(len(self._probes)):
            self._ask(number)
        self._later("feed", self._interval, self._feed_again)

    def stop(self) -> None:
        """Stop feeding, even if a sign of life is still to come."""
        self._stopped = True
        for timer in self._timers.values():
            timer.cancel()

    def _feed_again(self) -> None:
        if not self._silent:
            self._feed()
        self._later("feed", self._interval, self._feed_again)

    def _ask(self, number: int) -> None:
        self._probes[number](partial(self._alive, number), partial(self._not_alive, number))

    def _alive(self, number: int) -> None:
        if self._stopped:
            return
        if number in self._silent:
            self._silent.remove(number)
            if not self._silent:
                self._feed()
        self._later(f"ask {number}", self._interval, partial(self._ask, number))

    def _not_alive(self, number: int) -> None:
        self._silent.add(number)
        self._later(f"ask {number}", ASKED_AGAIN_S, partial(self._ask, number))

    def _later(self, what: str, seconds: float, then: Callable[[], None]) -> None:
        if not self._stopped:
            self._timers[what] = self._loop.call_later(seconds, then)


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
