"""A table is asked to leave; what the centre has of one (docs/link-rules.md, 3.12 and 3.14)."""

import msgspec
from psycopg import Connection

from console.link.rejoin_list import MemberEntry

ENTRIES = """
SELECT jsonb_build_object(
    'epoch', epoch, 'n', n, 'call', call,
    'head', jsonb_build_object('seq', record_seq, 'hash', record_hash)
)
FROM link.entry WHERE member = %s AND record_seq IS NOT NULL ORDER BY epoch, n
"""


def ask_to_leave(connection: Connection, table: str) -> None:
    """Ask a table to leave: it does when it is paused. Raises psycopg.Error for no member."""
    connection.execute("SELECT link.ask_to_leave(%s)", (table,))


def read_entries(connection: Connection, table: str) -> list[MemberEntry]:
    """All that the centre has of a member, in its order. Raises psycopg.Error."""
    rows = connection.execute(ENTRIES, (table,)).fetchall()
    return [msgspec.convert(row[0], MemberEntry) for row in rows]
