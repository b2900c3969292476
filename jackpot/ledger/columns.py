"""Rows read from the tables, with types checked: a damaged page may hold anything."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from jackpot.failures import LedgerCorrupt


def rows_of(rows: sqlite3.Cursor, kinds: Sequence[type], what: str) -> Iterator[tuple[Any, ...]]:
    """The rows, with each value of its column's type.

    `what`: what the rows are, for the message. Raises LedgerCorrupt for a row that is not.
    """
    for row in rows:
        if not all(map(isinstance, row, kinds)):
            raise LedgerCorrupt(f"{what} cannot be read: {row!r:.100}")
        yield row


def one_row(rows: sqlite3.Cursor, kinds: Sequence[type], what: str) -> tuple[Any, ...] | None:
    """The first row, checked likewise; None if there is none. Raises LedgerCorrupt."""
    return next(rows_of(rows, kinds, what), None)
