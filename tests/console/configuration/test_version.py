"""The program's version."""

import pytest

from console.command_line.main import main
from console.configuration.version import VERSION


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"banco {VERSION}\n"
