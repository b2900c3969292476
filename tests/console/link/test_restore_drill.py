"""`banco link restore-drill`: what hinders it. `make failover NIGHT=centre` types a whole one."""

import stat
from pathlib import Path

import pytest

from console.command_line.command import UNUSABLE
from console.command_line.main import main
from console.simulation.room.postgres_server import find_programs

PGBACKREST = """#!/bin/sh
for word; do case "$word" in --pg1-path=*) data="${word#--pg1-path=}";; esac; done
mkdir -p "$data" && echo RELEASE > "$data/PG_VERSION"
"""
"""One whose backup is empty."""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for pgBackRest, on the way to programs."""
    file = tmp_path / "bin/pgbackrest"
    file.parent.mkdir()
    installed = find_programs().parent.name
    file.write_text(PGBACKREST.replace("RELEASE", installed), "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(file.parent), prepend=":")
    return file


def drill(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    words = ["link", "restore-drill", "--stanza", "centre", "--folder", str(folder)]
    assert main(words) == UNUSABLE
    return capsys.readouterr().err


def test_a_folder_that_is_there_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_text("of somebody", "utf-8")
    assert "is there already" in drill(tmp_path, capsys)
    assert (tmp_path / "data").read_text("utf-8") == "of somebody"


def test_a_backup_that_cannot_be_restored_is_said_and_nothing_is_left(
    tmp_path: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text("#!/bin/sh\necho 'unable to find backup'\nexit 75\n", "utf-8")
    assert "unable to find backup" in drill(tmp_path / "drill", capsys)
    assert not (tmp_path / "drill").exists()


@pytest.mark.usefixtures("program")
def test_a_copy_that_does_not_start_is_said_and_nothing_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "the copy does not start" in drill(tmp_path / "drill", capsys)
    assert not (tmp_path / "drill").exists()


def test_a_version_that_is_not_installed_is_named(
    tmp_path: Path, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(PGBACKREST.replace("RELEASE", "9"), "utf-8")
    assert "install postgresql-9 here" in drill(tmp_path / "drill", capsys)
    assert not (tmp_path / "drill").exists()
