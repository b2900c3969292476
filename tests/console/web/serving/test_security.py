"""What comes from a network that means ill: each is answered alike, and nothing is let in."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from aiohttp import WSCloseCode, WSMsgType, WSServerHandshakeError

from console.simulation.pages import ProcessListener
from console.web.messages import TableSnapshot
from console.web.serving.security import HEADERS
from tests.console.web.malformed_requests import MALFORMED
from tests.console.web.served_pages import ServedPages, serve_pages
from tests.deadlines import DEADLINE_S


def test_only_the_tables_own_names_are_answered(tmp_path: Path) -> None:
    async def ask() -> dict[str, str]:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
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
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
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


@pytest.mark.parametrize("key", ["\u00e9", "AAAAAAAAAAAAAAAAAAAAA\u00e9==", "AAAA", ""])
@pytest.mark.parametrize("path", ["/live/sign", "/live/supervisor"])
def test_a_socket_with_a_wrong_key_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, path: str, key: str
) -> None:
    async def ask() -> str:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            status, _, _ = await pages.raw(
                f"GET {path} HTTP/1.1",
                f"Host: 127.0.0.1:{pages.port}",
                f"Origin: {pages.origin}",
                *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
                f"Sec-WebSocket-Key: {key}",
            )
            return status

    assert asyncio.run(ask()) == "400"
    assert caplog.messages == []


def test_a_real_table_has_no_way_for_acts(tmp_path: Path, snapshot: TableSnapshot) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            pages.process.send(snapshot)
            for path in ("/live/cabinet", "/cabinet", "/cabinet/scenario"):
                async with pages.browser.get(pages.origin + path) as answer:
                    assert answer.status == 404
            request = json.dumps({"id": 1, "do": "press COIN_IN"})
            socket = await pages.browser.ws_connect(
                f"{pages.origin}/live/sign", origin=pages.origin
            )
            await socket.send_str(request)
            async for message in socket:
                assert message.type is WSMsgType.TEXT
                assert json.loads(message.data)["kind"] != "answered"
            assert socket.close_code == WSCloseCode.POLICY_VIOLATION

    asyncio.run(ask())


def is_pipe(pid: int | None, number: str) -> bool:
    try:
        target = os.readlink(f"/proc/{pid}/fd/{number}")
    except FileNotFoundError:
        return False
    return target.startswith("pipe:") and target != os.readlink("/proc/self/fd/2")


NO_ACTS: dict[str, str | bytes] = {
    "words": "press COIN_IN",
    "list": "[]",
    "no act": '{"id": 1}',
    "no number": '{"id": "1", "do": "press COIN_IN"}',
    "more": '{"id": 1, "do": "press COIN_IN", "as": "anna"}',
    "oversized": '{"id": 1, "do": "' + "x" * 2000 + '"}',
    "bytes": b'{"id": 1, "do": "press COIN_IN"}',
}


def test_what_is_no_act_closes_a_simulations_socket(tmp_path: Path) -> None:
    asked: list[object] = []

    async def send(pages: ServedPages, message: str | bytes) -> int | None:
        """What the socket is closed with after this message."""
        where = f"{pages.origin}/live/cabinet"
        socket = await pages.browser.ws_connect(where, origin=pages.origin)
        await (socket.send_str(message) if isinstance(message, str) else socket.send_bytes(message))
        async with asyncio.timeout(DEADLINE_S):
            async for _ in socket:
                pass
        return socket.close_code

    async def ask() -> dict[str, int | None]:
        async with serve_pages(tmp_path, ProcessListener(asked.append, lambda _: None)) as pages:
            await pages.wait_until_served()
            return {name: await send(pages, message) for name, message in NO_ACTS.items()}

    refused = {*NO_ACTS} - {"oversized", "bytes"}
    codes = asyncio.run(ask())
    assert {codes[name] for name in refused} == {WSCloseCode.POLICY_VIOLATION}
    assert set(codes.values()) <= {WSCloseCode.POLICY_VIOLATION, WSCloseCode.MESSAGE_TOO_BIG}
    assert [type(one).__name__ for one in asked] == ["Serving"]


NO_FILES = (
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
)


def test_nothing_but_the_pages_files_is_sent(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            for path in NO_FILES:
                status, headers, text = await pages.raw(f"GET {path} HTTP/1.1", "Host: localhost")
                assert status == "404", path
                assert headers.items() >= HEADERS.items(), path
                assert "root:" not in text, path

    asyncio.run(ask())


def test_what_is_no_request_is_answered_like_the_rest(tmp_path: Path) -> None:
    async def ask() -> None:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            for name, lines in MALFORMED.items():
                status, headers, text = await pages.raw(*lines)
                assert status == "400", name
                assert headers.items() >= HEADERS.items(), name
                assert "aiohttp" not in str(headers).lower() + text.lower(), name
                assert "python" not in str(headers).lower() + text.lower(), name
            assert await pages.is_served()

    asyncio.run(ask())


def test_a_body_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    async def ask() -> int:
        async with serve_pages(tmp_path) as pages:
            await pages.wait_until_served()
            login = f"{pages.origin}/supervisor/login"
            headers = {"Origin": pages.origin, "Content-Type": "application/json"}
            async with pages.browser.post(login, data=b"x" * 1_000_000, headers=headers) as answer:
                assert answer.headers.items() >= HEADERS.items()
                return answer.status

    assert asyncio.run(ask()) in (400, 413, 415)
