"""One connection of the local line: reads and sends whole lines, within bounds."""

import asyncio
import socket

from console.line.requests import LONGEST_LINE
from console.line.socket import peer_of

CHUNK = 4096
"""Most bytes read at a time."""

IDLE_S = 3600.0
"""A connection without a complete line for this long is closed."""

SLOW_S = 10.0
"""A client that does not read an answer within this time is cut off."""


class LineTooLong(Exception):
    """The client has sent more than `LONGEST_LINE` bytes without a line's end."""


class Connection:
    """A connected, non-blocking socket. It reads only while `read_line` waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connected: socket.socket) -> None:
        """Raises OSError."""
        connected.setblocking(False)
        self.peer = peer_of(connected)
        self._loop = loop
        self._socket = connected
        self._rest = b""
        self.quiet_since: float | None = None
        """Since when it waits for a line, in seconds of the loop's clock; None: it does not."""

    async def read_line(self) -> bytes | None:
        """Return the next line; None if the connection ended or was idle. Raises LineTooLong."""
        self.quiet_since = self._loop.time()
        try:
            async with asyncio.timeout(IDLE_S):
                while b"\n" not in self._rest:
                    if len(self._rest) > LONGEST_LINE:
                        raise LineTooLong
                    more = await self._loop.sock_recv(self._socket, CHUNK)
                    if not more:
                        return None
                    self._rest += more
        except (OSError, TimeoutError):
            return None
        finally:
            self.quiet_since = None
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise LineTooLong
        return line

    async def send(self, line: bytes) -> bool:
        """Send a line; False if the connection ended or the client does not read."""
        try:
            async with asyncio.timeout(SLOW_S):
                await self._loop.sock_sendall(self._socket, line + b"\n")
        except (OSError, TimeoutError):
            return False
        return True

    def send_at_once(self, line: bytes) -> None:
        """Send as much as possible without waiting. Raises OSError."""
        self._socket.send(line + b"\n")

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()
