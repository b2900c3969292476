"""What PostgreSQL lets everybody do in a database, and what is taken from them.

With the certificate of one table, nobody is to stop the house (docs/reference/link-rules.md, 2.6).
"""

from psycopg import Connection, sql

SHARED = "^(pg_(try_)?advisory_|lo_|lo(read|write)$|pg_(logical_emit_message|export_snapshot)$)"
"""Functions that hold, or fill, what all share.

Locks, large objects, the log of changes, the files of snapshots.
"""

_DATABASE = "SELECT current_database()"
_FUNCTIONS = """
SELECT proname, pg_get_function_identity_arguments(oid) FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ %s
"""
_OWNERS = """
GRANT EXECUTE ON FUNCTION
    pg_catalog.pg_advisory_xact_lock(bigint), pg_catalog.pg_advisory_xact_lock_shared(bigint)
TO {owner};
GRANT USAGE ON LANGUAGE plpgsql, sql TO {owner};
"""


def revoke_from_public(connection: Connection) -> None:
    """Nobody comes in, makes tables, large objects or locks, or runs a program of his own.

    The connection's role must be a superuser. Raises psycopg.Error.
    """
    (name,) = connection.execute(_DATABASE).fetchone() or ("",)
    database = sql.Identifier(name)
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    connection.execute("REVOKE ALL ON LANGUAGE plpgsql, sql FROM PUBLIC")
    for function, arguments in connection.execute(_FUNCTIONS, (SHARED,)).fetchall():
        query = sql.SQL("REVOKE ALL ON FUNCTION pg_catalog.{}({}) FROM PUBLIC")
        connection.execute(query.format(sql.Identifier(function), sql.SQL(arguments)))


def grant_to_owner(connection: Connection, owner: str) -> None:
    """What a schema's own functions need of that. Raises psycopg.Error."""
    connection.execute(sql.SQL(_OWNERS).format(owner=sql.Identifier(owner)))
