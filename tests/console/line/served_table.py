"""A simulated table in virtual time behind a real socket, and callers on it."""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from console.line.handler import HandlerParts
from console.line.local_line import LineServer
from tests.console.line.handled_table import HandledTable, open_handled_table

Answer = dict[str, Any]


class Caller:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def at(cls, path: Path) -> "Caller":
        return cls(*await asyncio.open_unix_connection(path, limit=1 << 20))

    async def send(self, *lines: str | bytes) -> None:
        for line in lines:
            self.writer.write((line.encode() if isinstance(line, str) else line) + b"\n")
        await self.writer.drain()

    async def receive(self) -> Answer:
        """Return the next answer; empty at the end of the connection."""
        line = await self.reader.readline()
        answer: Answer = json.loads(line) if line else {}
        return answer

    async def ask(self, line: str | bytes) -> Answer:
        await self.send(line)
        return await self.receive()

    def hang_up(self) -> None:
        self.writer.close()

    async def wait_closed(self) -> None:
        """Wait until the connection has been closed here."""
        with suppress(ConnectionError):
            await self.writer.wait_closed()


class ServedTable:
    """A handled table, its server, and the socket's path."""

    def __init__(self, rig: HandledTable, server: LineServer, path: Path) -> None:
        self.rig = rig
        self.server = server
        self.path = path
        self._callers: list[Caller] = []

    async def caller(self) -> Caller:
        """Open a connection."""
        caller = await Caller.at(self.path)
        self._callers.append(caller)
        return caller

    async def all_hang_up(self) -> None:
        for caller in self._callers:
            caller.hang_up()
        await asyncio.gather(*map(Caller.wait_closed, self._callers))


@contextmanager
def serve_table(folder: Path, parts: HandlerParts | None = None) -> Iterator[ServedTable]:
    """A table whose line is `line` in the folder; Rossi and Bianchi are enrolled."""
    with open_handled_table(folder, parts=parts) as rig:
        server = LineServer(rig.table.machine.loop, rig.handler)
        path = folder / "line"
        server.open(path)
        table = ServedTable(rig, server, path)
        try:
            yield table
        finally:
            rig.run(table.all_hang_up())
            rig.run(server.close())


def open_sockets() -> int:
    """How many sockets this process has."""
    count = 0
    for name in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # the descriptor that reads the folder
            count += os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
    return count
