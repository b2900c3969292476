"""A ledger's chain computed anew, as somebody does who knows the format and has the file."""

import sqlite3
from contextlib import closing
from pathlib import Path

from jackpot.ledger.journal import hash_record
from jackpot.ledger.reading import select_all_stored
from tests.jackpot.money import damage


def forge_chain(folder: Path, *changes: str) -> None:
    """Make these changes, then every hash after them fits, and so does the head."""
    damage(folder, *changes)
    with closing(sqlite3.connect(folder / "ledger.db", isolation_level=None)) as connection:
        stored = list(select_all_stored(connection))
        previous = bytes(32)
        for one in stored:
            previous = hash_record(previous, one.row, one.money)
            values = (previous, one.row.seq)
            connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", values)
        connection.execute("UPDATE meta SET seq = ?, hash = ?", (stored[-1].row.seq, previous))
