"""The ports of a terminal: a pseudo-terminal, and this process's own terminal.

Both are `firmware_bridge.line.Line`s, as is `SerialLine` for a serial port.
"""

import asyncio
import errno
import os
import select
import termios
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from console.technician.terminal.terminal import Escapes, Size
from firmware_bridge.line import LineUser

LONGEST_UNSENT = 4096
"""Most bytes waiting for a terminal, beside the kernel's own buffer."""

PIECE = 256
"""Most bytes read at once."""

LOOK_EVERY_S = 0.1
"""How often to check whether a program has opened the pseudo-terminal."""

_GONE = (errno.EIO, errno.ENXIO)

_ESCAPE_LESS = ("", "dumb", "unknown")
_ANSI = ("ansi", "linux", "putty", "rxvt", "screen", "tmux", "vt102", "vt220", "xterm")


class _Stream:
    """A non-blocking descriptor: reads bytes as they come, and buffers output within bounds."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        descriptor: int,
        on_received: Callable[[bytes], None],
        on_lost: Callable[[str], None],
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._on_received = on_received
        self._on_lost = on_lost
        self._unsent = bytearray()
        loop.add_reader(descriptor, self._on_readable)

    def stop(self) -> None:
        """Stop reading and writing; unsent bytes are lost."""
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._unsent.clear()

    def send(self, data: bytes) -> bool:
        """See `Line.send`."""
        if len(self._unsent) + len(data) > LONGEST_UNSENT:
            return False
        if not self._unsent:
            self._loop.add_writer(self._descriptor, self._on_writable)
        self._unsent += data
        return True

    def _on_readable(self) -> None:
        try:
            data = os.read(self._descriptor, PIECE)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)
            return
        if data:
            self._on_received(data)
        else:
            self._on_lost("hung up")

    def _on_writable(self) -> None:
        try:
            del self._unsent[: os.write(self._descriptor, self._unsent)]
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)
            return
        if not self._unsent:
            self._loop.remove_writer(self._descriptor)

    def _fail(self, error: OSError) -> None:
        if error.errno not in _GONE:
            raise error
        self._on_lost("hung up")


class PseudoTerminal:
    """A line on a new pseudo-terminal, up while a program has `path` open.

    Raises OSError if none can be made.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._ours, theirs = os.openpty()
        self.path = os.ttyname(theirs)
        tty.setraw(theirs)
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._poll = select.poll()
        self._poll.register(self._ours, 0)
        self._user: LineUser | None = None
        self._stream: _Stream | None = None
        self._checking: asyncio.TimerHandle | None = None

    def start(self, user: LineUser) -> None:
        """See `Line.start`."""
        self._user = user
        self._checking = self._loop.call_later(0, self._check_open)

    def send(self, data: bytes) -> bool:
        """See `Line.send`."""
        return self._stream is not None and self._stream.send(data)

    def drop(self, why: str) -> None:
        """See `Line.drop`: what the program has not read is lost."""
        if self._stream is not None:
            self._loop.call_soon(self._report_down, why)
            self._leave()

    def close(self) -> None:
        """See `Line.close`: the pseudo-terminal is removed."""
        self._user = None
        if self._ours >= 0:
            self._leave()
            os.close(self._ours)
            self._ours = -1
        if self._checking is not None:
            self._checking.cancel()

    def _check_open(self) -> None:
        hung_up = any(events & select.POLLHUP for _, events in self._poll.poll(0))
        if hung_up:
            self._checking = self._loop.call_later(LOOK_EVERY_S, self._check_open)
        elif self._user is not None:
            self._checking = None
            self._stream = _Stream(self._loop, self._ours, self._user.line_received, self._on_lost)
            self._user.line_up()

    def _on_lost(self, why: str) -> None:
        self._leave()
        self._report_down(why)

    def _leave(self) -> None:
        if self._stream is None:
            return
        self._stream.stop()
        self._stream = None
        # Unread output and the terminal's settings must not reach the next program.
        theirs = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            termios.tcflush(theirs, termios.TCIOFLUSH)
            tty.setraw(theirs, termios.TCSANOW)
        finally:
            os.close(theirs)
        self._checking = self._loop.call_later(LOOK_EVERY_S, self._check_open)

    def _report_down(self, why: str) -> None:
        if self._user is not None:
            self._user.line_down(why)


class OwnTerminal:
    """A line on this process's own terminal, which is in raw mode meanwhile (`raw_mode`).

    The terminal is opened again, so that non-blocking mode does not affect other programs that
    share standard input. Raises OSError if it is no terminal.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._user: LineUser | None = None
        self._stream: _Stream | None = None
        self.descriptor = os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def start(self, user: LineUser) -> None:
        """See `Line.start`."""
        self._user = user
        self._stream = _Stream(self._loop, self.descriptor, user.line_received, self._on_lost)
        self._loop.call_soon(user.line_up)

    def send(self, data: bytes) -> bool:
        """See `Line.send`."""
        return self._stream is not None and self._stream.send(data)

    def drop(self, why: str) -> None:
        """See `Line.drop`; there is no other terminal to look for."""
        self._loop.call_soon(self._on_lost, why)

    def close(self) -> None:
        """See `Line.close`."""
        self._user = None
        self._stop()
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def size(self) -> Size:
        """Return the terminal's size; 80 by 24 if it is unknown."""
        size = os.get_terminal_size(self.descriptor)
        return Size(size.columns or Size().columns, size.lines or Size().rows)

    def _on_lost(self, why: str) -> None:
        if self._stream is not None:
            self._stop()
            if self._user is not None:
                self._user.line_down(why)

    def _stop(self) -> None:
        if self._stream is not None:
            self._stream.stop()
            self._stream = None


@contextmanager
def raw_mode(descriptor: int) -> Iterator[None]:
    """Put a terminal into raw mode, and restore it afterwards unless it is gone."""
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor, termios.TCSANOW)
    try:
        yield
    finally:
        try:
            termios.tcsetattr(descriptor, termios.TCSANOW, before)
        except termios.error as error:
            if error.args[0] not in _GONE:
                raise


def escapes_of(environment: Mapping[str, str]) -> Escapes:
    """Return whether the terminal that TERM names understands escape sequences."""
    name = environment.get("TERM", "")
    if name in _ESCAPE_LESS:
        return Escapes.NEVER
    return Escapes.ALWAYS if name.startswith(_ANSI) else Escapes.ONCE_SENT
