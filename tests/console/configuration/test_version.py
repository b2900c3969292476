"""The program's version."""

import pytest

from console.command_line.main import main
from console.configuration import version
from console.configuration.version import VERSION


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"banco {VERSION}\n"


def test_a_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "BUILD", "0.1.0~826.g73c6e32+deb12")
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"banco {VERSION} (0.1.0~826.g73c6e32+deb12)\n"
