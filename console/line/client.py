"""The local line as a client has it: asks one request after another, and connects again."""

import asyncio
from pathlib import Path

import msgspec

from console.line.requests import (
    LONGEST_LINE,
    AnyAnswer,
    AnyRequest,
    AskDevices,
    AskInputs,
    AskLog,
    AskSettings,
    AskStatus,
    No,
    NoCode,
)


class Unreachable(Exception):
    """The service does not answer: it does not run, or not here. The text says what was tried."""


LOOKING = (AskStatus, AskInputs, AskDevices, AskLog, AskSettings)

LOOK_S = 10.0
DO_S = 20.0
"""What is looked up comes from memory; what is done may wait for a slow disk."""


class LineClient:
    """A `TableLine` over the table's socket. Who has entered is out when the connection is cut."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._in_turn = asyncio.Lock()
        self._exchanges: set[asyncio.Task[AnyAnswer]] = set()
        self._decoder: msgspec.json.Decoder[AnyAnswer] = msgspec.json.Decoder(AnyAnswer)
        self._encoder = msgspec.json.Encoder()

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """Ask, connecting first where nothing is connected. Raises Unreachable.

        Who is cancelled meanwhile leaves the line in order: the answer is still taken off it.
        """
        exchange = asyncio.ensure_future(self._in_order(request))
        self._exchanges.add(exchange)
        exchange.add_done_callback(self._exchanges.discard)
        exchange.add_done_callback(_heard)
        return await asyncio.shield(exchange)

    def close(self) -> None:
        """Let go of the line; the next request connects again."""
        streams, self._streams = self._streams, None
        if streams is not None:
            streams[1].close()

    def leave(self) -> None:
        """Let go of the line for good: what is still being asked is given up, and asked no more."""
        for exchange in self._exchanges:
            exchange.cancel()
        self.close()

    async def _in_order(self, request: AnyRequest) -> AnyAnswer:
        async with self._in_turn:
            try:
                return await self._exchange(request)
            except _CutOff as error:
                if not isinstance(request, LOOKING):
                    raise Unreachable(str(error)) from error  # it may have been done
            return await self._exchange(request)

    async def _exchange(self, request: AnyRequest) -> AnyAnswer:
        """Raises Unreachable; of it _CutOff for a connection that was there and is no more."""
        seconds = LOOK_S if isinstance(request, LOOKING) else DO_S
        connected = self._streams is not None
        try:
            async with asyncio.timeout(seconds):
                answer = await self._answer(request)
        except (OSError, EOFError, ValueError) as error:  # TimeoutError is an OSError
            self.close()
            kind = _CutOff if connected and not isinstance(error, TimeoutError) else Unreachable
            raise kind(f"{self.path}: {_explained(error, seconds)}") from error
        if isinstance(answer, No) and answer.code == NoCode.BUSY:
            self.close()
            raise Unreachable(f"{self.path}: {answer.why}")
        return answer

    async def _answer(self, request: AnyRequest) -> AnyAnswer:
        """Raises OSError, EOFError, ValueError."""
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(self.path, limit=LONGEST_LINE + 1)
        reader, writer = self._streams
        writer.write(self._encoder.encode(request) + b"\n")
        await writer.drain()
        line = await reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return self._decoder.decode(line)


class _CutOff(Unreachable):
    """The connection was there, and is no more: the service was started again, perhaps."""


def _heard(exchange: "asyncio.Task[AnyAnswer]") -> None:
    """Nobody waits any more for what became of it."""
    if not exchange.cancelled():
        exchange.exception()


def _explained(error: Exception, seconds: float) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such socket: the service does not run, or not here"
        case ConnectionRefusedError():
            return "nobody serves it: the service has ended"
        case PermissionError():
            return "permission denied: only the service's own group may connect (sudo -u banco)"
        case TimeoutError():
            return f"no answer within {seconds:.0f} s: the service hangs"
        case EOFError() | ConnectionError():
            return "the service has ended the connection"
    return str(error)
