"""Serves metrics over HTTP on 127.0.0.1, in a separate thread.

Requests never reach the table's event loop.
"""

import asyncio
import logging
from collections.abc import Callable
from threading import Thread

log = logging.getLogger(__name__)

HOST = "127.0.0.1"

CONNECTIONS = 64
"""Open at the same time; further ones are closed."""

ANSWERED_WITHIN_S = 2.0

BETWEEN_ANSWERS_S = 0.02
"""The pause before each answer: many requests leave the processor to the table."""

SEEK_EVERY_S = 10.0
"""How often a port in use is tried again; meanwhile the table works without metrics."""

LONGEST_REQUEST = 4096
CLOSE_S = 2.0

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


class MetricsServer:
    """Answers requests for /metrics with `text`, which is called in the server's thread."""

    def __init__(self, port: int, text: Callable[[], bytes]) -> None:
        self._port = port
        self._text = text
        self._loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._answering = asyncio.Lock()
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Start to listen, as soon as the port is free."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and end the thread."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(CLOSE_S)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        while not self._end.is_set():
            try:
                server = await asyncio.start_server(
                    self._handle_connection,
                    HOST,
                    self._port,
                    limit=LONGEST_REQUEST,
                    backlog=CONNECTIONS,
                )
            except OSError as error:
                log.error("metrics cannot be served on %s port %d: %s", HOST, self._port, error)
                await self._wait_for_end(SEEK_EVERY_S)
            else:
                async with server:
                    await self._end.wait()
                await self._drop_connections()

    async def _wait_for_end(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._end.wait(), seconds)
        except TimeoutError:
            return

    async def _drop_connections(self) -> None:
        """Close the open connections, and wait until their tasks have ended."""
        for one in self._open:
            one.transport.abort()
        while self._open:  # each has its own deadline
            await asyncio.sleep(BETWEEN_ANSWERS_S)

    async def _handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if len(self._open) >= CONNECTIONS:
            writer.transport.abort()
            return
        self._open.add(writer)
        try:
            async with asyncio.timeout(ANSWERED_WITHIN_S):
                request = await reader.readuntil(b"\r\n\r\n")
                writer.write(await self._answer(request))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            writer.transport.abort()  # no valid request, or no reader
        else:
            writer.close()
        finally:
            self._open.discard(writer)

    async def _answer(self, request: bytes) -> bytes:
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if method != b"GET":
            return _response(b"405 Method Not Allowed", b"only GET\n")
        if path != b"/metrics":
            return _response(b"404 Not Found", b"there is only /metrics\n")
        async with self._answering:
            await asyncio.sleep(BETWEEN_ANSWERS_S)
            return _response(b"200 OK", self._text())


def _response(status: bytes, body: bytes) -> bytes:
    head = (
        b"HTTP/1.1 " + status,
        b"Content-Type: " + CONTENT_TYPE,
        b"Content-Length: %d" % len(body),
        b"Connection: close",
    )
    return b"\r\n".join(head) + b"\r\n\r\n" + body
