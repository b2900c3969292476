"""Install a schema of ours in a house's database, and make the roles that come to it.

Migrations are numbered, and each is applied once.
"""

from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

from msgspec import Struct
from psycopg import Connection, sql

from jackpot.failures import Refused

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


_HAS_ROLE = "SELECT FROM pg_roles WHERE rolname = %s"

_KEEP_FUNCTIONS = sql.SQL(
    "ALTER DEFAULT PRIVILEGES FOR ROLE {} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC"
)
"""A function is nobody's but the owner's until it is granted."""

_MIGRATION_TABLE = sql.SQL("""
CREATE TABLE {} (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
)
""")


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


class Migration(Struct, frozen=True):
    """One change of a schema: its owner runs the text once.

    What only a superuser may do stands in it between RESET ROLE and SET LOCAL ROLE.
    """

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Of the text, as 64 hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()


class DatabaseSchema(Struct, frozen=True):
    """A schema, the role that owns it, and its migrations: the first release's, then the later."""

    name: str
    owner: str
    migrations: tuple[Migration, ...]


def load_schema(name: str, owner: str, package: str) -> DatabaseSchema:
    """A schema with the migrations in the folder `schema` of a package.

    Raises ValueError if their numbers are not 1, 2, 3, ...
    """
    return DatabaseSchema(name, owner, read_migrations(resources.files(package) / "schema"))


def read_migrations(folder: Traversable) -> tuple[Migration, ...]:
    """The migrations of a schema, in order.

    Each is a file NNNN_subject.sql, or a folder NNNN_subject with a file for each subject, which
    run in the order of their names. Raises ValueError if the numbers are not 1, 2, 3, ...
    """
    found = sorted(folder.iterdir(), key=lambda one: one.name)
    migrations = tuple(
        Migration(int(one.name[:4]), one.name.removesuffix(".sql"), _read_text(one))
        for one in found
        if one.is_dir() or one.name.endswith(".sql")
    )
    numbers = [migration.number for migration in migrations]
    if numbers != list(range(1, len(migrations) + 1)):
        raise ValueError(f"{folder}: the migrations are numbered {numbers}")
    return migrations


def _read_text(migration: Traversable) -> str:
    if migration.is_file():
        return migration.read_text("utf-8")
    files = sorted(migration.iterdir(), key=lambda one: one.name)
    return "\n".join(one.read_text("utf-8") for one in files if one.name.endswith(".sql"))


def install_schema(connection: Connection, schema: DatabaseSchema) -> int:
    """Apply what is missing, in one transaction; the schema's version.

    PUBLIC's rights are revoked each time: an upgraded PostgreSQL has functions of its own.
    The connection's role must be a superuser. Raises Refused, and psycopg.Error with nothing
    changed.
    """
    with connection.transaction():
        installed = read_installed(connection, schema.name)
        for migration, digest in zip(schema.migrations, installed, strict=False):
            if migration.sha256 != digest:
                raise Refused(f"{migration.name} is installed with another text")
        if len(installed) > len(schema.migrations):
            raise Refused(
                f"version {len(installed)} is installed; this banco has {len(schema.migrations)}"
            )
        revoke_from_public(connection)
        if not installed:
            _make_schema(connection, schema)
        for migration in schema.migrations[len(installed) :]:
            _apply(connection, schema, migration)
    return len(schema.migrations)


def read_installed(connection: Connection, schema: str) -> list[str]:
    """The installed migrations' SHA-256, in order; none without the schema."""
    there = connection.execute("SELECT to_regclass(%s)", (f"{schema}.migration",)).fetchone()
    if there is None or there[0] is None:
        return []
    query = sql.SQL("SELECT sha256 FROM {} ORDER BY number").format(_migration_table(schema))
    return [row[0] for row in connection.execute(query).fetchall()]


def _make_schema(connection: Connection, schema: DatabaseSchema) -> None:
    """The owner, the empty schema, and the table of its migrations."""
    name, owner = sql.Identifier(schema.name), sql.Identifier(schema.owner)
    if connection.execute(_HAS_ROLE, (schema.owner,)).fetchone() is None:
        connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(owner))
    connection.execute(sql.SQL("CREATE SCHEMA {} AUTHORIZATION {}").format(name, owner))
    connection.execute(_KEEP_FUNCTIONS.format(owner))
    grant_to_owner(connection, schema.owner)
    connection.execute(sql.SQL("SET LOCAL ROLE {}").format(owner))
    connection.execute(_MIGRATION_TABLE.format(_migration_table(schema.name)))
    connection.execute("RESET ROLE")


def _apply(connection: Connection, schema: DatabaseSchema, migration: Migration) -> None:
    connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(schema.owner)))
    connection.execute(migration.text.encode())
    connection.execute(
        sql.SQL("INSERT INTO {} (number, name, sha256) VALUES (%s, %s, %s)").format(
            _migration_table(schema.name)
        ),
        (migration.number, migration.name, migration.sha256),
    )
    connection.execute("RESET ROLE")


def _migration_table(schema: str) -> sql.Identifier:
    return sql.Identifier(schema, "migration")


TABLE_CONNECTIONS = 4
"""A table's courier and its witness, and for each one more that the server has not ended yet.

A cash desk has as many.
"""

TABLE_SETTINGS = {
    "statement_timeout": "3s",
    "idle_in_transaction_session_timeout": "3s",
    "idle_session_timeout": "30s",
    "plan_cache_mode": "force_generic_plan",
    "temp_file_limit": "16MB",
}
"""How a table's session begins. It may itself change all but the last.

See docs/explanation/threats.md. `plan_cache_mode`: by itself PostgreSQL plans each of a statement's
first five executions anew; what a table asks is found by its key, whatever the values are.
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
