"""The tables of a ledger's database.

`journal` has the records; `identity` each transaction's identity, its record and its digest; `meta`
one row: the last record, the balances after it, and the anchor after which the journal begins
(decision 0003).
"""

import sqlite3

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.anchor import UNARCHIVED, Anchor
from jackpot.ledger.journal import GENESIS, balances_text
from jackpot.money.accounts import Balances

VERSION = 2

INSERT_RECORD = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_IDENTITY = "INSERT INTO identity VALUES (?, ?, ?)"
INSERT_MOVEMENT = "INSERT INTO movement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

OF_ONE_STATEMENT = (
    """CREATE TEMP TRIGGER note_head AFTER INSERT ON main.journal
        BEGIN UPDATE meta SET seq = NEW.seq, hash = NEW.hash; END""",
    """CREATE TEMP VIEW movement AS
        SELECT journal.*, '' AS identity, x'' AS digest, '' AS balances FROM main.journal""",
    """CREATE TEMP TRIGGER post_movement INSTEAD OF INSERT ON movement BEGIN
        INSERT INTO journal VALUES (
            NEW.seq, NEW.boot, NEW.kind, NEW.round, NEW.at_ms, NEW.wall, NEW.settings_version,
            NEW.body, NEW.money, NEW.hash);
        INSERT INTO identity VALUES (NEW.identity, NEW.seq, NEW.digest);
        UPDATE meta SET balances = NEW.balances; END""",
)
"""Belong to the connection that writes, not to its file: a record, also one that moves money once,
is its own transaction, in one statement, and `meta` names it."""

_TABLES = (
    """CREATE TABLE journal (
        seq INTEGER PRIMARY KEY, boot INTEGER NOT NULL, kind TEXT NOT NULL,
        round INTEGER NOT NULL, at_ms INTEGER NOT NULL, wall TEXT NOT NULL,
        settings_version INTEGER NOT NULL, body TEXT NOT NULL, money TEXT, hash BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX journal_snapshot ON journal (seq) WHERE kind = 'snapshot'",
    """CREATE TABLE identity (
        identity TEXT PRIMARY KEY, seq INTEGER NOT NULL, digest BLOB NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE meta (
        one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL,
        balances TEXT NOT NULL, anchor_seq INTEGER NOT NULL, anchor_hash BLOB NOT NULL,
        anchor_balances TEXT NOT NULL, anchor_identities BLOB NOT NULL,
        anchor_file BLOB NOT NULL, anchor_wall TEXT NOT NULL
    ) STRICT""",
)
_NAMED = {(statement.split()[2], statement) for statement in _TABLES}
_SCHEMA = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"

_INSERT_META = "INSERT INTO meta VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables, all empty."""
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def insert_meta(
    connection: sqlite3.Connection, seq: int, digest: bytes, balances: Balances
) -> None:
    """Insert the row of `meta` for this last record and these balances; nothing is archived."""
    last = (seq, digest, balances_text(balances))
    connection.execute(_INSERT_META, (*last, *anchor_values(UNARCHIVED)))


def anchor_values(anchor: Anchor) -> tuple[int | bytes | str, ...]:
    """The anchor's values in `meta`, in the order of its columns."""
    return (
        anchor.seq,
        anchor.hash,
        balances_text(anchor.balances),
        anchor.identities,
        anchor.file,
        anchor.wall,
    )


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise LedgerCorrupt unless the tables are exactly those made here."""
    if set(connection.execute(_SCHEMA).fetchall()) != _NAMED:
        raise LedgerCorrupt("its tables are not those of a ledger")


def make_new(connection: sqlite3.Connection) -> None:
    """Make the tables of a new ledger. Raises LedgerCorrupt if there are others."""
    (strangers,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if strangers:
        raise LedgerCorrupt("it is the database of something else")
    make_tables(connection)
    insert_meta(connection, 0, GENESIS, Balances())
