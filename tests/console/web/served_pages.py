"""The pages' process alone, told by a test what a service would tell."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, TCPConnector

from console.configuration.addresses import Listening
from console.line.requests import NoCode
from console.simulation.pages import PageProcess, ProcessListener
from console.web.messages import FromPages, PinAnswer, PinRequest
from tests.console.web.supervised import opening_of
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

NAMES = ("table3.casino.example",)


class ServedPages:
    """The pages' process, told by the test as a service would."""

    def __init__(
        self, process: PageProcess, port: int, browser: ClientSession, complaints: list[str]
    ) -> None:
        self.process = process
        self.complaints = complaints
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.browser = browser

    async def wait_until_served(self) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not await self.is_served():
                self.share_processor()
                await asyncio.sleep(0.05)
        self.share_processor()

    def share_processor(self) -> None:
        """A real table's pages run only when the processor is idle: never, on a busy machine."""
        if self.process.pid is not None:
            os.sched_setscheduler(self.process.pid, os.SCHED_OTHER, os.sched_param(0))
            with suppress(PermissionError):  # only root may take niceness back
                os.setpriority(os.PRIO_PROCESS, self.process.pid, 0)

    async def is_served(self) -> bool:
        try:
            async with self.browser.get(self.origin + "/") as answer:
                return answer.status == 200
        except OSError:
            return False

    def handshake(self, path: str, *more: str) -> bytes:
        """A browser's request for a socket (RFC 6455, section 1.3), with `more` lines."""
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: {self.origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            *more,
        )
        return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n"

    async def raw(self, *lines: str, body: bytes = b"") -> tuple[str, dict[str, str], str]:
        """Status, headers and body that are answered to what these lines say."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body)
        async with asyncio.timeout(DEADLINE_S):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            status, *rest = head.split("\r\n")
            headers = dict(line.split(": ", 1) for line in rest if line)
            length = int(headers.get("Content-Length", "0"))
            text = (await reader.readexactly(length)).decode()
        writer.close()
        return status.split(" ")[1], headers, text


@asynccontextmanager
async def serve_pages(
    folder: Path, simulated: ProcessListener | None = None, **listening: Any
) -> AsyncIterator[ServedPages]:
    port = free_port()
    opening = opening_of(
        folder / "ledger",
        simulated=simulated is not None,
        listening=Listening("127.0.0.1", port, NAMES, **listening),
    )
    complaints: list[str] = []

    def answer_pin(message: FromPages) -> None:
        if isinstance(message, PinRequest):
            why = "nobody is enrolled"
            process.send(PinAnswer(message.id, "?", refused=NoCode.CANNOT, why=why))

    listener = simulated or ProcessListener(answer_pin, complaints.append)
    process = PageProcess(asyncio.get_running_loop(), opening, listener)
    process.start()
    try:
        async with ClientSession(connector=TCPConnector(limit=0)) as browser:
            yield ServedPages(process, port, browser, complaints)
    finally:
        await process.end()
