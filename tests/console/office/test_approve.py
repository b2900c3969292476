"""`banco check --approve`: a table that is handed over has no risks, and runs a release."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from systemd.debian.release_list import write_release_list
from systemd.debian.release_signing import ReleaseSigner
from tests.console.real_table import type_command
from tests.deadlines import DEADLINE_S
from tests.house.sources import PACKAGES, ROOT

TABLE = ROOT / "docs/tables/caribbean-stud.toml"


def test_warnings_are_errors_and_a_checkout_is_no_release() -> None:
    ended = type_command("check", "--approve", str(TABLE))
    assert ended.status == 1
    assert "warning:" not in ended.complaints
    for key in ("key.store", "witness", "program"):
        assert f"error: {key}: " in ended.complaints


def test_a_simulation_is_not_handed_over() -> None:
    ended = type_command("check", "--approve", str(ROOT / "docs/tables/simulation.toml"))
    assert ended.status == 1
    assert "error: table.kind: only a production table" in ended.complaints


def test_a_mistake_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("gaem = 1\n", "utf-8")
    assert type_command("check", "--approve", str(file)).status == 2


@pytest.mark.parametrize("right", [True, False])
def test_a_release_is_named_or_what_differs_from_it(right: bool, tmp_path: Path) -> None:
    root = tmp_path / "root"
    program = root / "usr/lib/banco/program"
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, program / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    signer = ReleaseSigner.make(tmp_path / "keys")
    write_release_list(root, "1.2.3", signer)
    if not right:
        (program / "console/extra.py").touch()
    ended = subprocess.run(
        [sys.executable, "-B", "-P", "-m", "console", "check", "--approve", TABLE],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(program)},
        cwd="/",
        timeout=DEADLINE_S,
        check=False,
    )
    assert ended.returncode == 1, "the example has risks"
    assert ("release 1.2.3\n" in ended.stdout) is right
    assert ("error: program: added: console/extra.py\n" in ended.stderr) is not right
    assert (signer.fingerprint in ended.stdout) is right
