"""What the house does at the witness: installs it, admits tables and readers, reads it."""

from collections.abc import Generator, Iterator

import msgspec
from msgspec import Struct
from psycopg import Connection

from console.database.install import (
    DatabaseSchema,
    grant_group,
    limit_table,
    load_schema,
    make_login,
)
from console.witness.entries import RefusalCode, WitnessEntry
from jackpot.ledger.journal import Head

TABLES = "witness_table"
READERS = "witness_reader"


def load_witness_schema() -> DatabaseSchema:
    """The schema `witness`, with all its migrations."""
    return load_schema("witness", "witness_owner", "console.witness")


class Admission(Struct, frozen=True):
    """From this record on, a table's heads are those of the key with this fingerprint.

    `head`: None: from the newest record that the witness knows, or from the first one.
    """

    table: str
    key: str
    reason: str
    head: Head | None = None


def admit_table(connection: Connection, admission: Admission) -> int:
    """Make the table's role, and put the admission on record; the entry's number.

    Raises ValueError if the role is an administrator's, and psycopg.Error.
    """
    head = admission.head
    record = (head.seq, head.hash) if head is not None else (None, None)
    with connection.transaction():
        make_login(connection, admission.table)
        grant_group(connection, admission.table, TABLES)
        limit_table(connection, admission.table)
        row = connection.execute(
            "SELECT witness.admit(%s, %s, %s, %s, %s)",
            (admission.table, admission.key, admission.reason, *record),
        ).fetchone()
    return int(row[0]) if row is not None else 0


def make_reader(connection: Connection, name: str) -> None:
    """Make the role of somebody who reads. Raises ValueError, psycopg.Error."""
    with connection.transaction():
        make_login(connection, name)
        grant_group(connection, name, READERS)


FETCH_ROWS = 1_000

ENTRIES = """
SELECT to_jsonb(e) - 'at' - 'by' FROM witness.entry AS e ORDER BY table_name COLLATE "C", number
"""
REFUSALS = """
SELECT jsonb_build_object(
    'table', table_name, 'code', code, 'head', head,
    'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
) FROM witness.refusal ORDER BY number
"""
NOT_STORED = """
SELECT table_name, not_stored FROM witness.refusal_count WHERE not_stored > 0
ORDER BY table_name COLLATE "C"
"""


NEWEST = "SELECT table_name, max(number) FROM witness.entry GROUP BY table_name"
SEEN = """
SELECT seq, hash FROM witness.entry AS e
WHERE table_name = %(table)s AND number <= %(upto)s AND seq > 0 AND NOT EXISTS (
    SELECT FROM witness.entry AS a
    WHERE a.table_name = e.table_name AND a.number <= %(upto)s
        AND a.kind = 'admission' AND a.number > e.number AND a.seq < e.seq
)
ORDER BY seq, number
"""


class RefusedHead(Struct, frozen=True):
    """A head that was not taken; `at`: the database's time."""

    table: str
    code: RefusalCode
    head: dict[str, int | str]
    at: str


def read_entries(connection: Connection) -> Iterator[WitnessEntry]:
    """Every entry, the tables one after another. Raises psycopg.Error, msgspec.ValidationError."""
    with connection.transaction(), connection.cursor(name="entries") as cursor:
        cursor.itersize = FETCH_ROWS
        for (row,) in cursor.execute(ENTRIES):
            yield msgspec.convert(row, WitnessEntry)


def read_newest_numbers(connection: Connection) -> dict[str, int]:
    """The number of each table's newest entry. Raises psycopg.Error."""
    return dict(connection.execute(NEWEST).fetchall())


def read_seen(connection: Connection, table: str, upto: int) -> Generator[Head, None, None]:
    """The records that a table's entries up to this one name, in the ledger's order.

    Without those after a record from which the house let the table go on. Raises psycopg.Error.
    """
    with connection.transaction(), connection.cursor(name="seen") as cursor:
        cursor.itersize = FETCH_ROWS
        for seq, digest in cursor.execute(SEEN, {"table": table, "upto": upto}):
            yield Head(seq, digest)


def read_refusals(connection: Connection) -> list[RefusedHead]:
    """What was refused, oldest first. Raises psycopg.Error, msgspec.ValidationError."""
    rows = connection.execute(REFUSALS).fetchall()
    return [msgspec.convert(row[0], RefusedHead) for row in rows]


def read_not_stored(connection: Connection) -> dict[str, int]:
    """How many refusals of a table were only counted. Raises psycopg.Error."""
    return dict(connection.execute(NOT_STORED).fetchall())
