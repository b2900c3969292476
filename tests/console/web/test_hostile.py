"""What comes from a network that means ill: each is answered alike, and nobody else notices."""

import asyncio
import json
import os
import resource
import select
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import (
    ClientSession,
    TCPConnector,
    WSCloseCode,
    WSMsgType,
    WSServerHandshakeError,
)

from console.web.messages import Listening, Sight
from console.web.page_process import PageProcess, Simulated
from console.web.serving.connections import ASKS_WITHIN_S, MOST_CONNECTIONS
from console.web.serving.security import HEADERS
from console.web.serving.viewers import MOST_VIEWERS
from console.web.sights import sight_of_table
from tests.console.table import table_in
from tests.console.web.browsing import DEADLINE_S, free_port
from tests.console.web.supervised import opening_of

NAMES = ("table3.casino.example",)


class Served:
    """The pages' process, told by the test as a service would."""

    def __init__(self, process: PageProcess, port: int, browser: ClientSession) -> None:
        self.process = process
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.browser = browser

    async def there(self) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not await self.answers():
                await asyncio.sleep(0.05)

    async def answers(self) -> bool:
        try:
            async with self.browser.get(self.origin + "/") as answer:
                return answer.status == 200
        except OSError:
            return False

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
async def served(
    folder: Path, simulated: Simulated | None = None, **listening: Any
) -> AsyncIterator[Served]:
    port = free_port()
    opening = opening_of(
        folder / "ledger",
        folder,
        simulated=simulated is not None,
        listening=Listening("127.0.0.1", port, NAMES, **listening),
    )
    process = PageProcess(asyncio.get_running_loop(), opening, simulated)
    process.start()
    try:
        async with ClientSession(connector=TCPConnector(limit=0)) as browser:
            yield Served(process, port, browser)
    finally:
        await process.end()


@pytest.fixture
def sight(tmp_path: Path) -> Iterator[Sight]:
    with table_in(tmp_path / "table") as table:
        yield sight_of_table(table.rehearsal.service)


@pytest.mark.parametrize(
    ("simulated", "policy"),
    [(None, os.SCHED_IDLE), (Simulated(lambda _: None, lambda _: None), os.SCHED_OTHER)],
)
def test_a_real_tables_pages_get_what_nobody_else_wants_of_the_processor(
    tmp_path: Path, simulated: Simulated | None, policy: int
) -> None:
    async def ask() -> int:
        async with served(tmp_path, simulated) as pages:
            await pages.there()
            assert pages.process.pid is not None
            return os.sched_getscheduler(pages.process.pid)

    assert asyncio.run(ask()) == policy


def test_only_the_tables_own_names_are_answered(tmp_path: Path) -> None:
    async def ask() -> dict[str, str]:
        async with served(tmp_path) as pages:
            await pages.there()
            answers = {}
            for host in (
                f"127.0.0.1:{pages.port}",
                "10.20.0.31",
                "[::1]:8080",
                "localhost:8080",
                "table3.casino.example",
                "TABLE3.casino.example:8443",
                "evil.example",
                "table3.casino.example.evil.example",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "evil.example:80@localhost",
                "[",
                "",
            ):
                status, headers, _ = await pages.raw("GET /sign HTTP/1.1", f"Host: {host}")
                assert headers.items() >= HEADERS.items(), host
                answers[host.replace(str(pages.port), "PORT")] = status
            return answers

    answers = asyncio.run(ask())
    ours = [host for host, status in answers.items() if status == "200"]
    assert ours == [
        *("127.0.0.1:PORT", "10.20.0.31", "[::1]:8080", "localhost:8080"),
        *("table3.casino.example", "TABLE3.casino.example:8443"),
    ]
    assert set(answers.values()) == {"200", "421"}


def test_a_socket_is_opened_by_a_page_of_the_table_only(tmp_path: Path) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            for origin in (
                None,
                "null",
                "https://evil.example",
                "http://127.0.0.1",
                f"http://127.0.0.1:{pages.port}.evil.example",
                f"file://127.0.0.1:{pages.port}",
            ):
                with pytest.raises(WSServerHandshakeError) as refused:
                    await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=origin)
                assert refused.value.status == 403
            async with pages.browser.post(f"{pages.origin}/supervisor/login") as answer:
                assert answer.status == 403

    asyncio.run(ask())


