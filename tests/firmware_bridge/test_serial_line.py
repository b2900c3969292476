"""The serial line on real pseudo-terminals: opened, stalled, hung up, found again."""

import asyncio
import fcntl
import os
import termios
import tty
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.rail_messages import RailWant
from firmware_bridge.serial_line import LONGEST_REOPEN_PAUSE_S, LONGEST_UNSENT, SerialLine
from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.board_session.rig import Owner, rail_session
from tests.firmware_bridge.line_users import RecordingUser, wait_until_readable
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

MOST_OF_THE_KERNEL = 65_536
"""Bytes that a terminal takes before anybody reads."""


class Terminal:
    """A pseudo-terminal; the test holds the device's end, `link` points at the host's."""

    def __init__(self, link: Path) -> None:
        # The host's end stays open as well: nobody else holds it while the line is down.
        self.device, self.host = os.openpty()
        tty.setraw(self.host)
        os.set_blocking(self.device, False)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self.host))

    def hang_up(self) -> None:
        os.close(self.device)
        os.close(self.host)


@asynccontextmanager
async def line_on(
    path: Path, *, watch_dsr: bool = False
) -> AsyncIterator[tuple[SerialLine, RecordingUser]]:
    line = SerialLine(str(path), 115200, loop=asyncio.get_running_loop(), watch_dsr=watch_dsr)
    user = RecordingUser()
    line.start(user)
    try:
        yield line, user
    finally:
        line.close()
        for _ in range(3):  # the port is closed by the loop's next rounds
            await asyncio.sleep(0)


def run(test: Awaitable[None]) -> None:
    async def main() -> None:
        failures: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: failures.append(str(context))
        )
        await test
        assert failures == []

    asyncio.run(main())


def test_frames_pass_both_ways(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "rail")
        async with line_on(tmp_path / "rail") as (line, user):
            assert not line.send(b"too soon")
            await user.until(lambda: user.reports == ["up"])
            every = bytes(range(250))
            os.write(terminal.device, encode(every))
            await user.until(lambda: user.data.endswith(b"\0"))
            assert Deframer().feed(user.data) == [every]
            assert line.send(encode(every))
            await wait_until_readable(terminal.device)
            assert Deframer().feed(os.read(terminal.device, 1000)) == [every]
        terminal.hang_up()

    run(test())


def test_a_missing_port_is_sought_without_end_and_named_once(tmp_path: Path) -> None:
    loop = VirtualLoop()
    user = RecordingUser()
    line = SerialLine(str(tmp_path / "rail"), 115200, loop=loop)
    line.start(user)
    loop.run_for(3600)
    assert len(user.reports) == 1
    assert "No such file" in user.reports[0]
    terminal = Terminal(tmp_path / "rail")
    loop.run_for(LONGEST_REOPEN_PAUSE_S)
    assert user.reports[1:] == ["up"]
    line.close()
    loop.run_for(0)
    loop.close()
    terminal.hang_up()


def test_a_port_that_hangs_up_is_found_again_behind_its_link(tmp_path: Path) -> None:
    async def test() -> None:
        link = tmp_path / "rail"
        first = Terminal(link)
        async with line_on(link) as (line, user):
            await user.until(lambda: user.reports == ["up"])
            first.hang_up()
            await user.until(lambda: len(user.reports) == 2)
            assert user.reports[1].startswith(f"down: {link}: ")
            assert not line.send(b"x")
            second = Terminal(link)
            await user.until(lambda: user.reports[-1] == "up")
            os.write(second.device, b"hello")
            await user.until(lambda: user.data == b"hello")
        second.hang_up()

    run(test())


def fill(line: SerialLine) -> int:
    sent = 0
    while line.send(b"x" * 100):
        sent += 100
        assert sent <= LONGEST_UNSENT + MOST_OF_THE_KERNEL
    return sent


async def stall(line: SerialLine) -> None:
    """Send until neither the kernel nor the line takes more."""
    loop = asyncio.get_running_loop()
    quiet_at = loop.time() + 0.1
    while loop.time() < quiet_at:
        if fill(line):
            quiet_at = loop.time() + 0.1
        await asyncio.sleep(0)


def test_a_peer_that_has_stopped_reading_blocks_nobody(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "rail")
        loop = asyncio.get_running_loop()
        async with line_on(tmp_path / "rail") as (line, user):
            await user.until(lambda: user.reports == ["up"])
            assert fill(line) >= LONGEST_UNSENT // 100 * 100
            assert fill(line) == 0
            await stall(line)
            began = loop.time()
            line.drop("stalled")
            assert not line.send(b"x")
            await user.until(lambda: user.reports == ["up", "down: stalled", "up"])
            assert loop.time() - began < DEADLINE_S / 2, (
                "whoever waited for the peer would wait for ever"
            )
            await stall(line)
            began = loop.time()
        assert loop.time() - began < DEADLINE_S / 2, "closing waits for nothing"
        terminal.hang_up()

    run(test())


