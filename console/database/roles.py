"""Roles that come to a house's database."""

from psycopg import Connection, sql

TABLE_CONNECTIONS = 4
"""A table's courier and its witness, and for each one more that the server has not ended yet.

A cash desk has as many.
"""

TABLE_SETTINGS = {
    "statement_timeout": "3s",
    "idle_in_transaction_session_timeout": "3s",
    "idle_session_timeout": "30s",
    "temp_file_limit": "16MB",
}
"""How a table's session begins. It may itself change all but the last.

See docs/explanation/threats.md.
"""

_FOUND = "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = %s"


def make_login(connection: Connection, name: str) -> None:
    """Make a role that may log in, if there is none of this name.

    Raises ValueError if it is an administrator's, and psycopg.Error.
    """
    there = connection.execute(_FOUND, (name,)).fetchone()
    if there is None:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    elif there[0]:
        raise ValueError(f"{name} is an administrator's role: take another name")


def grant_group(connection: Connection, name: str, group: str) -> None:
    """Put a role into a group. Raises psycopg.Error."""
    query = sql.SQL("GRANT {} TO {}").format(sql.Identifier(group), sql.Identifier(name))
    connection.execute(query)


def limit_table(connection: Connection, name: str) -> None:
    """Give the role of a table, or of a cash desk, its bounds. Raises psycopg.Error.

    docs/reference/link-rules.md, 2.6.
    """
    role = sql.Identifier(name)
    limit = sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}")
    connection.execute(limit.format(role, sql.Literal(TABLE_CONNECTIONS)))
    for setting, value in TABLE_SETTINGS.items():
        query = sql.SQL("ALTER ROLE {} SET {} = {}")
        connection.execute(query.format(role, sql.Identifier(setting), sql.Literal(value)))
