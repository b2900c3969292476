"""A table's network cable: what goes to and from the centre's servers passes here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK = 65536
CONNECT_S = 2.0


class NetworkCable:
    """Passes on every byte while it is plugged in. Pulled, it holds what comes, as TCP does."""

    def __init__(self) -> None:
        self._plugged = asyncio.Event()
        self._plugged.set()
        self._passing: set[asyncio.Task[None]] = set()

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        return self._plugged.is_set()

    def pull(self) -> None:
        """Pull it out."""
        self._plugged.clear()

    def plug(self) -> None:
        """Plug it in again."""
        self._plugged.set()

    @asynccontextmanager
    async def lead_to(self, *ports: int) -> AsyncIterator[tuple[int, ...]]:
        """Ports of this machine that lead through the cable to these; they end with the block."""
        servers = [await self._listen(port) for port in ports]
        try:
            yield tuple(server.sockets[0].getsockname()[1] for server in servers)
        finally:
            for server in servers:
                server.close()
            for task in self._passing:
                task.cancel()

    async def _listen(self, port: int) -> asyncio.Server:
        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._passing.add(task)
            with suppress(OSError, TimeoutError, asyncio.CancelledError):
                await self._pass_on(reader, writer, port)
            writer.close()
            self._passing.discard(task)

        return await asyncio.start_server(take, "127.0.0.1", 0)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int
    ) -> None:
        await self._plugged.wait()
        async with asyncio.timeout(CONNECT_S):
            there, back = await asyncio.open_connection("127.0.0.1", port)
        try:
            ways = [
                asyncio.ensure_future(self._copy(reader, back)),
                asyncio.ensure_future(self._copy(there, writer)),
            ]
            _, others = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in others:
                way.cancel()
        finally:
            back.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._plugged.wait()
                writer.write(data)
                await writer.drain()
