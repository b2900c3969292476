"""The shell scripts of package and image, held against shellcheck."""

import subprocess
from pathlib import Path

import pytest

from systemd.debian.build import RECIPE
from systemd.debian.control import BANCO
from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

OF_IMAGE = ROOT / "systemd/image/mkosi.extra/usr/lib/banco-image"
SCRIPTS = [*(RECIPE / name for name in (*BANCO.scripts, "banco.sh")), *sorted(OF_IMAGE.iterdir())]


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_shellcheck_says_nothing(script: Path) -> None:
    command = ["shellcheck", "--severity=info", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.stdout + done.stderr == ""
