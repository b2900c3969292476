"""The client of the local line: sends one request at a time and reconnects."""

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
from jackpot.failures import Unavailable


class Unreachable(Unavailable):
    """The service does not answer. The text names the socket and the reason.

    `cut`: an open connection was lost; the service may have restarted.
    """

    def __init__(self, why: str, *, cut: bool = False) -> None:
        super().__init__(why)
        self.cut = cut


READS = (AskStatus, AskInputs, AskDevices, AskLog, AskSettings)
"""Requests that change nothing, so they may be sent again."""

READ_S = 10.0
"""Time for the answer to one of `READS`, which comes from memory."""

ACT_S = 60.0
"""Time for the answer to any other request, which may wait for a slow disk.

Longer than the service may take: a setting of money needs four disk operations of 5 s, and the
PIN's check and two records of 10 s each.
"""


class LineClient:
    """A `TableLine` over the table's socket. A cut connection ends the login."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._in_turn = asyncio.Lock()
        self._exchanges: set[asyncio.Task[AnyAnswer]] = set()
        self._decoder: msgspec.json.Decoder[AnyAnswer] = msgspec.json.Decoder(AnyAnswer)
        self._encoder = msgspec.json.Encoder()

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """Send a request and return its answer; connect first if necessary. Raises Unreachable.

        If the caller is cancelled, the answer is still read, so the next one is not mistaken.
        """
        exchange = asyncio.ensure_future(self._ask_in_turn(request))
        self._exchanges.add(exchange)
        exchange.add_done_callback(self._exchanges.discard)
        exchange.add_done_callback(_discard_result)
        return await asyncio.shield(exchange)

    def close(self) -> None:
        """Close the connection; the next request connects again."""
        streams, self._streams = self._streams, None
        if streams is not None:
            streams[1].close()

    def leave(self) -> None:
        """Close the connection for good and cancel the requests under way."""
        for exchange in self._exchanges:
            exchange.cancel()
        self.close()

    async def _ask_in_turn(self, request: AnyRequest) -> AnyAnswer:
        async with self._in_turn:
            try:
                return await self._exchange(request)
            except Unreachable as error:
                if not (error.cut and isinstance(request, READS)):
                    raise  # any other request may have been done
            return await self._exchange(request)

    async def _exchange(self, request: AnyRequest) -> AnyAnswer:
        """Raises Unreachable."""
        seconds = READ_S if isinstance(request, READS) else ACT_S
        connected = self._streams is not None
        try:
            async with asyncio.timeout(seconds):
                answer = await self._answer(request)
        except (OSError, EOFError, ValueError) as error:  # TimeoutError is an OSError
            self.close()
            cut = connected and not isinstance(error, TimeoutError)
            raise Unreachable(
                f"{self.path}: {_explain(error, seconds, request)}", cut=cut
            ) from error
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


def _discard_result(exchange: "asyncio.Task[AnyAnswer]") -> None:
    """Retrieve the result, so that asyncio does not warn if nobody waits for it."""
    if not exchange.cancelled():
        exchange.exception()


def _explain(error: Exception, seconds: float, request: AnyRequest) -> str:
    done = "" if isinstance(request, READS) else "; it may still be done"
    match error:
        case FileNotFoundError():
            return "there is no such socket: the service does not run, or not here"
        case ConnectionRefusedError():
            return "nobody serves it: the service has ended"
        case PermissionError():
            return "permission denied: only the service's own group may connect (sudo -u banco)"
        case TimeoutError():
            return f"no answer within {seconds:.0f} s: the service hangs{done}"
        case EOFError() | ConnectionError():
            return f"the service has ended the connection{done}"
        case ValueError():
            return f"{error}{done}"
    return str(error)
