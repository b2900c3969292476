"""More connections and viewers than there may be: those that are there go on."""

import asyncio
import json
import os
import resource
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientWebSocketResponse, WSServerHandshakeError

from console.simulation.pages import ProcessListener
from console.web.messages import TableSnapshot
from console.web.serving.connections import ASKS_WITHIN_S, MOST_CONNECTIONS, MOST_OF_ONE_ADDRESS
from console.web.serving.viewers import MOST_VIEWERS
from tests.console.web.served_pages import ServedPages, serve_pages
from tests.console.web.serving.entrance.test_login_over_tls import own_certificate
from tests.deadlines import DEADLINE_S


@contextmanager
def files_to_open(count: int) -> Iterator[None]:
    """This process may open so many; the one that serves inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, count), hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_connections_leave_the_viewers_that_are_there(
    tmp_path: Path, snapshot: TableSnapshot
) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            sign = await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            heard = asyncio.create_task(hear_kind(sign, "jackpot"))  # who reads answers pings
            with ExitStack() as stack:
                crowd = []
                for _ in range(1000):
                    one = socket.create_connection(("127.0.0.1", pages.port), DEADLINE_S)
                    crowd.append(stack.enter_context(one))
                    await asyncio.sleep(0)
                assert await asyncio.to_thread(crowd[-1].recv, 1) == b""  # in their order
                pages.process.send(snapshot)
                await heard
                assert pages.process.pid is not None
                held = len(os.listdir(f"/proc/{pages.process.pid}/fd"))
                assert held < MOST_CONNECTIONS + 50
            await pages.wait_until_served()
            await sign.close()

    with files_to_open(4096):
        asyncio.run(ask())


def test_one_address_leaves_room_for_all_others(tmp_path: Path) -> None:
    """A proxy on this machine, at 127.0.0.1, is all its browsers: it has no such bound"""

    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            with ExitStack() as stack:
                crowd = []
                for _ in range(MOST_OF_ONE_ADDRESS + 1):
                    one = socket.create_connection(
                        ("127.0.0.1", pages.port), DEADLINE_S, source_address=("127.0.0.2", 0)
                    )
                    crowd.append(stack.enter_context(one))
                assert await asyncio.to_thread(crowd[-1].recv, 1) == b""
                crowd[0].sendall(b"GET /sign HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = await asyncio.to_thread(crowd[0].recv, 12)
                assert answer == b"HTTP/1.1 200"
                assert await pages.is_served()

    asyncio.run(ask())


def test_one_address_leaves_room_also_without_ending_a_handshake(tmp_path: Path) -> None:
    own_certificate(tmp_path)
    own = str(tmp_path / "tls.pem")

    async def ask() -> None:
        async with serve_pages(tmp_path, certificate=own, key=own) as pages:
            async with asyncio.timeout(DEADLINE_S):
                while not await listens(pages.port):
                    pages.share_processor()
                    await asyncio.sleep(0.05)
            with ExitStack() as stack:
                crowd = []
                for _ in range(MOST_OF_ONE_ADDRESS + 1):
                    one = socket.create_connection(
                        ("127.0.0.1", pages.port), 1.0, source_address=("127.0.0.2", 0)
                    )
                    crowd.append(stack.enter_context(one))
                assert await asyncio.to_thread(crowd[-1].recv, 1) == b""

    asyncio.run(ask())


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def hear_kind(sign: Any, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(DEADLINE_S):
        while True:
            message: dict[str, Any] = json.loads(await sign.receive_str())
            if message["kind"] == kind:
                return message


def test_who_asks_for_nothing_is_hung_up_on(tmp_path: Path) -> None:
    async def ask() -> bytes:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            reader, writer = await asyncio.open_connection("127.0.0.1", pages.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: local")  # and no more
            async with asyncio.timeout(ASKS_WITHIN_S + DEADLINE_S):
                text = await reader.read()
            writer.close()
            return text

    assert asyncio.run(ask()) == b""


async def answer_pings(socket: ClientWebSocketResponse) -> None:
    """As a browser does, however long the others take to come."""
    async for _ in socket:
        pass


def test_viewers_beyond_the_last_are_sent_away(tmp_path: Path) -> None:
    pings: list[asyncio.Task[None]] = []

    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            sockets = []
            for _ in range(MOST_VIEWERS):
                sockets.append(
                    await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
                )
                pings.append(asyncio.create_task(answer_pings(sockets[-1])))
            with pytest.raises(WSServerHandshakeError) as refused:
                await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            assert refused.value.status == 503
            pings.pop().cancel()
            await sockets.pop().close()
            last = await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            await last.close()

    with files_to_open(4096):
        asyncio.run(ask())


def test_a_viewer_that_does_not_read_is_dropped_and_the_others_go_on(
    tmp_path: Path, snapshot: TableSnapshot
) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path, ProcessListener(lambda _: None, lambda _: None)) as pages:
            await pages.wait_until_served()
            quick = await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            with not_reading(pages, "/live/cabinet") as slow:
                number = 0
                async with asyncio.timeout(DEADLINE_S):
                    while not slow.poll(0):
                        number += 1
                        jackpot, big = f"{number}.00", {**snapshot.seen, "display": "x" * 40_000}
                        pages.process.send(
                            msgspec.structs.replace(snapshot, seen=big, jackpot=jackpot)
                        )
                        while (await hear_kind(quick, "jackpot"))["amount"] != jackpot:
                            pass
            await quick.close()

    asyncio.run(ask())


@contextmanager
def not_reading(pages: ServedPages, path: str) -> Iterator[select.poll]:
    """Somebody who opens a socket to a page and then reads nothing; told when he is hung up on."""
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", pages.port))
        slow.sendall(pages.handshake(path))
        hung_up = select.poll()
        hung_up.register(slow, select.POLLHUP)  # and not what could be read
        yield hung_up
