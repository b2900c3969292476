"""Messages to systemd: ready, stopping, and the watchdog's sign of life."""

import os
import socket
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Sequence
from functools import partial


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

    A probe within its own deadline counts as alive, so a disk may stall for some seconds. While a
    probe is overdue the watchdog is not fed: hung but alive is worse than dead.
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
