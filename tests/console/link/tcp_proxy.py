"""A TCP proxy on loopback, between a courier and its server, that does what a network does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum

ACKNOWLEDGED = b"Z\x00\x00\x00\x05I"
"""PostgreSQL's ReadyForQuery, outside a transaction: only now the commit is acknowledged."""


class Harm(Enum):
    """What happens to the next call with the chosen word in it, once."""

    CUT_BEFORE = "the call does not arrive"
    CUT_AFTER = "the call is committed, its answer is dropped"
    CUT_WITHIN = "the call is committed, its answer comes without the acknowledgement"
    HOLD = "the call is committed, its answer is held back"


class TcpProxy:
    """Passes everything on, until it is told of a harm."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self.port = 0
        self.refuses = False
        self.done = asyncio.Event()
        """The harm was done."""
        self._harm: Harm | None = None
        self._word = b""
        self._tasks: set[asyncio.Task[None]] = set()

    def harm_next(self, harm: Harm, word: str) -> None:
        """Do this to the next call with this word in it."""
        self._harm, self._word = harm, word.encode()
        self.done.clear()

    def cut(self) -> None:
        """Cut what is connected, and let nobody connect any more."""
        self.refuses = True
        for task in list(self._tasks):
            task.cancel()

    async def serve(self, courier: asyncio.StreamReader, to_courier: asyncio.StreamWriter) -> None:
        """Serve one connection until either side ends it."""
        if self.refuses:
            to_courier.close()
            return
        server, to_server = await asyncio.open_connection("127.0.0.1", self._server_port)
        harm: list[Harm] = []
        pumps = {
            asyncio.ensure_future(self._ask(courier, to_server, harm)),
            asyncio.ensure_future(self._answer(server, to_courier, harm)),
        }
        self._tasks |= pumps
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            self._tasks -= pumps
            to_courier.close()
            to_server.close()

    async def _ask(
        self, courier: asyncio.StreamReader, to_server: asyncio.StreamWriter, harm: list[Harm]
    ) -> None:
        with suppress(ConnectionError):
            while data := await courier.read(65536):
                if self._harm is not None and self._word in data:
                    harm.append(self._harm)
                    self._harm = None
                    if harm == [Harm.CUT_BEFORE]:
                        self.done.set()
                        return
                to_server.write(data)

    async def _answer(
        self, server: asyncio.StreamReader, to_courier: asyncio.StreamWriter, harm: list[Harm]
    ) -> None:
        with suppress(ConnectionError):
            while data := await server.read(65536):
                if not harm:
                    to_courier.write(data)
                    continue
                while not data.endswith(ACKNOWLEDGED):
                    data += await server.read(65536)
                if harm == [Harm.CUT_WITHIN]:
                    to_courier.write(data.removesuffix(ACKNOWLEDGED))
                    await to_courier.drain()
                self.done.set()
                if harm == [Harm.HOLD]:
                    await asyncio.Event().wait()
                return


@asynccontextmanager
async def run_proxy(server_port: int) -> AsyncIterator[TcpProxy]:
    """A proxy that ends with the block."""
    proxy = TcpProxy(server_port)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as listening:
        proxy.port = listening.sockets[0].getsockname()[1]
        try:
            yield proxy
        finally:
            proxy.cut()
