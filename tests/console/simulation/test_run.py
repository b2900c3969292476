"""`banco run --sim` where the library for the cabinet's picture is not installed."""

import io
from pathlib import Path

import pytest

from console.run import UNUSABLE, run
from console.simulation import run as simulation_run


class TerminalStream(io.StringIO):
    """A standard stream that is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a terminal, with a folder of its own, and without the library."""
    monkeypatch.setattr(simulation_run, "SCREEN_LIBRARY", "prompt_toolkit_that_is_not_installed")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", TerminalStream())


@pytest.mark.usefixtures("without_library")
def test_a_terminal_without_the_library_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdout", TerminalStream())
    assert run(None, simulated=True, as_json=False) == UNUSABLE
    assert "install banco[simulation], or add --json" in capsys.readouterr().err
    assert list(tmp_path.rglob("*")) == []  # nothing has been started


@pytest.mark.usefixtures("without_library")
def test_a_pipe_needs_no_library(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(None, simulated=True, as_json=True) == 0
    assert '"line": 0' in capfd.readouterr().out
