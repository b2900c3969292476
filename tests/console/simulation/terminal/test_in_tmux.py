"""`banco run --sim` on a real terminal, as somebody in front of it sees it. Needs tmux."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
BANCO = "import sys; from console.command_line.main import main; sys.exit(main(['run', '--sim']))"
SOON_S = 60


class Terminal:
    """80 columns, 30 rows, in a tmux of its own whose socket lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ["tmux", "-u", "-S", str(folder / "tmux"), "-f", os.devnull]
        self._left, self._id = folder / "left", folder / "id"
        banco = shlex.join([sys.executable, "-c", BANCO])
        banco = f"(sh -c 'echo $PPID' > {self._id}; exec {banco})"
        run = f"{banco}; status=$?; stty -a > {self._left}; echo LEFT $status; exec cat"
        environment = {
            **os.environ,
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "XDG_STATE_HOME": str(folder),
        }
        environment.pop("LC_ALL", None)
        size = ["-x", "80", "-y", "30"]
        self._do("new-session", "-d", *size, "sh", "-c", run, environment=environment)

    def type(self, *keys: str) -> None:
        self._do("send-keys", *keys)

    def wait_for(self, *texts: str) -> str:
        """The screen, as soon as all of these stand on it."""
        screen = ""
        end = time.monotonic() + SOON_S
        while time.monotonic() < end:
            screen = self._do("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
        pytest.fail(f"not all of {texts} on:\n{screen}")

    def settings_left(self) -> list[str]:
        """The terminal's settings when the command had ended."""
        return self._left.read_text().replace(";", " ").split()

    def terminate(self) -> None:
        """SIGTERM to the command."""
        os.kill(int(self._id.read_text()), signal.SIGTERM)

    def close(self) -> None:
        self._do("kill-server")

    def _do(self, *words: str, environment: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            [*self._tmux, *words],
            check=True,
            capture_output=True,
            text=True,
            timeout=SOON_S,
            env=environment,
        )
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def test_a_round_in_front_of_the_cabinet(terminal: Terminal) -> None:
    terminal.wait_for(
        "SIMULAZIONE - NIENTE DENARO VERO",
        "┌─ CONSOLLE DEL CROUPIER ─",
        "IN PAUSA",
        "10.000,00 EUR",
    )
    terminal.wait_for("-- F1: aiuto --")
    terminal.type("pr", "Tab", "G", "Tab", "Enter")
    assert terminal.wait_for("PUNTATE APERTE", "> press GAME_OVER   ok").count("(~)") == 7
    terminal.type("token 1 3", "Enter", "press COIN_IN", "Enter", "press JPOT", "Enter")
    terminal.wait_for(
        "IN GIOCO", "VASCH. 2", "10.002,80 EUR", "> press JPOT   refused NO_COMBINATION"
    )
    terminal.type("wait 1ms", "Enter")
    terminal.wait_for("> wait 1ms   ok")
    terminal.type("press flush", "Enter", "dance", "Enter", "expect phase PAUSED", "Enter")
    terminal.wait_for("*   FLUSH    *", "no act 'dance'", "expected phase PAUSED, got PLAYING")
    for helping in (["help", "Enter"], ["F1"]):
        terminal.type(*helping)
        terminal.wait_for("press BUTTON", "Ctrl-D leaves")
        terminal.type("F1")
        terminal.wait_for("JACKPOT")


@pytest.mark.parametrize("how", ["quit", "a signal"])
def test_the_terminal_is_as_it_was_afterwards(terminal: Terminal, how: str) -> None:
    terminal.wait_for("CONSOLLE DEL CROUPIER", "JACKPOT")
    if how == "quit":
        terminal.type("quit", "Enter")
    else:
        terminal.terminate()
    assert "CONSOLLE" not in terminal.wait_for("LEFT 0")
    assert {"echo", "icanon", "isig"} <= set(terminal.settings_left())
