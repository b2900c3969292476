"""The package's shell scripts, held against shellcheck."""

import subprocess

import pytest

from systemd.debian.build import RECIPE
from systemd.debian.control import BANCO
from tests.deadlines import DEADLINE_S


@pytest.mark.parametrize("name", [*BANCO.scripts, "banco.sh"])
def test_shellcheck_says_nothing(name: str) -> None:
    command = ["shellcheck", "--severity=info", str(RECIPE / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.stdout + done.stderr == ""
