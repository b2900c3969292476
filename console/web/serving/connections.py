"""Listens for browsers, and keeps a limited number of connections; idle ones are closed.

At one address, on the first free port of a range, with or without TLS. At a real table systemd has
opened the socket: the process itself has no network.
"""

import asyncio
import errno
import ipaddress
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from console.configuration.addresses import Listening
from console.web.messages import ADDRESS_UNUSABLE, CERTIFICATE_UNUSABLE, PORT_TAKEN
from console.web.serving.security import add_headers_to_error
from jackpot.failures import Unavailable
from jackpot.named_files import refuse_pipe

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


class LimitedListener(socket.socket):
    """A listening socket that accepts so many at once, and so many of one address.

    They are counted as they come: one that never ends its TLS handshake takes its place, too.
    """

    def __init__(self, opened: socket.socket) -> None:
        """`opened`: the listening socket; it is taken over."""
        super().__init__(fileno=opened.detach())
        self._accepted: list[tuple[str, socket.socket]] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """See socket.socket. Raises BlockingIOError for one that is sent away."""
        came, peer = super().accept()
        origin = describe_origin(peer)
        self._accepted = [one for one in self._accepted if one[1].fileno() >= 0]
        if len(self._accepted) >= MOST_CONNECTIONS or self._has_too_many(origin):
            came.close()
            raise BlockingIOError(errno.EAGAIN, "too many connections")
        self._accepted.append((origin, came))
        return came, peer

    def _has_too_many(self, origin: str) -> bool:
        from_there = sum(other == origin for other, _ in self._accepted)
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


BACKLOG = 128
HANDSHAKE_S = 5.0


class CannotListen(Unavailable):
    """The pages cannot be served; `status`: why, an exit status of console/web/messages.py."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@asynccontextmanager
async def listen_at(
    runner: web.AppRunner, listening: Listening, inherited: Sequence[socket.socket] = ()
) -> AsyncIterator[str]:
    """Listen meanwhile; yields the address for browsers. Raises CannotListen.

    `inherited`: the listening socket, opened already; it must be where the configuration says.
    """
    tls = _tls(listening)
    if runner.server is None:
        raise RuntimeError("the runner is not set up")
    connections = Connections(runner.server)
    if inherited:
        server, port = await _server_on(connections, inherited, listening, tls), listening.port
    else:
        server, port = await _server(connections, listening, tls)
    try:
        host = f"[{listening.address}]" if ":" in listening.address else listening.address
        yield f"{'http' if tls is None else 'https'}://{host}:{port}/"
    finally:
        server.close()


def _tls(listening: Listening) -> ssl.SSLContext | None:
    if listening.certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        for file in (listening.certificate, listening.key):
            if file is not None:
                refuse_pipe(Path(file))
        context.load_cert_chain(listening.certificate, listening.key)
    except OSError as error:  # ssl's own errors are of this kind
        why = f"{listening.certificate} or {listening.key} cannot be used: {error}"
        raise CannotListen(CERTIFICATE_UNUSABLE, why) from error
    return context


async def _server_on(
    connections: Connections,
    inherited: Sequence[socket.socket],
    listening: Listening,
    tls: ssl.SSLContext | None,
) -> asyncio.Server:
    opened = inherited[0].getsockname()[:2]
    if len(inherited) > 1 or opened != (listening.address, listening.port):
        raise CannotListen(
            ADDRESS_UNUSABLE,
            f"web.listen is {listening.address} port {listening.port}, but banco-web.socket "
            f"listens on {opened}: write the same into both (docs/reference/pages.md)",
        )
    return await _serve_at(inherited[0], connections, tls)


async def _server(
    connections: Connections, listening: Listening, tls: ssl.SSLContext | None
) -> tuple[asyncio.Server, int]:
    last = listening.last_port or listening.port
    for port in range(listening.port, last + 1):
        try:
            opened = socket.create_server(
                (listening.address, port),
                family=socket.AF_INET6 if ":" in listening.address else socket.AF_INET,
                backlog=BACKLOG,
            )
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            if not taken or port == last:
                status = PORT_TAKEN if taken else ADDRESS_UNUSABLE
                raise CannotListen(status, str(error)) from error
        else:
            return await _serve_at(opened, connections, tls), port
    raise CannotListen(ADDRESS_UNUSABLE, "no port")


async def _serve_at(
    opened: socket.socket, connections: Connections, tls: ssl.SSLContext | None
) -> asyncio.Server:
    return await asyncio.get_running_loop().create_server(
        connections,
        sock=LimitedListener(opened),
        ssl=tls,
        ssl_handshake_timeout=HANDSHAKE_S if tls is not None else None,
        backlog=BACKLOG,
    )
