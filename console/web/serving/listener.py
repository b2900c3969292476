"""Listens for browsers: at one address, on the first free port of a range, with or without TLS.

At a real table systemd has opened the socket: the process itself has no network.
"""

import asyncio
import errno
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web

from console.configuration.addresses import Listening
from console.web.messages import ADDRESS_UNUSABLE, CERTIFICATE_UNUSABLE, PORT_TAKEN
from console.web.serving.connections import Connections, Doorway
from jackpot.failures import Unavailable
from jackpot.named_files import refuse_pipe

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
        sock=Doorway(opened),
        ssl=tls,
        ssl_handshake_timeout=HANDSHAKE_S if tls is not None else None,
        backlog=BACKLOG,
    )
