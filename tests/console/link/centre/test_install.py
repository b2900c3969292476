"""The schema is installed by numbered migrations, each once (docs/link-rules.md, 2)."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from psycopg import Connection
from psycopg.errors import SyntaxError as SqlSyntaxError

from console.database.install import (
    DatabaseSchema,
    SchemaDiffers,
    install_schema,
    read_installed,
)
from console.link.centre.jackpot_setup import admit_member
from console.link.centre.link_schema import load_link_schema
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.servers import Server

NAME = "empty"


@pytest.fixture
def empty(server: Server) -> Iterator[Connection]:
    """A database without the schema."""
    server.make_database(NAME)
    try:
        with server.connect(database=NAME) as connection:
            yield connection
    finally:
        server.drop_database(NAME)


def cut(schema: DatabaseSchema, version: int) -> DatabaseSchema:
    """The schema as it was at this version."""
    return replace(schema, migrations=schema.migrations[:version])


def exchange_text(schema: DatabaseSchema, number: int, text: str) -> DatabaseSchema:
    """The schema with another text of one migration."""
    changed = (
        replace(one, text=text) if one.number == number else one for one in schema.migrations
    )
    return replace(schema, migrations=tuple(changed))


def test_what_is_missing_is_applied_and_what_is_there_is_not(empty: Connection) -> None:
    schema = load_link_schema()
    assert install_schema(empty, cut(schema, 4)) == 4
    assert install_schema(empty, schema) == len(schema.migrations)
    installed = read_installed(empty, "link")
    assert installed == [migration.sha256 for migration in schema.migrations]
    assert install_schema(empty, schema) == len(schema.migrations)
    assert read_installed(empty, "link") == installed


def test_all_belongs_to_the_owner_and_the_public_comes_not_in(empty: Connection) -> None:
    install_schema(empty, load_link_schema())
    owners = empty.execute(
        "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class "
        "WHERE relnamespace = 'link'::regnamespace UNION "
        "SELECT DISTINCT pg_get_userbyid(proowner) FROM pg_proc "
        "WHERE pronamespace = 'link'::regnamespace"
    ).fetchall()
    assert owners == [("link_owner",)]
    rights = [
        empty.execute("SELECT has_database_privilege(%s, %s, %s)", (role, NAME, right)).fetchone()
        for role in ("public", "link_member")
        for right in ("CONNECT", "TEMPORARY", "CREATE")
    ]
    assert rights == [(False,), (False,), (False,), (True,), (False,), (False,)]


def test_another_text_than_the_installed_one_is_refused(empty: Connection) -> None:
    schema = load_link_schema()
    install_schema(empty, cut(schema, 4))
    with pytest.raises(SchemaDiffers, match="0004_records"):
        install_schema(empty, exchange_text(schema, 4, "-- another"))
    assert len(read_installed(empty, "link")) == 4


def test_a_newer_schema_than_this_banco_knows_is_refused(empty: Connection) -> None:
    schema = load_link_schema()
    install_schema(empty, cut(schema, 4))
    with pytest.raises(SchemaDiffers, match="version 4 is installed; this banco has 3"):
        install_schema(empty, cut(schema, 3))


def test_a_migration_that_fails_leaves_nothing(empty: Connection) -> None:
    schema = cut(load_link_schema(), 4)
    with pytest.raises(SqlSyntaxError):
        install_schema(empty, exchange_text(schema, 4, "CREATE TABLE link.half (); CREATE"))
    assert read_installed(empty, "link") == []
    assert empty.execute("SELECT to_regnamespace('link')").fetchone() == (None,)


def test_an_administrators_role_is_no_table(postgres: PostgresCentre) -> None:
    with pytest.raises(ValueError, match="postgres is an administrator's role"):
        admit_member(postgres.superuser, "postgres", JACKPOT)
