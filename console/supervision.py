"""What the service tells systemd: that it is ready, that it stops, that every loop goes on."""

import os
import socket
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable


class Notifier:
    """Sends sd_notify messages to the socket of `NOTIFY_SOCKET`; to nobody without one."""

    def __init__(self, address: str | None) -> None:
        self._socket: socket.socket | None = None
        self._untold: dict[str, None] = {}
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            # systemd writes an abstract address with an @ for the leading zero byte.
            self._socket.connect("\0" + address[1:] if address.startswith("@") else address)

    @classmethod
    def of_environment(cls) -> "Notifier":
        """The notifier that the environment asks for."""
        return cls(os.environ.get("NOTIFY_SOCKET"))

    def tell(self, message: str) -> None:
        """Send one message, such as READY=1; when systemd is busy it goes with the next one."""
        if self._socket is None:
            return
        self._untold[message] = None
        try:
            self._socket.send("\n".join(self._untold).encode())
        except BlockingIOError:  # its queue is full: no reason for a table to end
            return
        self._untold.clear()

    def close(self) -> None:
        """Let go of the socket."""
        if self._socket is not None:
            self._socket.close()


def watchdog_interval() -> float | None:
    """A third of the time after which systemd gives the service up, in seconds; None: never."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    mine = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 3e6 if microseconds.isdecimal() and mine else None


Answer = Callable[[], None]
Probe = Callable[[Answer, Answer], None]
"""Asks for a sign of life: calls the first when it has come, the second when it has not."""


class Watchdog:
    """Feeds systemd's watchdog each time the event loop and the disk's thread have both answered.

    Hung but alive is worse than dead: a thread that does not answer is not waited for.
    """

    def __init__(
        self, loop: AbstractEventLoop, probe: Probe, interval: float, feed: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._probe = probe
        self._interval = interval
        self._feed = feed
        self._stopped = False
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        """Ask for a sign of life, and again after each answer."""
        self._probe(self._answered, self._ask_later)

    def stop(self) -> None:
        """Feed no more, not even for a sign of life that is still on its way."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def _answered(self) -> None:
        if not self._stopped:
            self._feed()
            self._ask_later()

    def _ask_later(self) -> None:
        if not self._stopped:
            self._timer = self._loop.call_later(self._interval, self.start)
