"""Lines over a pipe or a socket, on the event loop, without blocking; how long a message may be."""

import fcntl
import os
import struct
import termios
from asyncio import AbstractEventLoop
from collections.abc import Callable

import msgspec

CHUNK = 64 * 1024


def encode_line(message: msgspec.Struct, longest: int) -> bytes:
    """The message as a line. Raises ValueError for more than `longest` bytes, its end included."""
    line = msgspec.json.encode(message) + b"\n"
    if len(line) > longest:
        raise ValueError(f"a message of {len(line)} bytes; at most {longest} are read")
    return line


class LinesOut:
    """Writes lines to a pipe; what the pipe does not take at once waits here."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        descriptor: int,
        on_emptied: Callable[[], None],
        on_broken: Callable[[], None],
    ) -> None:
        """`on_emptied`: nothing waits any more.

        `on_broken`: nobody reads any more; called once, and what is sent afterwards is lost.
        """
        self._loop = loop
        self._descriptor = descriptor
        self._on_emptied = on_emptied
        self._on_broken = on_broken
        self._unsent = bytearray()
        self._sent = 0
        self._open = True
        os.set_blocking(descriptor, False)

    @property
    def sent(self) -> int:
        """Bytes that the pipe has taken so far."""
        return self._sent

    @property
    def unread(self) -> int:
        """Bytes sent but not read yet: in the pipe, or waiting for space in it."""
        if not self._open:
            return 0
        (in_pipe,) = struct.unpack("i", fcntl.ioctl(self._descriptor, termios.FIONREAD, bytes(4)))
        return len(self._unsent) + int(in_pipe)

    @property
    def read(self) -> int:
        """Bytes that have been read so far."""
        return self._sent + len(self._unsent) - self.unread

    @property
    def waiting(self) -> int:
        """Bytes that the pipe has not taken yet."""
        return len(self._unsent)

    def send(self, data: bytes) -> None:
        """Send it, at once or as soon as there is space."""
        if not self._open:
            return
        begins = not self._unsent
        self._unsent += data
        if begins and self._push() and self._unsent:
            self._loop.add_writer(self._descriptor, self._on_writable)

    def close(self) -> None:
        """Stop writing; data that waits is not sent."""
        if self._open:
            self._open = False
            self._unsent.clear()
            self._loop.remove_writer(self._descriptor)

    def _on_writable(self) -> None:
        if self._push() and not self._unsent:
            self._loop.remove_writer(self._descriptor)
            self._on_emptied()

    def _push(self) -> bool:
        """Whether somebody still reads."""
        try:
            taken = os.write(self._descriptor, self._unsent)
        except BlockingIOError:
            return True
        except (BrokenPipeError, ConnectionResetError):
            self.close()
            self._on_broken()
            return False
        self._sent += taken
        del self._unsent[:taken]
        return True


class LinesIn:
    """Passes each line of a pipe to a callback; a line that is too long ends the reading."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        descriptor: int,
        on_line: Callable[[bytes], None],
        on_ended: Callable[[], None],
        longest: int,
    ) -> None:
        """`on_ended`: the pipe has ended, or a line was longer than `longest` bytes."""
        self._loop = loop
        self._descriptor = descriptor
        self._on_line = on_line
        self._on_ended = on_ended
        self._longest = longest
        self._rest = b""
        os.set_blocking(descriptor, False)
        loop.add_reader(descriptor, self._on_readable)

    def close(self) -> None:
        """Read no more."""
        self._loop.remove_reader(self._descriptor)

    def _on_readable(self) -> None:
        try:
            data = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return
        except ConnectionResetError:  # a socket whose other side has gone
            data = b""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._on_line(line)
        if not data or len(self._rest) > self._longest:
            self.close()
            self._on_ended()
