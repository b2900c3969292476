"""Tables and centres of two releases: the schema comes first, then the tables, one by one.

The order is docs/how-to/link.md's, *A new release*.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from psycopg import Connection

from console.database.install import install_schema
from console.link.centre.books import find_broken_links
from console.link.centre.membership import admit_member, create_jackpot
from console.link.centre.roles import load_link_schema
from tests.console.link.linked_table import MONEY, TERMS
from tests.console.link.servers import Server

ROOT = Path(__file__).parents[3]
MEMBER = Path(__file__).with_name("playing_release.py")
RELEASE = "8d8ceec85e2a6c1430e4e3523f8d803f0915d706"
"""0.1.0."""

JACKPOT, DATABASE = "stud", "two_releases"
OLD, NEW = "table-of-0-1-0", "table-of-today"
ENTRIES = """
SELECT n, answer ->> 'refusal', encode(hash, 'hex') FROM link.entry WHERE member = %s ORDER BY n
"""
AWARDS = "SELECT state, count(*) FROM link.award GROUP BY state"

Played = list[list[object]]
"""Of each call so far its number, its refusal and its hash."""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code of 0.1.0, out of this repository's history."""
    folder = tmp_path_factory.mktemp("release")
    packed = subprocess.run(["git", "archive", RELEASE], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "--extract"], cwd=folder, input=packed.stdout, check=True)
    return folder


@pytest.fixture
def centre(server: Server) -> Iterator[Connection]:
    """A centre as 0.1.0 has installed it, with two tables let in."""
    server.make_database(DATABASE)
    try:
        with server.connect(database=DATABASE) as connection:
            schema = load_link_schema()
            install_schema(connection, replace(schema, migrations=schema.migrations[:1]))
            create_jackpot(connection, JACKPOT, TERMS, MONEY.base, MONEY.opening, "split")
            for table in (OLD, NEW):
                admit_member(connection, table, JACKPOT)
            yield connection
    finally:
        server.drop_database(DATABASE)


class Table:
    """A table's process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def play_round(self) -> Played:
        """A round with a stake and an award; what was answered so far. Raises ValueError."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        played: Played = json.loads(self._process.stdout.readline())
        return played


@contextmanager
def run_table(code: Path, server: Server, name: str) -> Iterator[Table]:
    """A table with this checkout's code."""
    process = subprocess.Popen(
        [sys.executable, "-P", MEMBER, str(server.port), DATABASE, name], cwd=code,
        env={**os.environ, "PYTHONPATH": str(code)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        yield Table(process)
    finally:
        process.communicate(timeout=60)


def check_answers(centre: Connection, table: str, played: Played) -> None:
    """Every call was answered, none refused, and the centre has each as it was answered."""
    assert [refusal for _, refusal, _ in played] == [None] * len(played)
    assert [list(row) for row in centre.execute(ENTRIES, (table,)).fetchall()] == played


def test_a_table_of_the_release_plays_on_when_its_centre_has_todays_schema(
    centre: Connection, server: Server, release: Path
) -> None:
    with run_table(release, server, OLD) as table, run_table(ROOT, server, NEW) as upgraded:
        table.play_round()
        install_schema(centre, load_link_schema())
        check_answers(centre, OLD, table.play_round())
        check_answers(centre, NEW, upgraded.play_round())
        check_answers(centre, OLD, table.play_round())
    assert centre.execute(AWARDS).fetchall() == [("final", 4)]
    assert not find_broken_links(centre)


def test_a_table_of_today_plays_at_the_centre_of_the_release(
    centre: Connection, server: Server
) -> None:
    with run_table(ROOT, server, NEW) as table:
        table.play_round()
        check_answers(centre, NEW, table.play_round())
    assert centre.execute(AWARDS).fetchall() == [("final", 2)]
