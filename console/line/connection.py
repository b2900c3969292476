"""One connection of the local line: whole lines in, whole lines out, all of it bounded."""

import asyncio
import socket

from console.line.requests import LONGEST_LINE

CHUNK = 4096
"""Bytes read at a time, up to the longest line: what is there already is read at once."""

IDLE_S = 3600.0
"""A connection on which no line has been completed for so long is ended."""

SLOW_S = 10.0
"""Who has not read an answer by then is cut off."""


class LineTooLong(Exception):
    """What has come so far is no line that anybody may send."""


class Connection:
    """A connected socket that does not block. Nothing is read before a line is asked for."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connected: socket.socket) -> None:
        connected.setblocking(False)
        self._loop = loop
        self._socket = connected
        self._rest = b""

    async def line(self) -> bytes | None:
        """The next line; None: it has ended, or was idle for too long. Raises LineTooLong."""
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
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise LineTooLong
        return line

    async def send(self, line: bytes) -> bool:
        """Send a line; False: it has ended, or nobody reads."""
        try:
            async with asyncio.timeout(SLOW_S):
                await self._loop.sock_sendall(self._socket, line + b"\n")
        except (OSError, TimeoutError):
            return False
        return True

    def send_at_once(self, line: bytes) -> None:
        """Send what can be sent without waiting. Raises OSError."""
        self._socket.send(line + b"\n")

    def close(self) -> None:
        """End it."""
        self._socket.close()
