"""Install a schema of ours in a house's database: numbered migrations, each applied once."""

from hashlib import sha256
from importlib import resources

from msgspec import Struct
from psycopg import Connection, sql

from console.database.public_rights import grant_to_owner, revoke_from_public
from jackpot.failures import Refused


class Migration(Struct, frozen=True):
    """One file of a schema: NNNN_subject.sql."""

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Of the text, as 64 hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()


class DatabaseSchema(Struct, frozen=True):
    """A schema and its migrations. The first one makes it, and the role that owns it."""

    name: str
    owner: str
    migrations: tuple[Migration, ...]


class SchemaDiffers(Refused):
    """What is installed is not what this version of banco has."""


def load_schema(name: str, owner: str, room: str) -> DatabaseSchema:
    """A schema with the files in the folder `schema` of a room.

    Raises ValueError if their numbers are not 1, 2, 3, ...
    """
    folder = resources.files(room) / "schema"
    files = sorted((file.name, file.read_text("utf-8")) for file in folder.iterdir())
    migrations = tuple(
        Migration(int(file[:4]), file.removesuffix(".sql"), text)
        for file, text in files
        if file.endswith(".sql")
    )
    numbers = [migration.number for migration in migrations]
    if numbers != list(range(1, len(migrations) + 1)):
        raise ValueError(f"schema {name}: the migrations are numbered {numbers}")
    return DatabaseSchema(name, owner, migrations)


def install_schema(connection: Connection, schema: DatabaseSchema) -> int:
    """Apply what is missing, in one transaction; the schema's version.

    The connection's role must be a superuser. Raises SchemaDiffers, and psycopg.Error with nothing
    changed.
    """
    with connection.transaction():
        installed = read_installed(connection, schema.name)
        for migration, digest in zip(schema.migrations, installed, strict=False):
            if migration.sha256 != digest:
                raise SchemaDiffers(f"{migration.name} is installed with another text")
        if len(installed) > len(schema.migrations):
            raise SchemaDiffers(
                f"version {len(installed)} is installed; this banco has {len(schema.migrations)}"
            )
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


def _apply(connection: Connection, schema: DatabaseSchema, migration: Migration) -> None:
    be_owner = sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(schema.owner))
    table = _migration_table(schema.name)
    first = migration.number == 1
    if first:
        revoke_from_public(connection)
    else:
        connection.execute(be_owner)
    connection.execute(migration.text.encode())
    if first:
        grant_to_owner(connection, schema.owner)
        connection.execute(be_owner)
        connection.execute(_MIGRATION_TABLE.format(table))
    connection.execute(
        sql.SQL("INSERT INTO {} (number, name, sha256) VALUES (%s, %s, %s)").format(table),
        (migration.number, migration.name, migration.sha256),
    )
    connection.execute("RESET ROLE")


def _migration_table(schema: str) -> sql.Identifier:
    return sql.Identifier(schema, "migration")


_MIGRATION_TABLE = sql.SQL("""
CREATE TABLE {} (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
)
""")
