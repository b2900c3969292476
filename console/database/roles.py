"""Roles that come to a house's database."""

from psycopg import Connection, sql

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
