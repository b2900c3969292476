"""How a command ends: nobody reads it, its output is closed or full, a signal comes."""

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from console.command_line.main import main
from console.service.supervision.process_end import ExitStatus
from jackpot.ledger.ledger import verify
from tests.console.running_table import (
    BANCO,
    ENVIRONMENT,
    NOTED,
    configuration,
)
from tests.console.table import table_in
from tests.console.technician.terminal.programs import Program, environment
from tests.deadlines import DEADLINE_S

pytestmark = pytest.mark.sampled(of=2)

ENDLESS = "press GAME_OVER\n" + "wait 1m\n" * 5_000
"""Minutes of work in virtual time."""

MANY = ("press JPOT", "press COIN_IN", "press FLUSH", "press FULL_HOUSE") * 75
"""Records enough that a pipe does not hold them all."""


@pytest.fixture(name="place", scope="module")
def a_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a configuration, a ledger, scenarios."""
    folder = tmp_path_factory.mktemp("place")
    configuration(folder / "table.toml")
    with table_in(folder) as table:
        table.play("press GAME_OVER", "token 1", "press COIN_IN", *MANY)
    (folder / "short.scenario").write_text("press GAME_OVER\ntoken 1\npress COIN_IN\n")
    (folder / "endless.scenario").write_text(ENDLESS)
    return folder


PRINTING: Mapping[str, tuple[str, ...]] = {
    "play": ("play", "--json", "short.scenario"),
    "check": ("check", "table.toml"),
    "enrol --list": ("enrol", "--list", "--file", "people.toml"),
    "ledger repair": ("ledger", "repair", "ledger"),
    "ledger verify": ("ledger", "verify", "ledger"),
    "ledger show": ("ledger", "show", "ledger"),
    "ledger replay": ("ledger", "replay", "1", "ledger"),
    "ledger rebuild": ("ledger", "rebuild", "ledger"),
    "report": ("report", "ledger", "--rounds", "1"),
    "--help": ("--help",),
    "--version": ("--version",),
}
"""Commands that print something and are done, in the folder `place`."""


SOME = ("check", "ledger show", "--version")
"""Enough of them where the same code does it for all."""


def run_command(words: tuple[str, ...], place: Path, output: int) -> tuple[int, str]:
    """Run it with this standard output; its exit status, and what it complains of."""
    done = subprocess.run(
        [*BANCO, *words],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        cwd=place,
        env=ENVIRONMENT,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    return done.returncode, done.stderr.removeprefix(NOTED)


# Nobody reads it, or it cannot be written


@pytest.mark.parametrize("command", PRINTING)
def test_of_a_pipe_that_nobody_reads_it_says_nothing(command: str, place: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run_command(PRINTING[command], place, writing) == (ExitStatus.NOT_READ, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", SOME)
def test_a_full_output_is_told(command: str, place: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        status, message = run_command(PRINTING[command], place, full.fileno())
    assert (status, message) == (
        ExitStatus.NOT_WRITTEN,
        "banco: standard output: No space left on device\n",
    )


@pytest.mark.parametrize("command", SOME)
def test_a_closed_output_is_told(command: str, place: Path) -> None:
    done = by_shell(PRINTING[command], place, ">&-")
    assert (done.returncode, done.stderr.removeprefix(NOTED)) == (
        ExitStatus.NOT_WRITTEN,
        "banco: standard output: Bad file descriptor\n",
    )


def test_a_closed_error_output_is_no_other(place: Path) -> None:
    """What it complains of goes nowhere else, least of all among what it prints."""
    done = by_shell(("check", "none.toml"), place, "2>&-")
    assert (done.returncode, done.stdout) == (ExitStatus.NOT_WRITTEN, "")


def test_with_all_streams_closed_the_ledger_is_what_it_was(place: Path) -> None:
    """No file of ours gets the number of a standard stream."""
    before = verify(place / "ledger").head
    done = by_shell(("ledger", "verify", "ledger"), place, "<&- >&- 2>&-")
    assert done.returncode == ExitStatus.NOT_WRITTEN
    assert verify(place / "ledger").head == before


def by_shell(
    words: tuple[str, ...], place: Path, closed: str
) -> "subprocess.CompletedProcess[str]":
    """As somebody types it, with `>&-` and the like behind it."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *BANCO, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=place,
        env=ENVIRONMENT,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def test_a_reader_that_has_read_enough_ends_a_long_play(place: Path) -> None:
    with start_command(("play", "--json", "endless.scenario"), place) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["line"] == 1
        process.stdout.close()
        assert process.wait(DEADLINE_S) == ExitStatus.NOT_READ
        assert process.stderr is not None
        assert process.stderr.read() == b""


# On a terminal

ROWS = 24

