"""The shell scripts of package and image: what shellcheck says, and what a removal waits for."""

import os
import subprocess
from pathlib import Path

import pytest

from systemd.debian.build import LINKS, RECIPE
from systemd.debian.control import BANCO
from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

OF_IMAGE = ROOT / "systemd/image/mkosi.extra/usr/lib/banco-image"
UNITS = [name for name in LINKS if name.endswith((".service", ".socket"))]
SYSTEMD = "/run/systemd/system"
SCRIPTS = [*(RECIPE / name for name in (*BANCO.scripts, "banco.sh")), *sorted(OF_IMAGE.iterdir())]


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_shellcheck_says_nothing(script: Path) -> None:
    command = ["shellcheck", "--severity=info", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("active", UNITS)
def test_a_removal_waits_for_each_unit(active: str, tmp_path: Path) -> None:
    """A socket too: it would go on listening when its unit is gone."""
    done = remove(active, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"banco: {active} runs.")
    stopped = done.stderr.partition("sudo systemctl stop ")[2].split()
    assert active.removesuffix(".service") in stopped


def test_a_removal_waits_for_nothing_else(tmp_path: Path) -> None:
    done = remove("ssh.service", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def remove(active: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run prerm where systemd says that this unit is active, and no other."""
    systemctl = folder / "systemctl"
    systemctl.write_text(f'#!/bin/sh\n[ "$*" = "is-active --quiet {active}" ]\n', "utf-8")
    systemctl.chmod(0o755)
    script = (RECIPE / "prerm").read_text("utf-8")
    assert SYSTEMD in script
    return subprocess.run(
        ["sh", "-c", script.replace(SYSTEMD, str(folder)), "prerm", "remove"],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
