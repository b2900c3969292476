"""`make room`: a room is opened and ended, and nothing of it is left (docs/how-to/room.md)."""

import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from console.rules.codes import Phase
from console.simulation.room.room_table import choose_act
from tests.console.technician.terminal.programs import ROOT, environment
from tests.open_folder import make_open_folder

ENDS_WITHIN_S = 180


def find_processes(folder: Path) -> list[str]:
    """The command lines of all processes that have to do with this folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in command:
            found.append(command)
    return found


@contextmanager
def open_room(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A room of one table that plays and one for a hand. What is left of it is killed."""
    with subprocess.Popen(
        [sys.executable, "-m", "console.simulation.room", "--playing", "1", "--by-hand", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment(folder, TMPDIR=str(folder)),
    ) as room:
        try:
            yield room
        finally:
            room.kill()


def read_addresses(room: subprocess.Popen[str]) -> list[str]:
    """What it prints once it is open."""
    assert room.stdout is not None
    lines: list[str] = []
    while "end everything" not in (line := room.stdout.readline()):
        assert line, "".join(lines)
        lines.append(line)
    return [word for line in lines for word in line.split() if word.startswith("http")]


def ask_status(address: str) -> int:
    """The status of a page, which is served once its address has been printed."""
    with urllib.request.urlopen(address, timeout=ENDS_WITHIN_S) as answer:
        return int(answer.status)


def test_a_house_is_opened_and_ended_and_nothing_is_left(thorough: bool) -> None:
    """`make thorough` also pulls cable, power, standby and primary once."""
    with make_open_folder() as folder, open_room(folder) as room:
        addresses = read_addresses(room)
        assert len(addresses) == 3
        for address in addresses:
            assert ask_status(address) == 200
        assert len(find_processes(folder)) > 4
        output, _ = room.communicate("ccwwsbpobq" if thorough else "q", timeout=ENDS_WITHIN_S)
        assert room.returncode == 0
        assert ("db2 and its standby db1 run" in output) == thorough
        assert "not done" not in output
        assert find_processes(folder) == []
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("phase", Phase)
def test_the_players_know_what_to_do_in_every_phase(phase: Phase) -> None:
    for slots in ({}, {"3": "ON"}, {"3": "INVITE"}):
        for seed in range(50):
            seen = {"phase": phase.value, "slots": slots, "award": None}
            chosen = choose_act(seen, Random(seed))
            assert chosen.acts
            assert 0 < chosen.after_s <= 20
