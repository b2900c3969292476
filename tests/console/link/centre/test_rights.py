"""A member's role calls its functions and nothing else (docs/reference/link-rules.md, 2.3)."""

from collections.abc import Iterator

import pytest
from psycopg import Connection, Error, sql
from psycopg.errors import InsufficientPrivilege

from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table

CALLS = {
    "hello",
    "beat",
    "join",
    "leave",
    "open",
    "deliver",
    "claim",
    "agree",
    "cancel",
    "close",
    "recall",
}
TRIGGERS = {"check_parts"}
"""At a transaction's end they run as whoever called: nobody else may read the table."""
OPERATORS_CALLS = {"propose", "approve", "ask_to_leave", "begin_next_jackpot", "tell_for"}
DESKS_CALLS = {"fee", "level", "day"}
POKER_TABLES_CALLS = {"clock"}
ROOM_CALLS = {"read_room", "read_copies", "read_health"}
AUDITS_CALLS = {
    "write_act",
    "read_since",
    "act_since",
    "entry_since",
    "movement_since",
    "winner_since",
    "member_balance_since",
    "digest_seal",
    "find_detached",
}
"""They run as whoever reads."""
READERS_CALLS = (
    AUDITS_CALLS | ROOM_CALLS | {"observe", "write_act", "read_tournaments", "note_expired"}
)
RELATIONS = """
SELECT relname, (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = 1)
FROM pg_class AS c WHERE relnamespace = 'link'::regnamespace AND relkind IN ('r', 'v', 'm')
"""
FUNCTIONS = """
SELECT proname, ARRAY(SELECT format_type(unnest(proargtypes), NULL)) FROM pg_proc
WHERE pronamespace = 'link'::regnamespace
"""
STATEMENTS = (
    "SELECT FROM {table}",
    "INSERT INTO {table} DEFAULT VALUES",
    "UPDATE {table} SET {column} = DEFAULT",
    "DELETE FROM {table}",
    "TRUNCATE {table}",
    "DROP TABLE {table}",
    "CREATE INDEX ON {table} ({column})",
)


def try_statement(connection: Connection, query: sql.Composed) -> bool:
    """Whether the role has the right to it, whatever comes of it."""
    try:
        connection.execute(query)
    except InsufficientPrivilege:
        return False
    except Error:
        return True
    return True


def callable_functions(postgres: PostgresCentre, connection: Connection) -> Iterator[str]:
    """Each function of the schema that the role has the right to; each is tried."""
    for name, types in postgres.superuser.execute(FUNCTIONS).fetchall():
        nulls = sql.SQL(", ").join(sql.SQL(f"NULL::{kind}") for kind in types)
        query = sql.SQL("SELECT {}({})").format(sql.Identifier("link", name), nulls)
        if try_statement(connection, query):
            yield name


@pytest.mark.parametrize("group", ["link_member", "link_cash_desk", "link_operator", "link_reader"])
def test_a_role_has_no_right_to_write_any_table(postgres: PostgresCentre, group: str) -> None:
    seat_table(postgres, "a")
    postgres.make_role(f"some-{group}", group)
    connection = postgres.connect("a" if group == "link_member" else f"some-{group}")
    relations = postgres.superuser.execute(RELATIONS).fetchall()
    assert len(relations) > 10
    may_read = group in ("link_operator", "link_reader")
    tries = STATEMENTS[1:] if may_read else STATEMENTS
    for table, column in relations:
        names = {"table": sql.Identifier("link", table), "column": sql.Identifier(column)}
        for statement in tries:
            query = sql.SQL(statement).format(**names)
            assert not try_statement(connection, query), query.as_string(connection)


def test_a_member_calls_its_functions_and_no_other(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    assert set(callable_functions(postgres, postgres.connect("a"))) == CALLS


def test_a_cash_desk_calls_its_functions_and_no_other(postgres: PostgresCentre) -> None:
    postgres.make_role("cash-1", "link_cash_desk")
    desks = set(callable_functions(postgres, postgres.connect("cash-1")))
    assert desks == DESKS_CALLS | {"read_tournaments"}


def test_a_poker_table_calls_the_clock_and_nothing_else(postgres: PostgresCentre) -> None:
    postgres.make_role("poker-1", "link_poker_table")
    own = set(callable_functions(postgres, postgres.connect("poker-1")))
    assert own == POKER_TABLES_CALLS


def test_an_operator_proposes_and_approves_and_a_reader_reads(
    postgres: PostgresCentre,
) -> None:
    for name, group in (("olga", "link_operator"), ("room", "link_reader")):
        postgres.make_role(name, group)
    olgas = set(callable_functions(postgres, postgres.connect("olga")))
    assert olgas == OPERATORS_CALLS | READERS_CALLS
    assert set(callable_functions(postgres, postgres.connect("room"))) == READERS_CALLS


@pytest.mark.parametrize(
    "statement",
    [
        "SET ROLE link_owner",
        "SET SESSION AUTHORIZATION b",
        "CREATE TABLE link.mine ()",
        "CREATE FUNCTION link.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE TABLE public.mine ()",
        "CREATE SCHEMA mine",
        "ALTER FUNCTION link.hello(jsonb) OWNER TO a",
    ],
)
def test_a_member_becomes_nobody_else_and_makes_nothing(
    module_postgres: PostgresCentre, statement: str
) -> None:
    module_postgres.member("a")
    module_postgres.member("b")
    with pytest.raises(InsufficientPrivilege):
        module_postgres.connect("a").execute(statement.encode())


def test_what_runs_as_the_owner_has_a_pinned_search_path(postgres: PostgresCentre) -> None:
    rows = postgres.superuser.execute(
        "SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'link'::regnamespace "
        "AND prosecdef"
    ).fetchall()
    tables = CALLS | DESKS_CALLS | POKER_TABLES_CALLS
    runs_as_owner = tables | OPERATORS_CALLS | READERS_CALLS - AUDITS_CALLS | TRIGGERS
    assert {name for name, _ in rows} == runs_as_owner
    assert {tuple(config) for _, config in rows} == {("search_path=pg_catalog, pg_temp",)}


def test_behind_a_mistaken_grant_a_member_sees_its_own_rows(postgres: PostgresCentre) -> None:
    for name in ("a", "b"):
        table = seat_table(postgres, name)
        table.open()
        table.beat()
    postgres.superuser.execute("GRANT SELECT ON ALL TABLES IN SCHEMA link TO a")
    try:
        connection = postgres.connect("a")
        for query in (
            "SELECT DISTINCT name FROM link.member",
            "SELECT DISTINCT member FROM link.entry",
            "SELECT DISTINCT member FROM link.movement",
            "SELECT DISTINCT member FROM link.presence",
        ):
            assert connection.execute(query.encode()).fetchall() == [("a",)], query
        for nobodys in ("jackpot", "award", "proposal"):
            rows = connection.execute(f"SELECT FROM link.{nobodys}".encode()).fetchall()
            assert rows == [], nobodys
    finally:
        postgres.superuser.execute("REVOKE ALL ON ALL TABLES IN SCHEMA link FROM a")
