"""`banco run --sim --web` on a terminal: the picture says where the page is, a desktop shows it."""

import asyncio
import os
import pty
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.console.running_table import BANCO, ENVIRONMENT
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

NO_DESKTOP = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


STAYS = re.compile(rb"\x1b\[(\d*)C")
"""The cursor goes over what stands there already: so many characters."""


class TerminalOutput:
    """All that a terminal has been sent."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._sent = b""

    async def wait_for(self, text: str) -> None:
        """Wait until it does; of what replaces other text only that is sent which differs."""
        wanted = re.compile(b"".join(b"[%s\0]" % re.escape(one.encode()) for one in text))
        async with asyncio.timeout(DEADLINE_S):
            while not wanted.search(STAYS.sub(lambda over: bytes(int(over[1] or 1)), self._sent)):
                await asyncio.sleep(0.05)
                try:
                    self._sent += os.read(self._terminal, 65536)
                except BlockingIOError:
                    continue


@asynccontextmanager
async def on_a_terminal(
    folder: Path, port: int, environment: dict[str, str]
) -> AsyncIterator[TerminalOutput]:
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    process = await asyncio.create_subprocess_exec(
        *BANCO,
        *("run", "--sim", "--web", f"127.0.0.1:{port}"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**ENVIRONMENT, "TERM": "xterm", "XDG_STATE_HOME": str(folder), **environment},
    )
    os.close(theirs)
    screen = TerminalOutput(ours)
    try:
        yield screen
    finally:
        process.send_signal(signal.SIGKILL)
        async with asyncio.timeout(DEADLINE_S):
            await process.wait()
        os.close(ours)


def test_the_picture_says_where_the_page_is(tmp_path: Path) -> None:
    async def night() -> None:
        port = free_port()
        async with on_a_terminal(tmp_path, port, NO_DESKTOP) as screen:
            await screen.wait_for(f"the table's page: http://127.0.0.1:{port}/")
            await screen.wait_for("CONSOLLE DEL CROUPIER")

    asyncio.run(night())


@pytest.mark.parametrize("desktop", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_on_a_desktop_the_browser_is_opened_once(tmp_path: Path, desktop: str) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{opened}"\n', "utf-8")
    browser.chmod(0o700)

    async def night(port: int) -> None:
        there = NO_DESKTOP | {desktop: ":0", "BROWSER": str(browser)}
        async with on_a_terminal(tmp_path, port, there) as screen:
            await screen.wait_for("the table's page")
            async with asyncio.timeout(DEADLINE_S):
                while not opened.exists() or not opened.read_text("utf-8"):
                    await asyncio.sleep(0.05)

    port = free_port()
    asyncio.run(night(port))
    assert opened.read_text("utf-8") == f"http://127.0.0.1:{port}/\n"


def test_a_browser_that_cannot_be_opened_is_no_harm(tmp_path: Path) -> None:
    async def night(port: int) -> None:
        there = NO_DESKTOP | {"DISPLAY": ":0", "BROWSER": "/does/not/exist", "PATH": "/nowhere"}
        async with on_a_terminal(tmp_path, port, there) as screen:
            await screen.wait_for("the table's page")
            await screen.wait_for("CONSOLLE DEL CROUPIER")

    asyncio.run(night(free_port()))


def test_a_port_that_is_taken_is_told_on_the_picture(tmp_path: Path) -> None:
    async def night() -> None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            async with on_a_terminal(tmp_path, port, NO_DESKTOP) as screen:
                await screen.wait_for("another program uses 127.0.0.1 port")

    asyncio.run(night())
