"""The user and his groups, made by systemd-sysusers itself in a folder that stands for a system."""

import subprocess
from pathlib import Path

import pytest

from tests.deadlines import DEADLINE_S
from tests.house.sources import ROOT

DEBIANS = "g dialout 20 -\n"
"""The line of Debian's basic.conf for a group of ours."""


def make_users(root: Path, group: str, debians: str) -> str:
    """Run it on a system with these groups and this basic.conf; returns what it printed."""
    made = root / "usr/lib/sysusers.d"
    made.mkdir(parents=True)
    (root / "etc").mkdir()
    (root / "etc/group").write_text(group, "utf-8")
    (made / "basic.conf").write_text(debians, "utf-8")
    (made / "banco.conf").write_bytes((ROOT / "systemd/banco.sysusers").read_bytes())
    command = ["systemd-sysusers", f"--root={root}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=DEADLINE_S)
    return done.stdout + done.stderr


def groups(root: Path) -> dict[str, tuple[int, str]]:
    """Each group's number and members."""
    lines = (root / "etc/group").read_text("utf-8").splitlines()
    words = [line.split(":") for line in lines]
    return {name: (int(number), members) for name, _, number, members in words}


@pytest.mark.parametrize("group", ["dialout:x:20:\n", "dialout:x:20:\ngpio:x:986:\n", ""])
def test_on_debian_nothing_is_in_conflict(tmp_path: Path, group: str) -> None:
    """On a Pi of Debian, of Raspberry Pi OS, and where the groups are still missing"""
    printed = make_users(tmp_path, group, DEBIANS)
    assert [line for line in printed.splitlines() if not line.startswith("Creating ")] == []
    assert groups(tmp_path)["dialout"] == (20, "")
    assert groups(tmp_path)["gpio"][1] == "banco"


def test_where_no_file_knows_the_groups_they_are_made(tmp_path: Path) -> None:
    make_users(tmp_path, "", "")
    members = {name: set(who.split(",")) for name, (_, who) in groups(tmp_path).items() if who}
    assert members == {
        "banco-devices": {"banco"},
        "banco-diagnostics": {"banco-line"},
        "gpio": {"banco"},
        "systemd-journal": {"banco-line"},
        "banco-ledger": {"banco", "banco-line", "banco-web"},
    }
