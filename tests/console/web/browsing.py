"""A simulated table as a process that serves its pages, and a browser without a picture."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientConnectionError, ClientSession, ClientWebSocketResponse, WSMsgType

from tests.console.running_table import RunningTable, running
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

Message = dict[str, Any]
"""A message to a browser."""


class Viewer:
    """A socket to a page: its messages so far, and the newest of each kind."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.messages: list[Message] = []
        self.newest: dict[str, Message] = {}
        self._number = 0

    async def hear(self) -> Message:
        """The next message; a heartbeat comes each second."""
        message = await self.socket.receive()
        assert message.type is WSMsgType.TEXT, f"{message.type}: {message.data} {message.extra}"
        received: Message = json.loads(message.data)
        self.messages.append(received)
        self.newest[received["kind"]] = received
        return received

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The first message from now on that is as wanted."""
        message: Message = {}
        try:
            async with asyncio.timeout(DEADLINE_S):
                while not wanted(message := await self.hear()):
                    pass
        except TimeoutError as error:
            raise AssertionError(f"last message: {message}; the newest: {self.newest}") from error
        return message

    async def ask(self, line: str) -> int:
        """Ask for an act; its number."""
        self._number += 1
        await self.socket.send_str(json.dumps({"id": self._number, "do": line}))
        return self._number

    async def answer_to(self, number: int) -> Message:
        """The answer to an act that was asked for."""
        return await self.until(lambda message: message.get("to") == number)

    async def do(self, *lines: str) -> Message:
        """Have these acts done, one after the other; the answer to the last."""
        answer: Message = {}
        for line in lines:
            answer = await self.answer_to(await self.ask(line))
        return answer

    async def wait_for_snapshot(self, **wanted: Any) -> Message:
        """The table as soon as it is seen so: `phase="BETTING"`."""

        def fits(message: Message) -> bool:
            seen = message.get("seen", {})
            return message["kind"] == "snapshot" and all(seen[key] == wanted[key] for key in wanted)

        if "snapshot" in self.newest and fits(self.newest["snapshot"]):
            return self.newest["snapshot"]
        return await self.until(fits)


class Pages:
    """The pages' place, and a browser's way to it."""

    def __init__(self, table: RunningTable, port: int, browser: ClientSession) -> None:
        self.table = table
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.browser = browser

    @asynccontextmanager
    async def looking(self, page: str = "cabinet") -> AsyncIterator[Viewer]:
        """A socket that is connected as soon as the pages are there."""
        async with self.connect(f"/live/{page}") as socket:
            yield Viewer(socket)

    @asynccontextmanager
    async def connect(self, path: str) -> AsyncIterator[ClientWebSocketResponse]:
        """The same, of any path."""
        await self.wait_until_served()
        async with self.browser.ws_connect(self.origin + path, origin=self.origin) as socket:
            yield socket

    async def wait_until_served(self) -> None:
        """Wait until they are served."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                try:
                    async with self.browser.get(self.origin + "/pages/common/page.css") as answer:
                        assert answer.status == 200
                        return
                except ClientConnectionError:
                    await asyncio.sleep(0.05)

    async def text(self, path: str) -> str:
        """What is answered."""
        async with self.browser.get(self.origin + path) as answer:
            assert answer.status == 200
            return await answer.text()

    @property
    def process(self) -> int:
        """The number of the process that serves them."""
        children = Path(f"/proc/{self.table.process.pid}/task").glob("*/children")
        found = [int(pid) for file in children for pid in file.read_text("ascii").split()]
        assert len(found) == 1, found
        return found[0]


@asynccontextmanager
async def pages_of(folder: Path, *arguments: str | Path) -> AsyncIterator[Pages]:
    """`banco run --sim --web ADDRESS`, with a state of its own in `folder`."""
    port = free_port()
    environment = {"XDG_STATE_HOME": str(folder)}
    where = f"127.0.0.1:{port}"
    async with (
        running(folder, "--sim", "--web", where, *arguments, environment=environment) as table,
        ClientSession() as browser,
    ):
        table.deadline_s = DEADLINE_S
        yield Pages(table, port, browser)


def is_gone(pid: int) -> bool:
    """Whether there is no such process any more, or nothing but its exit status."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return True
    return re.match(r"\d+ \(.*\) [ZX]", stat) is not None
