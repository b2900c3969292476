"""Where terminals are: pseudo-terminals made here, serial ports, and what becomes of them."""

import asyncio
import os
import signal
import termios
import time
import tty
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.technician.diag import TableLocation, TerminalChoice, diag
from console.technician.terminal.ports import LONGEST_UNSENT, PseudoTerminal, escapes_of
from console.technician.terminal.terminal import Escapes
from tests.console.technician.terminal.programs import (
    PortUser,
    running_table,
    serving,
    serving_pty,
    wait_for_ended_sessions,
)
from tests.deadlines import DEADLINE_S
from tests.firmware_bridge.line_users import RecordingUser, wait_until_readable

NOBODY = 65_534
ELSEWHERE = TableLocation(Path("/nowhere"))


def on_a_port(test: Callable[[PseudoTerminal, RecordingUser], Awaitable[None]]) -> None:
    async def main() -> None:
        port, user = PseudoTerminal(asyncio.get_running_loop()), RecordingUser()
        port.start(user)
        try:
            await test(port, user)
        finally:
            port.close()

    asyncio.run(main())


@contextmanager
def open_port(port: PseudoTerminal) -> Iterator[int]:
    descriptor = os.open(port.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


async def read_bytes(descriptor: int) -> bytes:
    await wait_until_readable(descriptor)
    return os.read(descriptor, 65536)


def test_a_pseudo_terminal_is_up_while_a_program_has_it_open() -> None:
    async def test(port: PseudoTerminal, user: RecordingUser) -> None:
        assert not port.send(b"too soon")
        for _ in range(3):
            user.reports.clear()
            with open_port(port) as descriptor:
                await user.until(lambda: user.reports == ["up"])
                assert port.send(b"hello")
                assert await read_bytes(descriptor) == b"hello"
                os.write(descriptor, b"\x03key")
                await user.until(lambda: user.data.endswith(b"\x03key"))
            await user.until(lambda: user.reports == ["up", "down: hung up"])
            assert not port.send(b"x")

    on_a_port(test)


def test_the_next_program_finds_nothing_of_the_last_one() -> None:
    async def test(port: PseudoTerminal, user: RecordingUser) -> None:
        with open_port(port) as descriptor:
            await user.until(lambda: user.reports == ["up"])
            tty.setcbreak(descriptor)
            settings = termios.tcgetattr(descriptor)
            settings[3] |= termios.ECHO
            termios.tcsetattr(descriptor, termios.TCSANOW, settings)
            port.send(b"a PIN, never read")
            await wait_until_readable(descriptor)
        await user.until(lambda: user.reports == ["up", "down: hung up"])
        with open_port(port) as descriptor:
            await user.until(lambda: user.reports[2:] == ["up"])
            assert not termios.tcgetattr(descriptor)[3] & (termios.ECHO | termios.ICANON)
            port.send(b"new")
            assert await read_bytes(descriptor) == b"new"

    on_a_port(test)


def test_a_program_that_reads_nothing_costs_no_memory() -> None:
    async def test(port: PseudoTerminal, user: RecordingUser) -> None:
        with open_port(port):
            await user.until(lambda: user.reports == ["up"])
            refused = 0
            for _ in range(2000):
                refused += not port.send(b"x" * 256)
                await asyncio.sleep(0)
            assert 2000 - refused <= (LONGEST_UNSENT + 128 * 1024) / 256
            assert refused > 1000
            port.drop("it reads nothing")
            await user.until(lambda: user.reports[1:] == ["down: it reads nothing", "up"])
            assert port.send(b"x")

    on_a_port(test)


def test_a_port_nobody_opens_costs_next_to_nothing() -> None:
    async def test(port: PseudoTerminal, user: RecordingUser) -> None:
        del port
        began = time.process_time()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await user.until(lambda: False)
        assert time.process_time() - began < 0.1

    on_a_port(test)


@pytest.mark.parametrize(
    ("name", "escapes"),
    [
        ("xterm-256color", Escapes.ALWAYS),
        ("linux", Escapes.ALWAYS),
        ("vt100", Escapes.ONCE_SENT),  # it cannot insert a character
        ("wyse50", Escapes.ONCE_SENT),
        ("dumb", Escapes.NEVER),
        ("", Escapes.NEVER),
    ],
)
def test_what_the_name_of_a_terminal_says(name: str, escapes: Escapes) -> None:
    assert escapes_of({"TERM": name} if name else {}) is escapes


class Cable:
    """A pseudo-terminal as a serial cable: `link` is the table's port, the visitor has the end."""

    def __init__(self, link: Path) -> None:
        self.end, self.port = os.openpty()
        tty.setraw(self.port)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self.port))

    def pull(self) -> None:
        os.close(self.end)
        os.close(self.port)


