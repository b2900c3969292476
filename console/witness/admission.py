"""What the house's administrator does at the witness: install it, admit tables and readers."""

from msgspec import Struct
from psycopg import Connection

from console.database.install import DatabaseSchema, load_schema
from console.database.roles import grant_group, limit_table, make_login
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
