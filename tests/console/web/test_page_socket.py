"""The service's socket for the pages: whatever comes over it, the table is not held up."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from console.web import page_socket
from console.web.messages import (
    LONGEST_REQUEST,
    ActRequest,
    Heartbeat,
    PagesOpening,
    PinAnswer,
    PinRequest,
    Serving,
    ToPages,
    decode_to_pages,
    encode_message,
)
from console.web.page_socket import LINES_AT_ONCE, MOST_WAITING, PageSocket, Reply
from tests.console.web.supervised import opening_of
from tests.deadlines import DEADLINE_S

PIN_OF_ANNA = PinRequest(5, "anna", "471108")


class Service:
    """The service's side, which answers each PIN at once."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[tuple[PinRequest, int]] = []
        self.starts = 0
        self.socket = PageSocket(
            asyncio.get_running_loop(), folder / "pages", opening_of(folder), self.check
        )
        self.socket.on_started = self.on_started

    def check(self, request: PinRequest, reply: Reply, uid: int) -> None:
        self.asked.append((request, uid))
        reply(PinAnswer(request.id, request.name))

    def on_started(self) -> None:
        self.starts += 1


class Process:
    """The pages' process, as good or bad as a test wants it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def receive(self) -> ToPages:
        async with asyncio.timeout(DEADLINE_S):
            return decode_to_pages(await self.reader.readline())

    async def until_let_go(self) -> None:
        async with asyncio.timeout(DEADLINE_S):
            try:
                while await self.reader.read(65536):
                    pass
            except ConnectionResetError:
                pass

    def send(self, *lines: bytes) -> None:
        self.writer.write(b"".join(lines))


@asynccontextmanager
async def serve(folder: Path) -> AsyncIterator[Service]:
    service = Service(folder)
    service.socket.start()
    try:
        yield service
    finally:
        await service.socket.end()


@asynccontextmanager
async def connect(folder: Path) -> AsyncIterator[Process]:
    reader, writer = await asyncio.open_unix_connection(folder / "pages")
    process = Process(reader, writer)
    assert isinstance(await process.receive(), PagesOpening)
    try:
        yield process
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def test_a_process_is_sent_the_table_and_asks_for_pins(tmp_path: Path) -> None:
    async def night() -> None:
        async with serve(tmp_path) as service, connect(tmp_path) as process:
            service.socket.send(Heartbeat("1"))
            assert await process.receive() == Heartbeat("1")
            process.send(encode_message(Serving("http://127.0.0.1:8080/")))
            process.send(encode_message(PIN_OF_ANNA))
            assert await process.receive() == PinAnswer(5, "anna")
            assert service.asked == [(PIN_OF_ANNA, os.getuid())]

    asyncio.run(night())


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(b"hello\n", id="no JSON"),
        pytest.param(b'{"kind":"restart"}\n', id="unknown kind"),
        pytest.param(b'{"ask":"status"}\n', id="a request of the local line"),
        pytest.param(encode_message(ActRequest(1, "press JPOT")), id="an act"),
        pytest.param(encode_message(PinRequest(1, "a" * 65, "1")), id="a long name"),
        pytest.param(b"x" * (LONGEST_REQUEST + 1), id="a line without an end"),
        pytest.param(b'"' + b"x" * LONGEST_REQUEST + b'"\n', id="a long line"),
        pytest.param(encode_message(PIN_OF_ANNA) * (LINES_AT_ONCE + 1), id="a flood"),
    ],
)
def test_a_process_that_says_what_it_may_not_is_let_go(tmp_path: Path, lines: bytes) -> None:
    async def night() -> None:
        async with serve(tmp_path) as service:
            async with connect(tmp_path) as process:
                process.send(lines)
                await process.until_let_go()
                assert len(service.asked) <= LINES_AT_ONCE
                assert not service.socket.ready
            async with connect(tmp_path):  # another one is served
                assert service.starts == 2

    asyncio.run(night())


def test_a_process_that_reads_nothing_costs_little_and_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_socket, "STUCK_AFTER_S", 0.0)
    monkeypatch.setattr(page_socket, "CHECK_EVERY_S", 0.05)

    async def night() -> None:
        async with serve(tmp_path) as service, connect(tmp_path) as process:
            async with asyncio.timeout(DEADLINE_S):
                while service.socket._connected is not None:
                    while service.socket.ready:
                        service.socket.send(Heartbeat("x" * 1000))
                    await asyncio.sleep(0.02)
            await process.until_let_go()

    asyncio.run(night())


def test_what_waits_for_a_process_is_bounded(tmp_path: Path) -> None:
    async def night() -> None:
        async with serve(tmp_path) as service, connect(tmp_path):
            for _ in range(2 * MOST_WAITING // 1000 + 1000):
                service.socket.send(Heartbeat("x" * 1000))
            assert service.socket._connected is None

    asyncio.run(night())


def test_whoever_connects_replaces_the_one_before_at_most_once_a_second(tmp_path: Path) -> None:
    async def night() -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()  # before the first has connected: its second has not begun yet
        async with serve(tmp_path) as service, connect(tmp_path) as first, connect(tmp_path):
            await first.until_let_go()
            assert service.starts == 2
            assert loop.time() - began >= page_socket.AGAIN_S

    asyncio.run(night())


def test_an_answer_reaches_only_the_process_that_asked(tmp_path: Path) -> None:
    """The next one must not take another's right PIN for its own"""

    async def night() -> None:
        async with serve(tmp_path) as service:
            replies: list[Reply] = []
            service.socket._on_pin = lambda _request, reply, _uid: replies.append(reply)
            async with connect(tmp_path) as first:
                first.send(encode_message(PIN_OF_ANNA))
                async with asyncio.timeout(DEADLINE_S):
                    while not replies:
                        await asyncio.sleep(0.01)
            async with connect(tmp_path) as second:
                replies[0](PinAnswer(5, "anna"))
                service.socket.send(Heartbeat("after"))
                assert await second.receive() == Heartbeat("after")

    asyncio.run(night())


def test_a_process_that_is_killed_is_missed_at_once(tmp_path: Path) -> None:
    async def night() -> None:
        async with serve(tmp_path) as service:
            with socket.socket(socket.AF_UNIX) as killed:
                killed.connect(str(tmp_path / "pages"))
                async with asyncio.timeout(DEADLINE_S):
                    while not service.socket.ready:
                        await asyncio.sleep(0.01)
            service.socket.send(Heartbeat())  # unread data: the end is a reset, not an end of file
            async with asyncio.timeout(DEADLINE_S):
                while service.socket._connected is not None:
                    await asyncio.sleep(0.01)

    asyncio.run(night())
