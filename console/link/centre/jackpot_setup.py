"""A new jackpot, and a table that may join it (docs/link-rules.md, 3.9 and 3.14)."""

import msgspec
from psycopg import Connection

from console.link.centre.roles import RoleGroup, make_role
from console.rules.link import Terms
from jackpot.amounts import Cents


def create_jackpot(
    connection: Connection, name: str, terms: Terms, base: Cents, opening: Cents, tie: str
) -> None:
    """Begin a jackpot. `tie`: split or order. Raises psycopg.Error."""
    connection.execute(
        "SELECT link.create_jackpot(%s, %s::jsonb, %s, %s, %s)",
        (name, msgspec.json.encode(terms).decode(), base, opening, tie),
    )


def admit_member(connection: Connection, table: str, jackpot: str) -> None:
    """Let a table join: its role has the table's name, and may log in.

    Raises ValueError if that role is an administrator's or an operator's, and psycopg.Error.
    """
    with connection.transaction():
        make_role(connection, table, RoleGroup.MEMBER)
        connection.execute("SELECT link.admit_member(%s, %s)", (table, jackpot))
