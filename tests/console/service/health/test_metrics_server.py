"""The server of metrics alone: whoever asks for something else, for too much, or never ends."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from console.service.health.metrics import CONNECTIONS, HOST, MetricsServer
from tests.console.service.health.scraping import (
    answer_to,
    request_metrics,
    scrape_body,
    scrape_once,
)
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port


@asynccontextmanager
async def serving(text: bytes = b"banco_x 1\n") -> AsyncIterator[int]:
    port = free_port()
    server = MetricsServer(port, lambda: text)
    server.start()
    try:
        await scrape_once(port)
        yield port
    finally:
        await asyncio.to_thread(server.close)
        with pytest.raises(ConnectionRefusedError):
            await request_metrics(port, b"")


@pytest.mark.parametrize(
    ("request_line", "answer"),
    [
        (b"GET / HTTP/1.1", b"HTTP/1.1 404 Not Found\r\n"),
        (b"GET /metrics/more HTTP/1.1", b"HTTP/1.1 404 Not Found\r\n"),
        (b"POST /metrics HTTP/1.1", b"HTTP/1.1 405 Method Not Allowed\r\n"),
        (b"GET /metrics?name=x HTTP/1.0", b"HTTP/1.1 200 OK\r\n"),
        (b"", b"HTTP/1.1 405 Method Not Allowed\r\n"),
        (b"\x00\xff\x16\x03", b"HTTP/1.1 405 Method Not Allowed\r\n"),
    ],
)
def test_what_is_not_asked_for_metrics_is_sent_away(request_line: bytes, answer: bytes) -> None:
    async def ask() -> None:
        async with serving() as port:
            assert (await answer_to(port, request_line + b"\r\n\r\n")).startswith(answer)

    asyncio.run(ask())


def test_an_endless_request_is_cut_off() -> None:
    async def ask() -> None:
        async with serving() as port:
            with suppress(ConnectionResetError, BrokenPipeError):  # none, if all was read
                assert await request_metrics(port, b"x" * 10_000_000) == b""
            assert "banco_x" in await scrape_body(port)

    asyncio.run(ask())


def test_who_says_nothing_keeps_nobody_from_an_answer() -> None:
    async def ask() -> None:
        async with serving() as port:
            silent = [socket.create_connection((HOST, port)) for _ in range(CONNECTIONS - 1)]
            assert "banco_x" in await scrape_body(port)
            for one in silent:
                one.close()

    asyncio.run(ask())


def test_no_more_than_so_many_are_open_at_once_and_each_for_two_seconds_at_most() -> None:
    async def ask() -> None:
        async with serving() as port:
            silent = [await asyncio.open_connection(HOST, port) for _ in range(CONNECTIONS)]
            ends = [asyncio.create_task(answers.read()) for answers, _ in silent]
            with suppress(ConnectionResetError):
                assert await request_metrics(port, b"GET /metrics HTTP/1.1\r\n\r\n") == b""
            assert sum(end.done() for end in ends) <= 1  # the first scrape may still be there
            async with asyncio.timeout(DEADLINE_S):
                await asyncio.gather(*ends, return_exceptions=True)
            for _, requests in silent:
                requests.close()
            assert "banco_x" in await scrape_body(port)

    asyncio.run(ask())


def test_it_ends_while_somebody_is_there(caplog: pytest.LogCaptureFixture) -> None:
    async def ask() -> None:
        async with serving() as port:
            answers, requests = await asyncio.open_connection(HOST, port)
            assert "banco_x" in await scrape_body(port)  # so the one before is being served
        with suppress(ConnectionResetError):
            assert await answers.read() == b""
        requests.close()

    asyncio.run(ask())
    assert caplog.messages == []


def test_it_listens_on_the_loopback_and_nowhere_else() -> None:
    async def ask() -> None:
        async with serving() as port:
            listening = [
                line.split()[1]
                for table in ("tcp", "tcp6")
                for line in Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]
                if line.split()[3] == LISTENS and line.split()[1].endswith(f":{port:04X}")
            ]
            assert listening == [f"{LOOPBACK}:{port:04X}"]

    asyncio.run(ask())


LISTENS = "0A"
LOOPBACK = "0100007F"
"""As the kernel has 127.0.0.1, its last byte first."""