def test_a_real_table_has_no_way_for_acts(tmp_path: Path, sight: Sight) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            pages.process.tell(sight)
            for path in ("/live/cabinet", "/cabinet", "/cabinet/scenario"):
                async with pages.browser.get(pages.origin + path) as answer:
                    assert answer.status == 404
            deed = json.dumps({"id": 1, "do": "press COIN_IN"})
            socket = await pages.browser.ws_connect(
                f"{pages.origin}/live/sign", origin=pages.origin
            )
            await socket.send_str(deed)
            async for message in socket:
                assert message.type is WSMsgType.TEXT
                assert json.loads(message.data)["kind"] != "answered"
            assert socket.close_code == WSCloseCode.POLICY_VIOLATION
            pid = pages.process.pid
            assert os.readlink(f"/proc/{pid}/fd/1") == "/dev/null"
            pipes = [one for one in os.listdir(f"/proc/{pid}/fd") if is_pipe(pid, one)]
            assert pipes == ["0"]  # what the service says; nothing leads back

    asyncio.run(ask())


def is_pipe(pid: int | None, number: str) -> bool:
    try:
        target = os.readlink(f"/proc/{pid}/fd/{number}")
    except FileNotFoundError:
        return False
    return target.startswith("pipe:") and target != os.readlink("/proc/self/fd/2")


@pytest.mark.parametrize(
    "said",
    [
        "press COIN_IN",
        "[]",
        '{"id": 1}',
        '{"id": "1", "do": "press COIN_IN"}',
        '{"id": 1, "do": "press COIN_IN", "as": "anna"}',
        '{"id": 1, "do": "' + "x" * 2000 + '"}',
        b'{"id": 1, "do": "press COIN_IN"}',
    ],
    ids=["words", "list", "no act", "no number", "more", "oversized", "bytes"],
)
def test_what_is_no_act_closes_a_simulations_socket(tmp_path: Path, said: str | bytes) -> None:
    asked: list[object] = []

    async def ask() -> int | None:
        async with served(tmp_path, Simulated(asked.append, lambda _: None)) as pages:
            await pages.there()
            socket = await pages.browser.ws_connect(
                f"{pages.origin}/live/cabinet", origin=pages.origin
            )
            await (socket.send_str(said) if isinstance(said, str) else socket.send_bytes(said))
            async with asyncio.timeout(DEADLINE_S):
                async for _ in socket:
                    pass
            return socket.close_code

    assert asyncio.run(ask()) in (WSCloseCode.POLICY_VIOLATION, WSCloseCode.MESSAGE_TOO_BIG)
    assert [type(one).__name__ for one in asked] == ["Serving"]


@pytest.mark.parametrize(
    "path",
    [
        "/pages/../messages.py",
        "/pages/..%2fmessages.py",
        "/pages/%2e%2e/%2e%2e/messages.py",
        "/pages//etc/passwd",
        "/pages/%2fetc%2fpasswd",
        "/pages/common/../../../../../etc/passwd",
        "/pages/common",
        "/pages/",
        "/pages/common/page.css%00.js",
        "/pages/__init__.py",
        "/../../etc/passwd",
    ],
)
def test_nothing_but_the_pages_files_is_sent(tmp_path: Path, path: str) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            status, headers, text = await pages.raw(f"GET {path} HTTP/1.1", "Host: localhost")
            assert status == "404"
            assert headers.items() >= HEADERS.items()
            assert "root:" not in text

    asyncio.run(ask())


MALFORMED = {
    "no request": ("NONSENSE",),
    "a method": ("B\x00D / HTTP/1.1", "Host: localhost"),
    "a long line": ("GET /" + "x" * 10_000 + " HTTP/1.1", "Host: localhost"),
    "a long header": ("GET / HTTP/1.1", "Host: localhost", "X: " + "y" * 10_000),
    "many headers": ("GET / HTTP/1.1", "Host: localhost", *(f"X{n}: y" for n in range(1000))),
    "two lengths": ("POST / HTTP/1.1", "Host: localhost", "Content-Length: 1, 2"),
    "a bad header": ("GET / HTTP/1.1", "Host: localhost", "X Y: z"),
}