MISTAKEN_TABLE = """
kind = "production"
table = "Caribbean 1"
game = "caribbean-stud"
[money]
token = "2.001"
to_jackpot = "700"
to_reserve = "1000"
opening = "x"
base = "y"
[ledger]
folder = "var"
[panel]
driver = "gpio"
[rail]
kind = "slot"
driver = "simulated"
[display]
driver = "simulated"
[shuffler]
driver = "simulated"
[web]
listen = "everywhere"
"""


@pytest.fixture(name="mistaken", scope="module")
def a_mistaken_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scenario, a configuration and a ledger with more mistakes than a screen has rows."""
    folder = tmp_path_factory.mktemp("mistaken")
    (folder / "wrong.scenario").write_text("pres GAME_OVER\n" * 60)
    (folder / "wrong.toml").write_text(MISTAKEN_TABLE)
    with table_in(folder) as table:
        table.play(*MANY)
        ledger = table.machine.disk.folder / "ledger.db"
        with closing(sqlite3.connect(ledger)) as database, database:
            database.execute("UPDATE journal SET wall = 'x' WHERE seq % 2 = 0")
    return folder


FIRST = "wrong.toml: money.token: '2.001' is not an amount"


@pytest.mark.parametrize(
    ("words", "language", "begins", "ends"),
    [
        ("play wrong.scenario", "en", "wrong.scenario:1: no act 'pres'; there ", "lines left out"),
        ("check wrong.toml", "it", FIRST, "righe non mostrate"),
        ("check --approve wrong.toml", "en", FIRST, "lines left out"),
        ("run --config wrong.toml", "en", FIRST, "lines left out"),
        ("ledger verify ledger", "en", "NOT IN ORDER: record 2 was changed, or", "lines left out"),
    ],
)
def test_on_a_terminal_an_error_keeps_its_beginning(
    words: str, language: str, begins: str, ends: str, mistaken: Path
) -> None:
    typed = ["env", "-C", str(mistaken), *BANCO, *words.split()]
    with Program(typed, environment(mistaken, LC_ALL=f"{language}.UTF-8"), rows=ROWS) as program:
        assert program.wait_for_end() != 0
        screen = program.screen.text.splitlines()
    *rows, last = screen
    assert any(row.startswith(begins) for row in rows[1 - ROWS :]), screen
    assert last.startswith(f"{ends}: "), screen


def test_a_file_gets_every_mistake(mistaken: Path) -> None:
    _, message = run_command(("play", "wrong.scenario"), mistaken, subprocess.DEVNULL)
    assert len(message.splitlines()) == 60


# Signals


@contextmanager
def start_command(
    words: tuple[str, ...], place: Path, **environment: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """A command that runs; what is left of it is killed."""
    with subprocess.Popen(
        ["env", "--default-signal=HUP", *BANCO, *words],  # the tests may run under nohup
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place,
        env={**ENVIRONMENT, **environment},
        bufsize=0,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


SIGNALLED = {
    signal.SIGINT: ExitStatus.INTERRUPTED,
    signal.SIGTERM: ExitStatus.TERMINATED,
    signal.SIGHUP: ExitStatus.HUNG_UP,
}


@pytest.mark.parametrize(
    ("number", "how"),
    [*((number, ()) for number in SIGNALLED), (signal.SIGTERM, ("--real-time",))],
)
def test_a_signal_ends_a_play_and_takes_its_folder_away(
    number: signal.Signals, how: tuple[str, ...], place: Path, tmp_path: Path
) -> None:
    words = ("play", "--json", *how, "endless.scenario")
    with start_command(words, place, TMPDIR=str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        assert list(tmp_path.iterdir())
        process.send_signal(number)
        process.send_signal(number)  # as `timeout` does
        _, message = process.communicate(timeout=DEADLINE_S)
        assert (process.returncode, message) == (SIGNALLED[number], b"")
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_ignored_stays_so(place: Path) -> None:
    """`nohup banco play` outlives its terminal."""
    script = "trap '' HUP; exec \"$@\""
    done = subprocess.Popen(
        ["sh", "-c", script, "sh", *BANCO, "play", "--json", "short.scenario"],
        stdout=subprocess.PIPE,
        cwd=place,
        env=ENVIRONMENT,
    )
    with done as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=DEADLINE_S)
        assert process.returncode == 0


def test_ctrl_c_ends_what_a_pager_does_not_read(place: Path) -> None:
    with start_command(("ledger", "show", "--json", "ledger"), place) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # no more of it is read
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE_S) == ExitStatus.INTERRUPTED
        assert process.stderr is not None
        assert process.stderr.read() == b""


# Nothing is asked for


@pytest.mark.parametrize(("words", "shown"), [((), "enrol"), (("ledger",), "rebuild")])
def test_without_a_command_it_shows_which_there_are(
    words: tuple[str, ...], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert f"\n    {shown} " in capsys.readouterr().out
