"""Who takes more of the pages' process than a page needs: memory, connections, lines of the log."""

import asyncio
import gzip
import json
import os
import socket
import struct
import zlib
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from console.web.serving.connections import AT_ONCE, TAKES_WITHIN_MS
from tests.console.web.malformed_requests import MALFORMED
from tests.console.web.served_pages import ServedPages, serve_pages
from tests.deadlines import DEADLINE_S

GREEDY = 40
MIB = 1 << 20
MUCH = 3 * MIB
ASK_FOR_A_LONG_FILE = b"GET /pages/vendor/uplot/uPlot.esm.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


def memory_of(pid: int | None) -> int:
    """Bytes of the machine's memory that it holds."""
    pages = Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def as_frame(data: bytes) -> bytes:
    """A browser's message of many bytes (RFC 6455): binary, whole, masked with noughts."""
    return struct.pack(">BBQ4x", 0x82, 0x80 | 127, len(data)) + data


async def send_much(pages: ServedPages, path: str) -> asyncio.StreamWriter:
    """Somebody who opens a socket and at once says all of a long message but its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", pages.port)
    writer.write(pages.handshake(path, "Sec-WebSocket-Extensions: permessage-deflate"))
    async with asyncio.timeout(DEADLINE_S):
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"101" in head
        assert b"deflate" not in head
        writer.write(as_frame(b"x" * MUCH)[:-1])
        try:
            await writer.drain()
        except ConnectionError:
            return writer  # it need not hear the rest
    return writer


@pytest.mark.parametrize("path", ["/live/sign", "/live/supervisor"])
def test_what_is_said_on_a_socket_takes_no_memory(tmp_path: Path, path: str) -> None:
    async def ask() -> int:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            before = memory_of(pages.process.pid)
            writers = await asyncio.gather(*(send_much(pages, path) for _ in range(GREEDY)))
            await pages.wait_until_served()
            more = memory_of(pages.process.pid) - before
            for writer in writers:
                writer.close()
            return more

    assert asyncio.run(ask()) < GREEDY * MUCH // 4


def test_who_never_reads_a_file_is_hung_up_on(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            before = sockets_of(pages.process.pid)
            with ExitStack() as stack:
                for _ in range(GREEDY):
                    never = stack.enter_context(closing(socket.socket()))
                    never.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    never.connect(("127.0.0.1", pages.port))
                    never.sendall(ASK_FOR_A_LONG_FILE)
                async with asyncio.timeout(DEADLINE_S):
                    while sockets_of(pages.process.pid) < before + GREEDY:
                        await asyncio.sleep(0.05)
                async with asyncio.timeout(TAKES_WITHIN_MS / 1000 + DEADLINE_S):
                    while sockets_of(pages.process.pid) > before + 1:
                        await asyncio.sleep(0.2)

    asyncio.run(ask())


def sockets_of(pid: int | None) -> int:
    """How many it holds."""
    held = 0
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            held += os.readlink(f"/proc/{pid}/fd/{number}").startswith("socket:")
        except FileNotFoundError:  # closed meanwhile
            continue
    return held


def test_nobody_fills_the_log_from_outside(tmp_path: Path) -> None:
    complaints: list[str] = []

    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            for lines in MALFORMED.values():
                await pages.raw(*lines)
            for _ in range(50):
                assert await login(pages, b'{"name": "anna", "pin": "1"}') in (429, 503)
            assert await login(pages, zlib.compress(b" " * 700_000), "deflate") == 400
            assert await login(pages, gzip.compress(b"{}"), "gzip") == 400
            assert await login(pages, b"nothing packed", "deflate") == 400
            await leave_in_the_middle(pages)
            await pages.wait_until_served()
            complaints.extend(pages.complaints)

    asyncio.run(ask())
    assert len(complaints) == 1, complaints
    assert "nobody is enrolled" in complaints[0]


async def login(pages: ServedPages, body: bytes, packed: str | None = None) -> int:
    headers = {"Origin": pages.origin, "Content-Type": "application/json"}
    if packed is not None:
        headers["Content-Encoding"] = packed
    url = f"{pages.origin}/supervisor/login"
    async with pages.browser.post(url, data=body, headers=headers) as answer:
        return answer.status


async def leave_in_the_middle(pages: ServedPages) -> None:
    """Somebody who begins a login and breaks the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", pages.port)
    body = json.dumps({"name": "anna", "pin": ""})
    lines = (
        "POST /supervisor/login HTTP/1.1",
        "Host: localhost",
        "Origin: http://localhost",
        "Content-Type: application/json",
        "Expect: 100-continue",
        f"Content-Length: {len(body)}",
    )
    writer.write("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n")
    async with asyncio.timeout(DEADLINE_S):
        await reader.readuntil(b"100 Continue\r\n\r\n")  # it waits for the body
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    writer.transport.abort()
