"""The connections to the pages: a limited number at once; idle ones are closed."""

import asyncio
import errno
import ipaddress
import socket
import struct
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from console.web.serving.security import add_headers_to_error

MOST_CONNECTIONS = 768
"""At once: viewers, and what else browsers open; whoever comes then is sent away."""

MOST_OF_ONE_ADDRESS = 64
"""Of these. An IPv6 host has a network of 64 bits; a proxy on this machine is all its browsers."""

PROXIES = ("127.0.0.1", "::1")
"""Where a proxy on this machine connects from."""

ASKS_WITHIN_S = 10.0
KEPT_ALIVE_S = 30.0
LINGERS_S = 1.0
LONGEST_LINE = 4096
MOST_HEADERS = 64

SEND_BUFFER = 64 * 1024
"""Bytes that the kernel keeps for one that does not read; by itself it would take megabytes."""

TAKES_WITHIN_MS = 15_000
"""One that takes nothing of its answer for so long is hung up on, by the kernel: whoever asks for
a file and never reads it would hold a connection for ever, even a closed one."""

THEIRS = (HttpProcessingError, web.RequestPayloadError, ConnectionError)
"""Errors of the client, not of this program."""

AT_ONCE = struct.pack("ii", 1, 0)
"""SO_LINGER: data that has not been taken is dropped."""


def hang_up(transport: asyncio.BaseTransport | None) -> None:
    """Close the connection of a client that does not read; what waits for it is dropped."""
    if isinstance(transport, asyncio.WriteTransport):
        own = transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        transport.abort()


def describe_origin(peer: Any) -> str:
    """The address that connections and PINs are counted by; "" for none, as at a Unix socket."""
    if not isinstance(peer, tuple):
        return ""
    address = ipaddress.ip_address(str(peer[0]).partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Doorway(socket.socket):
    """A listening socket that accepts so many at once, and so many of one address.

    They are counted as they come: one that never ends its TLS handshake takes its place, too.
    """

    def __init__(self, opened: socket.socket) -> None:
        """`opened`: the listening socket; it is taken over."""
        super().__init__(fileno=opened.detach())
        self._inside: list[tuple[str, socket.socket]] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """See socket.socket. Raises BlockingIOError for one that is sent away."""
        came, peer = super().accept()
        origin = describe_origin(peer)
        self._inside = [one for one in self._inside if one[1].fileno() >= 0]
        if len(self._inside) >= MOST_CONNECTIONS or self._has_too_many(origin):
            came.close()
            raise BlockingIOError(errno.EAGAIN, "too many connections")
        self._inside.append((origin, came))
        return came, peer

    def _has_too_many(self, origin: str) -> bool:
        from_there = sum(other == origin for other, _ in self._inside)
        return origin not in PROXIES and from_there >= MOST_OF_ONE_ADDRESS


class ClientConnection(RequestHandler):
    """A connection; it is closed if no request comes in time."""

    _silent: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        super().connection_made(transport)
        own = transport.get_extra_info("socket")
        own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKES_WITHIN_MS)
        self._silent = asyncio.get_running_loop().call_later(ASKS_WITHIN_S, self.force_close)

    def connection_lost(self, exc: BaseException | None) -> None:
        """See asyncio.Protocol."""
        self.on_request()
        super().connection_lost(exc)

    def on_request(self) -> None:
        """A request has come: from now on aiohttp's own deadlines hold."""
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log only errors of this program, not invalid requests or clients that are gone.

        Otherwise anybody on the network could fill the table's log.
        """
        if not isinstance(kw.get("exc_info"), THEIRS):
            super().log_exception(*args, **kw)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer an invalid request, with the same headers as every answer."""
        self.on_request()
        answer = super().handle_error(request, status, exc, message)
        transport = self.transport
        secure = transport is not None and bool(transport.get_extra_info("sslcontext"))
        add_headers_to_error(answer, secure=secure)
        return answer


class Connections:
    """Makes the protocol of each connection to a server."""

    def __init__(self, server: web.Server) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()

    def __call__(self) -> asyncio.Protocol:
        """The protocol of one more connection."""
        return ClientConnection(
            self._server,
            loop=self._loop,
            keepalive_timeout=KEPT_ALIVE_S,
            lingering_time=LINGERS_S,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
            max_headers=MOST_HEADERS,
        )
