"""`banco diag` on its own terminal: its settings afterwards, dumb terminals, and no terminal."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.console.technician.terminal.programs import (
    BANCO,
    Program,
    environment,
    running_table,
)
from tests.console.technician.terminal.typist import CTRL_D, LEFT, UP
from tests.deadlines import DEADLINE_S

DIAG = (*BANCO, "diag", "--sim", "--language", "en")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own")


def send_signal(number: signal.Signals) -> Callable[[Program], None]:
    return lambda program: program.process.send_signal(number)


@pytest.mark.parametrize(
    "leave",
    [
        lambda program: program.type("exit\r"),
        lambda program: program.type(CTRL_D),
        send_signal(signal.SIGTERM),
        send_signal(signal.SIGINT),
        send_signal(signal.SIGHUP),
    ],
    ids=["exit", "Ctrl-D", "SIGTERM", "SIGINT", "SIGHUP"],
)
def test_the_terminal_is_as_it_was_afterwards(
    folder: Path, leave: Callable[[Program], None]
) -> None:
    with Program(DIAG, environment(folder)) as program:
        program.wait_for_prompt("does not answer")
        assert program.settings_now() != program.settings
        leave(program)
        assert program.wait_for_end() == 0
        assert program.settings_now() == program.settings
        assert program.screen.column == 0


def test_it_ends_with_its_terminal(folder: Path) -> None:
    with Program(DIAG, environment(folder)) as program:
        program.wait_for_prompt("does not answer")
        program.hang_up()
        assert program.process.wait(DEADLINE_S) == 0


def test_the_terminal_is_as_it_was_when_the_program_fails(folder: Path) -> None:
    fails = (
        "import sys; from console.technician import diag, shell\n"
        "async def fail(*_): raise ZeroDivisionError('a mistake of ours')\n"
        "diag.run_shell = fail\n"
        "from console.command_line.main import main; sys.exit(main())"
    )
    with Program([sys.executable, "-c", fails, *DIAG[3:]], environment(folder)) as program:
        assert program.wait_for_end() == 1
        assert program.settings_now() == program.settings
        assert "ZeroDivisionError: a mistake of ours" in program.screen.text


@pytest.mark.parametrize("name", ["dumb", "unknown", ""])
def test_a_dumb_terminal_is_never_sent_an_escape(folder: Path, name: str) -> None:
    with (
        running_table(folder),
        Program(DIAG, environment(folder, TERM=name), dumb=True) as program,
    ):
        program.wait_for_prompt("SIMULATION")
        program.type("sttus" + LEFT * 3 + "a\x05\r")
        program.wait_for_prompt("phase")
        program.type(UP + "\x15he\t\r")
        program.until("-- more --")
        program.type(" ")
        program.wait_for_prompt("exit")
        program.type("watch\r")
        program.until("COIN_IN")
        program.type(UP)
        program.type("q")
        program.wait_for_prompt("moved")
        program.type("exit\r")
        assert program.wait_for_end() == 0
        assert b"\x1b" not in program.sent
        assert not set(program.sent) - {7, 8, 10, 13, *range(0x20, 0x7F)}


def test_a_terminal_known_by_name_is_sent_escapes_at_once(folder: Path) -> None:
    with running_table(folder), Program(DIAG, environment(folder)) as program:
        program.wait_for_prompt("SIMULATION")
        program.type("lamp\x01x")
        program.until("xlamp")
        assert b"\x1b[@x" in program.sent


@pytest.mark.parametrize("port", ["file", "."])
def test_what_is_no_device_is_no_port(port: str, folder: Path) -> None:
    (folder / "file").touch()
    done = subprocess.run(
        [*DIAG, "--port", str(folder / port)],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=environment(folder),
    )
    assert done.returncode == 2
    assert done.stderr == f"{folder / port} is no serial port; name one, such as /dev/ttyUSB0\n"


def test_a_port_that_is_not_there_is_told_and_waited_for(folder: Path) -> None:
    port = folder / "ttyUSB0"
    with subprocess.Popen(
        [*DIAG, "--port", str(port)], stderr=subprocess.PIPE, text=True, env=environment(folder)
    ) as process:
        assert process.stderr is not None
        message = process.stderr.readline()
        process.terminate()
    assert "the port is closed: " in message
    assert str(port) in message


def test_without_a_terminal_it_says_what_to_do(folder: Path) -> None:
    done = subprocess.run(
        DIAG,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env=environment(folder),
    )
    assert done.returncode == 2
    assert "banco diag --port DEVICE" in done.stderr
    assert "Traceback" not in done.stderr
