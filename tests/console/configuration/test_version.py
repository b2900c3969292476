"""The program's version, installed or run from its sources."""

import sys
from importlib.metadata import version

import pytest

from console.command_line import main
from console.configuration.version import NOT_INSTALLED, find_version


def test_it_is_the_installed_distributions() -> None:
    assert find_version() == version("banco")


def test_a_program_that_is_not_installed_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert find_version() == NOT_INSTALLED
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == "banco not installed\n"
