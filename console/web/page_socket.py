"""The service's socket for the process that serves a real table's pages, a unit of its own.

Nothing that comes over it is believed: lines are short, few and of a known kind, or the connection
is closed. Whoever connects replaces the one before, at most once a second.
"""

import logging
import socket
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from console.child_process import LinesIn, LinesOut
from console.line.socket import Peer, open_socket, peer_of
from console.web.messages import (
    LONGEST_MESSAGE,
    LONGEST_REQUEST,
    ActRequest,
    PagesOpening,
    PinRequest,
    Serving,
    ToPages,
    decode_from_pages,
    encode_message,
)
from jackpot.failures import Unavailable

log = logging.getLogger(__name__)

WHAT = "the pages' socket"

AGAIN_S = 1.0
"""How soon after a connection another one is taken."""

LINES_A_SECOND = 20
LINES_AT_ONCE = 40

MOST_WAITING = 4 * LONGEST_MESSAGE
"""Bytes that may wait for a process that does not read."""

CHECK_EVERY_S = 5.0
STUCK_AFTER_S = 30.0
"""A process that takes nothing of what waits for so long is let go."""

Reply = Callable[[ToPages], None]
OnPin = Callable[[PinRequest, Reply, int], None]


class Connected:
    """One pages' process, from its connection to its end."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        connected: socket.socket,
        on_pin: OnPin,
        on_emptied: Callable[[], None],
        on_ended: Callable[["Connected"], None],
    ) -> None:
        """`on_ended`: it has gone, or was let go. Raises OSError."""
        self.peer: Peer = peer_of(connected)
        self._loop = loop
        self._socket = connected
        self._on_pin = on_pin
        self._on_ended = on_ended
        self._open = True
        self._left, self._at = float(LINES_AT_ONCE), loop.time()
        self._sent, self._stuck_s = 0, 0.0
        descriptor = connected.fileno()
        self._out = LinesOut(loop, descriptor, on_emptied, lambda: self.end("it has gone"))
        self._in = LinesIn(
            loop, descriptor, self._on_line, lambda: self.end("it has gone"), LONGEST_REQUEST
        )
        self._timer: TimerHandle = loop.call_later(CHECK_EVERY_S, self._check)

    @property
    def ready(self) -> bool:
        """Whether it has taken every message."""
        return self._open and not self._out.waiting

    def send(self, message: ToPages) -> None:
        """Send a message, unless it has ended."""
        self._out.send(encode_message(message))
        if self._out.waiting > MOST_WAITING:
            self.end("it does not take what it is sent")

    def end(self, why: str) -> None:
        """Let it go."""
        if not self._open:
            return
        self._open = False
        self._timer.cancel()
        self._out.close()
        self._in.close()
        self._socket.close()
        log.info("%s: process %d is let go: %s", WHAT, self.peer.pid, why)
        self._on_ended(self)

    def _on_line(self, line: bytes) -> None:
        if not self._open:
            return
        if len(line) > LONGEST_REQUEST:
            self.end(f"it has sent a line of {len(line)} bytes")
            return
        if not self._in_time():
            self.end(f"it says more than {LINES_A_SECOND} lines a second")
            return
        try:
            message = decode_from_pages(line)
        except ValueError as error:
            self.end(f"it has sent an invalid message: {error}")
            return
        match message:
            case PinRequest():
                self._on_pin(message, self.send, self.peer.uid)
            case Serving(url):
                log.info("the pages are served at %.100s", url)
            case ActRequest():
                self.end("it has asked for an act, which only a simulation's pages may")

    def _in_time(self) -> bool:
        now = self._loop.time()
        self._left = min(LINES_AT_ONCE, self._left + (now - self._at) * LINES_A_SECOND)
        self._at = now
        self._left -= 1
        return self._left >= 0

    def _check(self) -> None:
        self._timer = self._loop.call_later(CHECK_EVERY_S, self._check)
        moves = self._out.sent != self._sent or not self._out.waiting
        self._sent = self._out.sent
        self._stuck_s = 0.0 if moves else self._stuck_s + CHECK_EVERY_S
        if self._stuck_s > STUCK_AFTER_S:
            self.end("it reads nothing any more")


class PageSocket:
    """Listens for the pages' process, and is the feed's outlet to it."""

    def __init__(
        self, loop: AbstractEventLoop, path: Path, opening: PagesOpening, on_pin: OnPin
    ) -> None:
        """`on_pin`: checks a PIN, and replies to the process that has asked."""
        self.on_started: Callable[[], None] = lambda: None
        """A process has connected and has been sent the opening."""
        self.on_ready: Callable[[], None] = lambda: None
        """The process has taken every message."""
        self._loop = loop
        self._path = path
        self._opening = opening
        self._on_pin = on_pin
        self._listening: socket.socket | None = None
        self._connected: Connected | None = None
        self._again: TimerHandle | None = None

    @property
    def ready(self) -> bool:
        """Whether a process is connected and has taken every message."""
        return self._connected is not None and self._connected.ready

    def send(self, message: ToPages) -> None:
        """Send a message, if a process is connected."""
        if self._connected is not None:
            self._connected.send(message)

    def start(self) -> None:
        """Listen. Where that is not possible the log says so, and the table plays without pages."""
        try:
            self._listening = open_socket(self._path, WHAT)
        except Unavailable as error:
            log.error("no pages: %s", error)
        self._listen()

    async def end(self) -> None:
        """Let the process go, and remove the socket."""
        if self._again is not None:
            self._again.cancel()
        if self._connected is not None:
            self._connected.end("the service ends")
        if self._listening is not None:
            self._loop.remove_reader(self._listening)
            self._listening.close()
            with suppress(FileNotFoundError):
                self._path.unlink()

    def _listen(self) -> None:
        if self._listening is not None:
            self._loop.add_reader(self._listening, self._on_connecting, self._listening)

    def _on_connecting(self, listening: socket.socket) -> None:
        self._loop.remove_reader(listening)
        self._again = self._loop.call_later(AGAIN_S, self._listen)
        try:
            taken, _ = listening.accept()
        except OSError as error:  # it has gone already, or no descriptor is free
            log.error("%s takes no connection: %s", WHAT, error)
            return
        self._take(taken)

    def _take(self, taken: socket.socket) -> None:
        if self._connected is not None:
            self._connected.end("another has connected")
        try:
            taken.setblocking(False)
            connected = Connected(
                self._loop, taken, self._on_pin, self._on_emptied, self._on_connection_ended
            )
        except OSError as error:
            log.error("%s takes no connection: %s", WHAT, error)
            taken.close()
            return
        self._connected = connected
        peer = connected.peer
        log.info("%s: process %d of user id %d has connected", WHAT, peer.pid, peer.uid)
        connected.send(self._opening)
        self.on_started()

    def _on_emptied(self) -> None:
        self.on_ready()

    def _on_connection_ended(self, connected: Connected) -> None:
        if self._connected is connected:
            self._connected = None
