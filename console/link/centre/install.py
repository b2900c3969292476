"""Install the centre's schema: numbered migrations, each applied once (docs/link-rules.md, 2)."""

from hashlib import sha256
from importlib import resources

from msgspec import Struct
from psycopg import Connection, sql

OWNER = "link_owner"

_MIGRATION_TABLE = """
CREATE TABLE link.migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    sha256 text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
)
"""


class Migration(Struct, frozen=True):
    """One file of the schema: NNNN_subject.sql."""

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Of the text, as 64 hexadecimal digits."""
        return sha256(self.text.encode()).hexdigest()


class SchemaDiffers(Exception):
    """What is installed is not what this version of banco has."""


def load_migrations() -> tuple[Migration, ...]:
    """All migrations, in order. Raises ValueError if their numbers are not 1, 2, 3, ..."""
    folder = resources.files("console.link.centre") / "schema"
    files = sorted((file.name, file.read_text("utf-8")) for file in folder.iterdir())
    migrations = tuple(
        Migration(int(name[:4]), name.removesuffix(".sql"), text)
        for name, text in files
        if name.endswith(".sql")
    )
    numbers = [migration.number for migration in migrations]
    if numbers != list(range(1, len(migrations) + 1)):
        raise ValueError(f"schema: the migrations are numbered {numbers}")
    return migrations


def install_schema(connection: Connection, migrations: tuple[Migration, ...]) -> int:
    """Apply what is missing, in one transaction; the schema's version.

    The connection's role must be a superuser. Raises SchemaDiffers, and psycopg.Error with nothing
    changed.
    """
    with connection.transaction():
        installed = read_installed(connection)
        for migration, digest in zip(migrations, installed, strict=False):
            if migration.sha256 != digest:
                raise SchemaDiffers(f"{migration.name} is installed with another text")
        if len(installed) > len(migrations):
            raise SchemaDiffers(
                f"version {len(installed)} is installed; this banco has {len(migrations)}"
            )
        for migration in migrations[len(installed) :]:
            _apply(connection, migration)
    return len(migrations)


def read_installed(connection: Connection) -> list[str]:
    """The installed migrations' SHA-256, in order; none without the schema."""
    there = connection.execute("SELECT to_regclass('link.migration')").fetchone()
    if there is None or there[0] is None:
        return []
    rows = connection.execute("SELECT sha256 FROM link.migration ORDER BY number").fetchall()
    return [row[0] for row in rows]


def _apply(connection: Connection, migration: Migration) -> None:
    first = migration.number == 1
    if not first:
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(OWNER)))
    connection.execute(migration.text.encode())
    if first:
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(OWNER)))
        connection.execute(_MIGRATION_TABLE)
    connection.execute(
        "INSERT INTO link.migration (number, name, sha256) VALUES (%s, %s, %s)",
        (migration.number, migration.name, migration.sha256),
    )
    connection.execute("RESET ROLE")