def test_a_serial_port_is_served_for_ever(tmp_path_factory: pytest.TempPathFactory) -> None:
    """At 9600 baud; the adapter is pulled in mid-command, and put in again."""
    folder = tmp_path_factory.mktemp("line")
    link = folder / "port"
    with running_table(folder), serving(folder, "--port", str(link), "--baud", "9600"):
        for mid_command in ("declare round-v", "watch\r"):
            cable = Cable(link)
            user = PortUser(cable.end)
            user.until("banco - Invio / Enter")
            user.type("\r")
            assert "table simulated" in user.wait_for_prompt("SIMULATION")
            user.type("status\r")
            user.wait_for_prompt("phase")
            user.type(mid_command)
            user.until(mid_command.strip())
            cable.pull()


def test_a_port_that_it_may_not_open_ends_it(capfd: pytest.CaptureFixture[str]) -> None:
    """Its unit may open what had the port's name at its start: it is started again."""
    ours, theirs = os.openpty()
    path = os.ttyname(theirs)
    os.chmod(path, 0)
    child = os.fork()
    if child == 0:
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        signal.alarm(int(DEADLINE_S))
        os._exit(diag(ELSEWHERE, TerminalChoice(port=path)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert f"{path}: [Errno 13] Permission denied" in capfd.readouterr().err
    os.close(ours)
    os.close(theirs)


def test_at_9600_baud_no_more_is_sent_than_the_wire_carries(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A pseudo-terminal takes everything at once; what is queued there, Ctrl-C could not stop."""
    folder = tmp_path_factory.mktemp("line")
    cable = Cable(folder / "port")
    with serving(folder, "--port", str(folder / "port"), "--baud", "9600"):
        user = PortUser(cable.end)
        user.until("Enter")
        user.type("\r")
        user.wait_for_prompt("does not answer")
        began, had = time.monotonic(), len(user.sent)
        user.type("help\r")
        user.until("-- more --")
        page = len(user.sent) - had
        assert page > 600
        assert time.monotonic() - began > 0.8 * (page - 96) / 960
    cable.pull()


def test_two_terminals_of_a_table_do_not_disturb_each_other(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("line")
    with (
        running_table(folder),
        serving_pty(folder) as (one, _),
        serving_pty(folder) as (other, _),
        PortUser.of(one) as anna,
        PortUser.of(other) as bruno,
    ):
        for user in (anna, bruno):
            user.until("Enter")
            user.type("\r")
            user.wait_for_prompt("SIMULATION")
        anna.type("watch\r")
        anna.until("COIN_IN")
        bruno.type("status\r")
        bruno.wait_for_prompt("phase")
        anna.type("q")
        anna.wait_for_prompt("moved")


def test_a_session_leaves_no_connection_to_the_table(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Whoever has entered is out with the connection, and what is driven by hand is let go."""
    folder = tmp_path_factory.mktemp("line")
    with running_table(folder), serving_pty(folder) as (path, process):
        counts: list[int] = []
        for visit in range(1, 5):
            with PortUser.of(path) as anna:
                anna.until("Enter")
                anna.type("\r")
                anna.wait_for_prompt("SIMULATION")
                during = open_files(process)
            wait_for_ended_sessions(folder, visit)
            end = time.monotonic() + DEADLINE_S
            while open_files(process) >= during and time.monotonic() < end:
                pass
            counts.append(open_files(process))
        assert len(set(counts)) == 1, counts


def open_files(process: int) -> int:
    return len(list(Path(f"/proc/{process}/fd").iterdir()))
