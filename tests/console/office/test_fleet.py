"""`banco fleet`: two real tables asked over a program that stands for ssh, and what is marked."""

import asyncio
import json
import os
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from console.command_line.main import main
from console.office.fleet import FleetTable, ask_tables, find_marks, print_fleet, read_wear
from tests.console.link.test_alarm_commands import sign_for
from tests.console.running_table import ROOT, RunningTable, configuration, running

SOUND = FleetTable(
    "cs-1",
    "0.1.0+deb12",
    digest="d1",
    boards={"slot rail 12ab": "aaaa1111"},
    up_s=90000,
    temperature_c=51.2,
    free_mb=12000.0,
    worn_percent=10,
    copy_late_s=0.0,
    certificates={"/etc/banco/cs-1.pem": 400},
)
OTHERS = (replace(SOUND, table="cs-2"), replace(SOUND, table="cs-3"))

SSH = f"""#!/bin/sh
# The words are those of the real one: options up to --, the host, the command.
while [ "$1" != -- ]; do shift; done
[ "$2" != silent ] || {{ echo "ssh: connect to host silent: No route to host" >&2; exit 255; }}
[ "$3 $4 $5" = "banco fleet --json" ] || exit 3
PYTHONPATH={ROOT} exec {sys.executable} -m console fleet --json --config "$2/table.toml"
"""


def run_simulated(folder: Path) -> AbstractAsyncContextManager[RunningTable]:
    return running(folder, "--sim", "--config", folder / "table.toml")


def test_each_table_says_what_it_runs_and_a_silent_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ssh").write_text(SSH, "utf-8")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    folders = [tmp_path / "a", tmp_path / "b"]

    async def ask() -> tuple[list[dict[str, Any]], str]:
        for number, folder in enumerate(folders, 1):
            folder.mkdir()
            configuration(folder / "table.toml", table=f"cs-{number}")
        async with run_simulated(folders[0]), run_simulated(folders[1]):
            words = ("fleet", *map(str, folders), "silent")
            assert await asyncio.to_thread(main, [*words, "--json"]) == 1
            rows = json.loads(capsys.readouterr().out)
            assert await asyncio.to_thread(main, list(words)) == 1
            return rows, capsys.readouterr().out

    rows, text = asyncio.run(ask())
    assert [row["asked"] for row in rows] == [*map(str, folders), "silent"]
    assert [row["table"] and row["table"]["table"] for row in rows] == ["cs-1", "cs-2", None]
    assert all(len(row["table"]["configuration"]) == 64 for row in rows[:2])
    assert rows[0]["table"]["up_s"] is not None
    assert "No route to host" in rows[2]["marks"][0]
    assert "\ncs-2 " in text


def test_a_table_whose_service_is_silent_says_what_its_files_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = configuration(tmp_path / "table.toml")
    certificate = sign_for(tmp_path, "web", 20.5)
    with file.open("a", encoding="utf-8") as added:
        added.write(f'[web]\ncertificate = "{certificate}"\nkey = "{certificate}"\n')
    assert main(["fleet", "--config", str(file)]) == 1
    text = capsys.readouterr().out
    assert "there is no such socket" in text
    assert f"{certificate} ends in 20 days" in text


def test_equal_tables_have_no_marks(capsys: pytest.CaptureFixture[str]) -> None:
    tables = {table.table: table for table in (SOUND, *OTHERS)}
    rows = ask_tables(list(tables), tables.__getitem__)
    assert print_fleet(rows, as_json=False) == 0
    assert capsys.readouterr().out.splitlines() == [
        "table  build        settings    up   C  MB free  worn %  copy late s  days",
        "cs-1   0.1.0+deb12  -         25 h  51    12000      10            0   400",
        "cs-2   0.1.0+deb12  -         25 h  51    12000      10            0   400",
        "cs-3   0.1.0+deb12  -         25 h  51    12000      10            0   400",
    ]


@pytest.mark.parametrize(
    ("changed", "mark"),
    [
        ({"build": "0.0.9+deb12"}, "0.0.9+deb12, and most tables have 0.1.0+deb12"),
        ({"digest": "d2"}, "0.1.0+deb12 by its name, but other files than most tables"),
        ({"boards": {"slot rail 34cd": "bbbb2222"}}, "slot rail 34cd: image bbbb2222, and most"),
        ({"temperature_c": 80.0}, "80 C"),
        ({"free_mb": 199.0}, "199 MB free"),
        ({"worn_percent": 80}, "80 % of its life"),
        ({"copy_late_s": 60.0}, "60 s late"),
        ({"certificates": {"a.pem": 59}}, "a.pem ends in 59 days"),
        ({"faults": ("RAIL_LOST",)}, "faults: RAIL_LOST"),
        ({"problems": ("the second copy is lost",)}, "the second copy is lost"),
    ],
)
def test_what_is_old_or_wrong_or_other_than_at_the_rest_is_marked(
    changed: dict[str, object], mark: str
) -> None:
    table = replace(SOUND, **changed)
    (found,) = find_marks(table, [table, *OTHERS])
    assert mark in found


@pytest.mark.parametrize(
    ("text", "percent"),
    [("0x01 0x09\n", 90), ("0x00 0x02\n", 20), ("0x00 0x00\n", None), ("", None)],
)
def test_an_emmc_says_how_much_of_its_life_is_used(
    text: str, percent: int | None, tmp_path: Path
) -> None:
    """The kernel's files, in a folder of our own: a partition of mmcblk0, whose device tells."""
    device = os.stat(tmp_path).st_dev
    disk = tmp_path / "block/mmcblk0"
    (disk / "device").mkdir(parents=True)
    (disk / "mmcblk0p2").mkdir()
    (disk / "mmcblk0p2/partition").write_text("2\n")
    (disk / "device/life_time").write_text(text)
    (tmp_path / f"{os.major(device)}:{os.minor(device)}").symlink_to(disk / "mmcblk0p2")
    assert read_wear(tmp_path, tmp_path) == percent


def test_a_medium_that_says_nothing_is_not_known(tmp_path: Path) -> None:
    assert read_wear(tmp_path, tmp_path) is None
