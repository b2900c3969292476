"""A technician with picocom, a real terminal program, before a table that runs. Needs picocom."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.technician.terminal.programs import (
    Program,
    count_ended_sessions,
    environment,
    running_table,
    serving_pty,
    wait_for_ended_sessions,
)
from tests.console.technician.terminal.typist import CTRL_C, CTRL_E, CTRL_U, END, HOME, LEFT, UP

LEAVE_PICOCOM = "\x01\x18"  # C-a C-x
CTRL_A_THROUGH_PICOCOM = "\x01\x01"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("line")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[str]:
    """Where a technician's line is served, for a table that runs."""
    with running_table(folder), serving_pty(folder) as (path, _):
        yield path


@pytest.fixture
def picocom(folder: Path, port: str) -> Iterator[Program]:
    with picocom_at(folder, port) as program:
        yield program


def picocom_at(folder: Path, port: str) -> Program:
    """At the first prompt of a session."""
    program = Program(["picocom", "--nolock", port], environment(folder))
    start_session(program)
    return program


def start_session(program: Program) -> str:
    """What is shown at the first prompt. Picocom empties its port: an invitation may be lost."""
    program.until("Terminal ready")
    program.type("\r")
    return program.wait_for_prompt()


def test_who_comes_is_told_which_table_it_is(folder: Path, port: str) -> None:
    with Program(["picocom", "--nolock", port], environment(folder)) as program:
        shown = start_session(program)
    assert "table simulated, caribbean-stud" in shown
    assert "SIMULATION: this is no real table" in shown
    assert "PAUSED  key R  faults: none" in shown


def test_a_command_is_corrected_with_the_arrows(picocom: Program) -> None:
    picocom.type("sttus" + LEFT * 3 + "a")
    picocom.until("banco> status")
    picocom.type(HOME + "x" + CTRL_A_THROUGH_PICOCOM + "\x1b[3~" + END + CTRL_E + "\r")
    assert "phase     PAUSED  key R" in picocom.wait_for_prompt("phase")


def test_a_command_is_completed_and_brought_back(picocom: Program) -> None:
    picocom.type("abo\t")
    picocom.until("banco> about ")
    picocom.type("\r")
    picocom.wait_for_prompt("Python")
    picocom.type(UP)
    picocom.until("banco> about")
    picocom.type(CTRL_U + "l\t\t")
    assert "lamp" in picocom.until(lambda screen: "language" in screen.text)


def test_a_long_text_is_turned_page_by_page(picocom: Program) -> None:
    picocom.type("help\r")
    first = picocom.until("-- more --")
    picocom.type("\r")
    picocom.until(lambda screen: screen.row > first.count("\n") and screen.line == "-- more --")
    picocom.type(" ")
    assert "ends the session" in picocom.wait_for_prompt()
    picocom.type("help\r")
    picocom.until("-- more --")
    picocom.type("q")
    assert "ends the session" not in picocom.wait_for_prompt("interrupted")


def test_ctrl_c_empties_a_line_and_ends_a_command(picocom: Program) -> None:
    picocom.type("restart")
    picocom.until("banco> restart")
    picocom.type(CTRL_C)
    assert "restart^C" in picocom.wait_for_prompt()
    picocom.type("watch\r")
    picocom.until("COIN")
    picocom.type(CTRL_C)
    picocom.wait_for_prompt("not moved while watched")


def test_a_character_costs_one_byte_on_the_wire(picocom: Program) -> None:
    for number, character in enumerate("lamp all on", start=1):
        before = len(picocom.sent)
        picocom.type(character)
        picocom.until("banco> " + "lamp all on"[:number])
        assert len(picocom.sent) - before == 1


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["leaves", "is killed"])
@pytest.mark.parametrize("amid", ["a line", "a live picture", "a page", "a PIN"])
def test_who_goes_amid_anything_may_come_back(folder: Path, port: str, how: str, amid: str) -> None:
    with picocom_at(folder, port) as program:
        ended = count_ended_sessions(folder)
        typed, shown = {
            "a line": ("declare round-vo", "declare round-vo"),
            "a live picture": ("watch\r", "COIN"),
            "a page": ("help\r", "-- more --"),
            "a PIN": ("enter anna\r", "PIN: "),
        }[amid]
        program.type(typed)
        program.until(shown)
        if amid == "a PIN":
            program.type("25")
            program.until("PIN: **")
        if how == "leaves":
            program.type(LEAVE_PICOCOM)
        else:
            os.kill(program.process.pid, signal.SIGKILL)
        program.wait_for_end()
    wait_for_ended_sessions(folder, ended + 1)  # or this one would be gone on with
    with picocom_at(folder, port) as program:
        assert not [word for word in (b"declare", b"COIN", b"PIN") if word in program.sent]
        program.type("status\r")
        assert "phase     PAUSED" in program.wait_for_prompt("phase")
