"""A pipe in the place of a file that a command reads is refused by its name; nothing waits."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.console.running_table import BANCO, ENVIRONMENT, configuration

ENDS_WITHIN_S = 60
"""On a busy machine; a command that reads a pipe does not end at all."""

RUN = "run --sim --json --config table.toml"
READS = [
    (file, command)
    for file, commands in {
        "cabinet.json": (RUN,),
        "ledger/ledger.db": (
            *(RUN, "ledger verify ledger", "ledger show ledger", "ledger rebuild ledger"),
            *("ledger repair ledger", "report ledger"),
        ),
        "ledger/lock": (RUN,),
    }.items()
    for command in commands
]


def give(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BANCO, *command.split()],
        cwd=folder,
        env=ENVIRONMENT,
        input="press GAME_OVER\nwait 100ms\n",
        capture_output=True,
        text=True,
        timeout=ENDS_WITHIN_S,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, its cabinet and its ledger."""
    place = tmp_path_factory.mktemp("table")
    configuration(place / "table.toml")
    assert give(RUN, place).returncode == 0
    return place


@pytest.mark.parametrize(("file", "command"), READS)
def test_a_pipe_is_refused_by_name(file: str, command: str, folder: Path) -> None:
    kept = folder / f"{file}.kept"
    (folder / file).rename(kept)
    os.mkfifo(folder / file)
    try:
        done = give(command, folder)
    finally:
        kept.replace(folder / file)
    assert "Traceback" not in done.stderr
    assert "it is a pipe or a device, not a file" in done.stderr + done.stdout
    assert Path(file).name in done.stderr + done.stdout
    assert done.returncode in (0, 1, 2)
