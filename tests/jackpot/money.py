"""What the tests of the ledger write, and how they read and damage the disk behind its back."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from jackpot.ledger.journal import JSON, Entry
from jackpot.ledger.ledger import Ledger
from jackpot.money.accounts import Transaction
from jackpot.money.movements import opening, stake
from jackpot.money.settings import MoneySettings

SETTINGS = MoneySettings()
TABLES = ("journal", "identity", "meta")


def entry(*transactions: Transaction, kind: str = "act", round: int = 1, **body: JSON) -> Entry:
    return Entry(kind, round, 1_000, "2026-03-01T21:00:00", 1, body, transactions)


def open_ledger(folder: Path) -> Ledger:
    """The folder's ledger, begun as its next boot."""
    ledger = Ledger.open(folder)
    ledger.begin(ledger.recovered.boot + 1)
    return ledger


def an_evening(folder: Path, *, tokens: int = 4, snapshot_after: int | None = None) -> None:
    """An opening and so many tokens, each a record, and the power goes."""
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(opening(SETTINGS), kind="opening")])
        for number in range(1, tokens + 1):
            ledger.commit([entry(stake(SETTINGS, f"token {number}"), seat=number, round=number)])
            if number == snapshot_after:
                ledger.commit([entry(kind="snapshot", round=number, phase="PLAYING")])


def money_of(seq: int, old: str, new: str) -> str:
    """The statement that changes something in what a record moves, as JSON text."""
    assert "'" not in old + new
    return f"UPDATE journal SET money = replace(money, '{old}', '{new}') WHERE seq = {seq}"


def damage(folder: Path, *statements: str) -> None:
    """Change the database as somebody with a database tool would."""
    with closing(sqlite3.connect(folder / "ledger.db", isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def put_anything(folder: Path, table: str, *statements: str) -> None:
    """Change a table's columns to what they cannot hold, as a damaged page leaves it."""
    unbound = "sql"
    for bond in ("NOT NULL", "STRICT, ", "STRICT", "TEXT"):
        unbound = f"replace({unbound}, '{bond}', '')"
    damage(
        folder,
        "PRAGMA writable_schema = ON",
        "CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema",
        f"UPDATE sqlite_schema SET sql = {unbound} WHERE name = '{table}'",
        "PRAGMA writable_schema = RESET",
        *statements,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE name = sqlite_master.name)",
        "PRAGMA writable_schema = RESET",
    )


def content(folder: Path) -> list[list[tuple[Any, ...]]]:
    """Everything in all tables, in order."""
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        return [sorted(database.execute(f"SELECT * FROM {table}").fetchall()) for table in TABLES]