def test_a_dropped_line_sends_nothing_of_what_was_unsent(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "rail")
        async with line_on(tmp_path / "rail") as (line, user):
            await user.until(lambda: user.reports == ["up"])
            await stall(line)
            line.drop("stalled")
            await user.until(lambda: len(user.reports) == 3)
            left = b""
            while not left.endswith(b"new"):
                line.send(b"new")
                await wait_until_readable(terminal.device)
                left += os.read(terminal.device, 100_000)
            # What the device's end had taken in before it stalled; neither what the kernel held
            # for it (tens of thousands of bytes) nor what waited for the kernel.
            assert len(left) < 5000
        terminal.hang_up()

    run(test())


def test_a_stalled_port_that_hangs_up_is_given_up(tmp_path: Path) -> None:
    async def main() -> None:
        terminal = Terminal(tmp_path / "rail")
        # pyserial-asyncio reports the failed write to the loop as well; here that is no news.
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        async with line_on(tmp_path / "rail") as (line, user):
            await user.until(lambda: user.reports == ["up"])
            await stall(line)
            terminal.hang_up()
            await user.until(lambda: len(user.reports) > 1)
            assert user.reports[1].startswith("down")

    asyncio.run(main())


def test_nobody_else_can_open_the_port(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "rail")
        async with line_on(tmp_path / "rail") as (line, user):
            await user.until(lambda: user.reports == ["up"])
            async with line_on(tmp_path / "rail") as (_, other):
                await other.until(lambda: len(other.reports) == 1)
                assert "exclusively lock" in other.reports[0]
                line.close()
                await other.until(lambda: other.reports[-1] == "up")
        terminal.hang_up()

    run(test())


def test_after_close_and_drop_nothing_is_reported(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "rail")
        async with line_on(tmp_path / "rail") as (line, user):
            await user.until(lambda: user.reports == ["up"])
            line.drop("no reason")
            line.close()
            os.write(terminal.device, b"late")
            for _ in range(10):
                await asyncio.sleep(0.02)
            assert (user.reports, user.data) == (["up"], b"")
        terminal.hang_up()

    run(test())


def test_a_pseudo_terminal_has_no_dsr_and_only_hangs_up(tmp_path: Path) -> None:
    async def test() -> None:
        terminal = Terminal(tmp_path / "display")
        async with line_on(tmp_path / "display", watch_dsr=True) as (_, user):
            await user.until(lambda: user.reports == ["up"])
            terminal.hang_up()
            await user.until(lambda: len(user.reports) == 2)

    run(test())


def test_without_dsr_a_port_with_modem_lines_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's answer for the modem lines is the only thing a pseudo-terminal cannot give."""
    lines = {"set": b"\0\0\0\0"}
    real = fcntl.ioctl

    def ioctl(descriptor: int, request: int, argument: bytes = b"") -> int | bytes:
        if request == termios.TIOCMGET:
            return lines["set"]
        return real(descriptor, request, argument)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)

    async def test() -> None:
        terminal = Terminal(tmp_path / "display")
        async with line_on(tmp_path / "display", watch_dsr=True) as (line, user):
            await user.until(lambda: len(user.reports) == 1)
            assert user.reports[0].endswith("DSR is off")
            assert not line.send(b"x")
            lines["set"] = termios.TIOCM_DSR.to_bytes(4, "little")
            await user.until(lambda: user.reports[1:] == ["up"])
            lines["set"] = b"\0\0\0\0"
            await user.until(lambda: len(user.reports) == 3)
            assert user.reports[2].endswith("DSR is off")
        terminal.hang_up()

    run(test())


def test_the_board_is_found_over_a_real_port(tmp_path: Path) -> None:
    async def test() -> None:
        loop = asyncio.get_running_loop()
        terminal = Terminal(tmp_path / "rail")
        board = RailFirmware(BoardKind.SLOT_RAIL, 1)
        settled = asyncio.Event()
        owner = Owner()
        owner.on_event = settled.set

        def serve() -> None:
            now = int(loop.time() * 1000)
            board.receive(os.read(terminal.device, 1000), now)
            os.write(terminal.device, board.advance(now))

        loop.add_reader(terminal.device, serve)
        line = SerialLine(str(tmp_path / "rail"), 115200, loop=loop)
        session = rail_session(line, owner, loop)
        session.want(RailWant(0x2AAA))
        session.start()
        async with asyncio.timeout(DEADLINE_S):
            while owner.events[-1:] != ["settled"]:
                settled.clear()
                await settled.wait()
        assert board.lamps == 0x2AAA
        loop.remove_reader(terminal.device)
        session.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        terminal.hang_up()

    run(test())
