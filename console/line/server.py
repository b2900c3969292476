"""The local line's server: a Unix socket, one JSON object per line and direction, in turn.

Clients cannot slow the table down: the server handles one line at a time, pauses after each, and
bounds everything that it keeps.
"""

import asyncio
import logging
import socket
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from console.line.answer_size import encode_answer
from console.line.connection import Connection, LineTooLong
from console.line.handler import LineHandler
from console.line.requests import LONGEST_LINE, AnyAnswer, AnyRequest, No, NoCode
from console.line.sessions import LineSession
from console.line.socket import open_socket

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 16

TURN_S = 0.004
"""The pause before each line, of any connection, and after each new connection."""

ACCEPT_AGAIN_S = 1.0
"""The pause after a connection could not be accepted."""

CLOSING_S = 1.0
"""Time for the connections to end when the server closes."""


class LineServer:
    """Serves one handler, from `open` to `close`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, handler: LineHandler) -> None:
        self._loop = loop
        self._handler = handler
        self._path: Path | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._connections = 0
        self._turn = asyncio.Lock()
        self._decoder = msgspec.json.Decoder(AnyRequest)

    def open(self, path: Path) -> None:
        """Listen at a path. Raises LineUnusable."""
        listening = open_socket(path)
        self._path = path
        self._start(self._accept(listening))

    async def close(self) -> None:
        """End every connection and remove the socket."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_S)
        if self._path is not None:
            with suppress(FileNotFoundError):
                self._path.unlink()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_end)

    def _on_task_end(self, task: "asyncio.Task[None]") -> None:
        """An unexpected error ends the process, as everywhere in the service."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._loop.call_exception_handler({"message": "local line", "exception": error})

    async def _accept(self, listening: socket.socket) -> None:
        with listening:
            while True:
                try:
                    connected, _ = await self._loop.sock_accept(listening)
                except OSError as error:
                    log.error("the local line takes no connection: %s", error)
                    await asyncio.sleep(ACCEPT_AGAIN_S)
                    continue
                self._take_connection(Connection(self._loop, connected))
                await asyncio.sleep(TURN_S)

    def _take_connection(self, connection: Connection) -> None:
        if self._connections < MOST_CONNECTIONS:
            self._connections += 1
            self._start(self._serve(connection))
            return
        no = No(NoCode.BUSY, f"{MOST_CONNECTIONS} are connected already")
        with suppress(OSError):
            connection.send_at_once(encode_answer(no))
        connection.close()

    async def _serve(self, connection: Connection) -> None:
        session = self._handler.connect()
        try:
            while (answer := await self._answer_to_next(connection, session)) is not None:
                if not await connection.send(encode_answer(answer)):
                    break
        except LineTooLong:
            no = No(NoCode.TOO_LONG, f"a line has at most {LONGEST_LINE} bytes")
            await connection.send(encode_answer(no))
        finally:
            connection.close()
            self._connections -= 1
            self._handler.disconnect(session)

    async def _answer_to_next(
        self, connection: Connection, session: LineSession
    ) -> AnyAnswer | None:
        """Return the answer to the next line; None at the end. Raises LineTooLong."""
        line = await connection.read_line()
        if line is None:
            return None
        async with self._turn:
            await asyncio.sleep(TURN_S)
        try:
            request = self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return No(NoCode.NOT_UNDERSTOOD, str(error))
        except RecursionError:  # from msgspec, which skips nested fields to find the tag
            return No(NoCode.NOT_UNDERSTOOD, "nested too deeply")
        return await self._handler.ask(session, request)
