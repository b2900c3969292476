"""A round with everything in it, and `banco ledger` as somebody types it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from console.command_line.main import main
from tests.console.table import Table, table_in

ROUND = (
    "press GAME_OVER",
    "token 1 3",
    "press JPOT",
    "press COIN_IN",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "press JPOT",
    "key R",
    "declare hand-void 3 returned",
)
"""A refusal, two winners, a token that goes back."""


@pytest.fixture(name="table")
def a_table(tmp_path: Path) -> Iterator[Table]:
    """A table that has played it, still running."""
    with table_in(tmp_path) as table:
        table.play(*ROUND, "press GAME_OVER")
        yield table


def folder_of(table: Table) -> str:
    return str(table.machine.disk.folder)


def ledger(table: Table, *words: str) -> int:
    """`banco ledger WORDS FOLDER`; its exit status."""
    return main(["ledger", *words, folder_of(table)])


def tamper(table: Table, statement: str, *values: str | int) -> None:
    """Change the file as no program of ours would."""
    with closing(sqlite3.connect(table.machine.disk.folder / "ledger.db")) as database:
        assert database.execute(statement, values).rowcount == 1
        database.commit()
