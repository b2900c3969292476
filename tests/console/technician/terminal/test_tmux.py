"""`banco diag` in tmux, a terminal that many have open for days. Needs tmux."""

import os
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.technician.terminal.programs import (
    BANCO,
    TableProcess,
    environment,
    running_table,
)
from tests.deadlines import DEADLINE_S


class Tmux:
    """80 columns, 24 rows, in a tmux of its own whose socket lies in `folder`."""

    def __init__(self, folder: Path, surroundings: dict[str, str]) -> None:
        self._tmux = ["tmux", "-u", "-S", str(folder / "tmux"), "-f", os.devnull]
        self.raw = folder / "raw"
        self.do("new-session", "-d", "-x", "80", "-y", "24", "cat", surroundings=surroundings)
        self.do("pipe-pane", f"cat > {self.raw}")

    def run(self, *command: str) -> None:
        text = f"{shlex.join(command)}; echo LEFT $?; exec cat"
        self.do("respawn-pane", "-k", "sh", "-c", text)

    def was_sent(self, last: bytes) -> bytes:
        """All that the program has written, as soon as this is in it."""
        end = time.monotonic() + DEADLINE_S
        while last not in (sent := self.raw.read_bytes()):
            assert time.monotonic() < end, sent
        return sent

    def type(self, *keys: str) -> None:
        self.do("send-keys", *keys)

    def wait_for(self, *texts: str) -> str:
        """The screen, as soon as all of these stand on it."""
        screen = ""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            screen = self.do("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
        pytest.fail(f"not all of {texts} on:\n{screen}")

    def do(self, *words: str, surroundings: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            [*self._tmux, *words],
            check=True,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            env=surroundings,
        )
        return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("line")


@pytest.fixture(scope="module")
def table(folder: Path) -> Iterator[TableProcess]:
    with running_table(folder) as table:
        yield table


@pytest.fixture
def tmux(
    folder: Path, table: TableProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tmux]:
    table.do("wait 1ms")
    tmux = Tmux(tmp_path_factory.mktemp("tmux"), environment(folder, TMUX=""))
    yield tmux
    tmux.do("kill-server")


DIAG = (*BANCO, "diag", "--sim", "--language", "en")


def test_editing_history_and_completion(tmux: Tmux) -> None:
    tmux.run(*DIAG)
    tmux.wait_for("SIMULATION  simulated  PAUSED  key R", "banco>")
    tmux.type("sttus", "Left", "Left", "Left", "a", "End", "Enter")
    tmux.wait_for("banco> status", "phase     PAUSED", "lines")
    tmux.type("abo", "Tab", "Enter")
    tmux.wait_for("banco> about", "Python")
    tmux.type("Up", "Up", "BSpace", "DC", "Home", "x", "C-a", "Delete", "End", "s")
    tmux.wait_for("banco> status")
    tmux.type("C-c", "exit", "Enter")
    tmux.wait_for("LEFT 0")


def test_the_prompt_follows_the_table_under_what_is_typed(tmux: Tmux, table: TableProcess) -> None:
    tmux.run(*DIAG)
    tmux.wait_for("PAUSED  key R", "banco>")
    tmux.type("stat")
    tmux.wait_for("banco> stat")
    table.do("press GAME_OVER")
    tmux.wait_for("BETTING  key R", "banco> stat")
    table.do("press COIN_IN")
    tmux.type("us", "Enter")
    tmux.wait_for("banco> status", "phase     PAUSED")


def test_a_live_picture_stays_where_it_is(tmux: Tmux, table: TableProcess) -> None:
    tmux.run(*DIAG)
    tmux.wait_for("banco>")
    tmux.do("resize-window", "-x", "80", "-y", "40")
    tmux.type("watch panel", "Enter")
    tmux.wait_for("COIN_IN         open")
    table.do("press JPOT", "press JPOT")
    screen = tmux.wait_for("JPOT            open")
    assert screen.count("JPOT") == 1
    assert screen.count("COIN_IN") == 1
    tmux.type("q")
    tmux.wait_for("not moved while watched", "banco>")


def test_a_window_that_changes_its_size(tmux: Tmux) -> None:
    tmux.run(*DIAG)
    tmux.wait_for("banco>")
    tmux.type("declare")
    tmux.wait_for("banco> declare")
    tmux.do("resize-window", "-x", "40", "-y", "12")
    tmux.type(" hand-void 3 returned")
    tmux.wait_for("> declare hand-void 3 returned")
    tmux.type("C-c", "help", "Enter")
    assert tmux.wait_for("-- more --").count("\n") <= 12
    tmux.type("q")


def test_in_a_dumb_terminal_there_is_no_escape_on_the_wire(tmux: Tmux) -> None:
    tmux.run("env", "TERM=dumb", *DIAG)
    tmux.wait_for("banco>")
    tmux.type("sttus", "Left", "Left", "Left", "a", "C-e", "Enter")
    tmux.wait_for("banco> status", "phase")
    tmux.type("watch", "Enter")
    tmux.wait_for("COIN_IN")
    tmux.type("Up", "q", "faults", "Enter", "exit", "Enter")
    tmux.wait_for("LEFT 0")
    sent = tmux.was_sent(b"LEFT 0")
    assert b"banco> faults" in sent
    assert b"\x1b" not in sent
