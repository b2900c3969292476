"""The schema is installed by numbered migrations, each once (docs/reference/link-rules.md, 2)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from psycopg import Connection
from psycopg.errors import SyntaxError as SqlSyntaxError

from console.database.install import (
    DatabaseSchema,
    Migration,
    install_schema,
    read_installed,
    read_migrations,
)
from console.link.centre.membership import admit_member
from console.link.centre.roles import load_link_schema
from jackpot.failures import Refused
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.servers import Server

NAME = "empty"
LATER = """
CREATE TABLE link.note (number bigint PRIMARY KEY, member text REFERENCES link.member);
SELECT link.secure_tables();
RESET ROLE;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'link_later') THEN
        CREATE ROLE link_later NOLOGIN;
    END IF;
END
$$;
SET LOCAL ROLE link_owner;
GRANT SELECT ON link.note TO link_later;
"""
"""What a release after the first one may change: tables, and a role that a superuser makes."""


@pytest.fixture
def empty(server: Server) -> Iterator[Connection]:
    """A database without the schema."""
    server.make_database(NAME)
    try:
        with server.connect(database=NAME) as connection:
            yield connection
    finally:
        server.drop_database(NAME)


def first_release() -> DatabaseSchema:
    """The schema as the first release has it."""
    schema = load_link_schema()
    return replace(schema, migrations=schema.migrations[:1])


def later_release(text: str = LATER) -> DatabaseSchema:
    """The schema of a release that changes the first one's."""
    schema = first_release()
    return replace(schema, migrations=(*schema.migrations, Migration(2, "0002_note", text)))


def test_what_is_missing_is_applied_and_what_is_there_is_not(empty: Connection) -> None:
    assert install_schema(empty, first_release()) == 1
    later = later_release()
    assert install_schema(empty, later) == 2
    installed = read_installed(empty, "link")
    assert installed == [migration.sha256 for migration in later.migrations]
    assert install_schema(empty, later) == 2
    assert read_installed(empty, "link") == installed


def test_a_later_migration_is_the_owners_and_readers_read_what_it_makes(empty: Connection) -> None:
    install_schema(empty, first_release())
    install_schema(empty, later_release())
    query = """
        SELECT pg_get_userbyid(relowner), relrowsecurity,
            has_table_privilege('link_reader', oid, 'SELECT'),
            has_table_privilege('link_later', oid, 'SELECT'),
            has_table_privilege('link_member', oid, 'SELECT')
        FROM pg_class WHERE oid = 'link.note'::regclass
    """
    assert empty.execute(query).fetchone() == ("link_owner", True, True, True, False)
    empty.execute("DROP OWNED BY link_later")
    empty.execute("DROP ROLE link_later")


def write_file(file: Path, text: str) -> None:
    """A file and its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def test_a_migration_is_a_file_or_a_folder_of_files_in_the_order_of_their_names(
    tmp_path: Path,
) -> None:
    write_file(tmp_path / "0002_later.sql", "SELECT 3;\n")
    write_file(tmp_path / "0001_first" / "02_tables.sql", "SELECT 2;\n")
    write_file(tmp_path / "0001_first" / "01_roles.sql", "SELECT 1;\n")
    assert read_migrations(tmp_path) == (
        Migration(1, "0001_first", "SELECT 1;\n\nSELECT 2;\n"),
        Migration(2, "0002_later", "SELECT 3;\n"),
    )


def test_a_number_that_is_missing_is_an_error(tmp_path: Path) -> None:
    write_file(tmp_path / "0001_first.sql", "")
    write_file(tmp_path / "0003_later.sql", "")
    with pytest.raises(ValueError, match=r"the migrations are numbered \[1, 3\]"):
        read_migrations(tmp_path)


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


def test_a_function_that_an_upgraded_server_brings_is_not_the_publics_after_init(
    empty: Connection,
) -> None:
    """PostgreSQL 17 has pg_logical_emit_message with one argument more, and with PUBLIC's right."""
    install_schema(empty, load_link_schema())
    named = empty.execute(
        "SELECT oid::regprocedure::text FROM pg_proc"
        " WHERE proname = 'pg_logical_emit_message' AND 'text'::regtype = ANY (proargtypes) LIMIT 1"
    ).fetchone()
    assert named is not None
    brought = str(named[0])
    empty.execute(f"GRANT EXECUTE ON FUNCTION {brought} TO PUBLIC".encode())
    install_schema(empty, load_link_schema())
    asked = empty.execute("SELECT has_function_privilege('link_member', %s, 'EXECUTE')", (brought,))
    assert asked.fetchone() == (False,)


def test_another_text_than_the_installed_one_is_refused(empty: Connection) -> None:
    install_schema(empty, later_release())
    with pytest.raises(Refused, match="0002_note"):
        install_schema(empty, later_release("-- another"))
    assert len(read_installed(empty, "link")) == 2


def test_a_newer_schema_than_this_banco_knows_is_refused(empty: Connection) -> None:
    install_schema(empty, later_release())
    with pytest.raises(Refused, match="version 2 is installed; this banco has 1"):
        install_schema(empty, first_release())


def test_a_migration_that_fails_leaves_nothing(empty: Connection) -> None:
    with pytest.raises(SqlSyntaxError):
        install_schema(empty, later_release("CREATE TABLE link.half (); CREATE"))
    assert read_installed(empty, "link") == []
    assert empty.execute("SELECT to_regnamespace('link')").fetchone() == (None,)


def test_an_administrators_role_is_no_table(postgres: PostgresCentre) -> None:
    with pytest.raises(ValueError, match="postgres is an administrator's role"):
        admit_member(postgres.superuser, "postgres", JACKPOT)