def test_what_is_no_request_is_answered_like_the_rest(tmp_path: Path) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            for name, lines in MALFORMED.items():
                status, headers, text = await pages.raw(*lines)
                assert status == "400", name
                assert headers.items() >= HEADERS.items(), name
                assert "aiohttp" not in str(headers).lower() + text.lower(), name
                assert "python" not in str(headers).lower() + text.lower(), name
            assert await pages.answers()

    asyncio.run(ask())


def test_a_body_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    async def ask() -> int:
        async with served(tmp_path) as pages:
            await pages.there()
            login = f"{pages.origin}/supervisor/login"
            headers = {"Origin": pages.origin, "Content-Type": "application/json"}
            async with pages.browser.post(login, data=b"x" * 1_000_000, headers=headers) as answer:
                assert answer.headers.items() >= HEADERS.items()
                return answer.status

    assert asyncio.run(ask()) in (400, 413, 415)


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
    tmp_path: Path, sight: Sight
) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            sign = await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            with ExitStack() as stack:
                for _ in range(1000):
                    stack.enter_context(
                        socket.create_connection(("127.0.0.1", pages.port), DEADLINE_S)
                    )
                    await asyncio.sleep(0)
                pages.process.tell(sight)
                await heard(sign, "jackpot")
                assert pages.process.pid is not None
                held = len(os.listdir(f"/proc/{pages.process.pid}/fd"))
                assert held < MOST_CONNECTIONS + 50
            await pages.there()
            await sign.close()

    with files_to_open(4096):
        asyncio.run(ask())


async def heard(sign: Any, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(DEADLINE_S):
        while True:
            message: dict[str, Any] = json.loads(await sign.receive_str())
            if message["kind"] == kind:
                return message


def test_who_asks_for_nothing_is_hung_up_on(tmp_path: Path) -> None:
    async def ask() -> bytes:
        async with served(tmp_path) as pages:
            await pages.there()
            reader, writer = await asyncio.open_connection("127.0.0.1", pages.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: local")  # and no more
            async with asyncio.timeout(ASKS_WITHIN_S + 10):
                said = await reader.read()
            writer.close()
            return said

    assert asyncio.run(ask()) == b""


def test_viewers_beyond_the_last_are_sent_away(tmp_path: Path) -> None:
    async def ask() -> None:
        async with served(tmp_path) as pages:
            await pages.there()
            sockets = [
                await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
                for _ in range(MOST_VIEWERS)
            ]
            with pytest.raises(WSServerHandshakeError) as refused:
                await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            assert refused.value.status == 503
            await sockets.pop().close()
            await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)

    with files_to_open(4096):
        asyncio.run(ask())


def test_a_viewer_that_does_not_read_is_dropped_and_the_others_go_on(
    tmp_path: Path, sight: Sight
) -> None:
    async def ask() -> None:
        async with served(tmp_path, Simulated(lambda _: None, lambda _: None)) as pages:
            await pages.there()
            quick = await pages.browser.ws_connect(f"{pages.origin}/live/sign", origin=pages.origin)
            with not_reading(pages, "/live/cabinet") as slow:
                number = 0
                async with asyncio.timeout(DEADLINE_S):
                    while not slow.poll(0):
                        number += 1
                        big = {**sight.seen, "jackpot": f"{number}.00", "display": "x" * 40_000}
                        pages.process.tell(msgspec.structs.replace(sight, seen=big))
                        while (await heard(quick, "jackpot"))["amount"] != big["jackpot"]:
                            pass

    asyncio.run(ask())


@contextmanager
def not_reading(pages: Served, path: str) -> Iterator[select.poll]:
    """Somebody who opens a socket to a page and then reads nothing; told when he is hung up on."""
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", pages.port))
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{pages.port}",
            f"Origin: {pages.origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        )
        slow.sendall("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n")
        hung_up = select.poll()
        hung_up.register(slow, select.POLLHUP)  # and not what could be read
        yield hung_up
