"""With the certificate of one table, nobody stops the house (docs/reference/link-rules.md, 2.6)."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import psycopg
import pytest
from psycopg import Connection, sql
from psycopg.errors import (
    ActiveSqlTransaction,
    ConfigurationLimitExceeded,
    InsufficientPrivilege,
    ProgramLimitExceeded,
    QueryCanceled,
)

from console.database.install import TABLE_CONNECTIONS, TABLE_SETTINGS, limit_table
from console.link.centre.roles import RoleGroup, make_role
from console.rules.link import Open
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centre.test_rights import try_statement
from tests.console.link.centres import seat_table

GROUPS = ["link_member", "link_poker_table", "link_cash_desk", "link_operator", "link_reader"]
ENDED_WITHIN_S = 20.0


@pytest.fixture
def postgres(postgres: PostgresCentre) -> PostgresCentre:
    """The tables mallory and b; mallory has a table's bounds, as a house's installation gives."""
    for name in ("mallory", "b"):
        seat_table(postgres, name)
    postgres.connect("mallory").close()
    limit_table(postgres.superuser, "mallory")
    return postgres


@contextmanager
def come_as(postgres: PostgresCentre, role: str, options: str = "") -> Iterator[Connection]:
    """A connection of the attacker's own."""
    with closing(
        psycopg.connect(postgres.dsn(role), autocommit=True, options=options)
    ) as connection:
        yield connection


@pytest.mark.parametrize("group", [RoleGroup.MEMBER, RoleGroup.POKER_TABLE, RoleGroup.CASH_DESK])
def test_a_role_of_a_table_or_desk_is_bounded_when_it_is_made(
    postgres: PostgresCentre, group: RoleGroup
) -> None:
    name = f"new-{group.value}"
    make_role(postgres.superuser, name, group)
    query = "SELECT rolconnlimit FROM pg_roles WHERE rolname = %s"
    assert postgres.one(query, name) == TABLE_CONNECTIONS
    with come_as(postgres, name) as connection:
        shown = {
            setting: connection.execute(f"SHOW {setting}".encode()).fetchone()
            for setting in TABLE_SETTINGS
        }
    assert shown == {
        "statement_timeout": ("3s",),
        "idle_in_transaction_session_timeout": ("3s",),
        "idle_session_timeout": ("30s",),
        "plan_cache_mode": ("force_generic_plan",),
        "temp_file_limit": ("16MB",),
    }


def test_a_member_has_four_connections_and_the_others_come_in(postgres: PostgresCentre) -> None:
    with ExitStack() as stack:
        for _ in range(TABLE_CONNECTIONS):
            stack.enter_context(come_as(postgres, "mallory"))
        with pytest.raises(psycopg.OperationalError, match="too many connections for role"):
            stack.enter_context(come_as(postgres, "mallory"))
        stack.enter_context(come_as(postgres, "b"))


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER ROLE mallory CONNECTION LIMIT -1",
        "SET temp_file_limit = -1",
        "ALTER ROLE mallory SET temp_file_limit = -1",
        "ALTER ROLE mallory RESET temp_file_limit",
    ],
)
def test_a_member_does_not_lift_its_bounds(postgres: PostgresCentre, statement: str) -> None:
    with come_as(postgres, "mallory") as connection, pytest.raises(InsufficientPrivilege):
        connection.execute(statement.encode())


def test_resetting_all_of_its_settings_leaves_those_that_bind(postgres: PostgresCentre) -> None:
    with come_as(postgres, "mallory") as connection:
        connection.execute("ALTER ROLE mallory RESET ALL")
    with come_as(postgres, "mallory") as connection:
        assert connection.execute("SHOW temp_file_limit").fetchone() == ("16MB",)


def test_what_a_member_writes_beside_is_small(postgres: PostgresCentre) -> None:
    with come_as(postgres, "mallory") as connection, pytest.raises(ConfigurationLimitExceeded):
        connection.execute(
            "SET statement_timeout = 0;"
            "SELECT count(*) FROM (SELECT i, repeat('x', 100) FROM generate_series(1, 1000000) AS i"
            " ORDER BY i DESC OFFSET 1) AS sorted"
        )


def test_a_statement_takes_three_seconds(postgres: PostgresCentre) -> None:
    with come_as(postgres, "mallory") as connection, pytest.raises(QueryCanceled):
        connection.execute("SELECT pg_sleep(60)")


@pytest.mark.parametrize(
    "way", ["BEGIN; SELECT link.open({})", "SELECT link.open({}), pg_sleep(99)"]
)
def test_a_beat_of_another_table_ends_who_keeps_the_jackpot_locked(
    postgres: PostgresCentre, way: str
) -> None:
    """A session may take back its own time-outs: what it locks is given back all the same."""
    b = seat_table(postgres, "b2")
    options = "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0"
    with come_as(postgres, "mallory", options) as connection:
        session = postgres.one("SELECT session FROM link.member WHERE name = 'mallory'")
        call = {"call": "open", "n": 2, "round": 1}
        head = {"seq": 2, "hash": "0" * 64}
        request = json.dumps({"session": session, "act": 0, "head": head, "call": call})
        connection.pgconn.send_query(way.format(f"'{request}'::jsonb").encode())
        pid = connection.info.backend_pid
        deadline = time.monotonic() + ENDED_WITHIN_S
        while postgres.one("SELECT count(*) FROM pg_stat_activity WHERE pid = %s", pid):
            assert time.monotonic() < deadline, "its session has not ended"
            b.beat()
    assert postgres.one("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == 0


def test_who_waits_with_a_call_ends_who_keeps_the_jackpot_locked(postgres: PostgresCentre) -> None:
    """With a call that waits no table beats: each begins anew with its hello."""
    b = seat_table(postgres, "b2")
    with come_as(postgres, "mallory", "-c idle_in_transaction_session_timeout=0") as connection:
        session = postgres.one("SELECT session FROM link.member WHERE name = 'mallory'")
        head = {"seq": 2, "hash": "0" * 64}
        request = {"session": session, "act": 0, "head": head, "call": {"call": "leave", "n": 2}}
        connection.execute("BEGIN")
        connection.execute("SELECT link.leave(%s::jsonb)", (json.dumps(request),))
        deadline = time.monotonic() + ENDED_WITHIN_S
        calls = postgres.connect("b2")
        calls.execute("SET statement_timeout = '1s'")
        b.ask(lambda n: Open(n, 1))
        while b.card.outbox:
            assert time.monotonic() < deadline, "its call still waits"
            b.hello()
            with suppress(QueryCanceled):
                b.send()
        calls.execute("RESET statement_timeout")


@contextmanager
def lose_the_standby(postgres: PostgresCentre) -> Iterator[None]:
    """Who asks for it waits for a standby that never comes."""
    reload = "SELECT pg_reload_conf()"
    postgres.superuser.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    postgres.superuser.execute(reload)
    try:
        yield
    finally:
        postgres.superuser.execute("ALTER SYSTEM RESET synchronous_standby_names")
        postgres.superuser.execute(reload)


def test_who_waits_for_the_standby_is_not_ended(postgres: PostgresCentre) -> None:
    activity = "SELECT wait_event FROM pg_stat_activity WHERE pid = %s"
    with lose_the_standby(postgres), come_as(postgres, "mallory") as connection:
        connection.execute("SET synchronous_commit = on")
        pid = connection.info.backend_pid
        connection.pgconn.send_query(b"SELECT link.hello('{}')")
        deadline = time.monotonic() + ENDED_WITHIN_S
        while postgres.one(activity, pid) != "SyncRep":
            assert time.monotonic() < deadline, "it does not wait for the standby"
        assert postgres.one("SELECT link.end_long_sessions(interval '0')") == 0


def test_who_is_no_table_is_not_ended(postgres: PostgresCentre) -> None:
    postgres.make_role("olga", "link_operator")
    with come_as(postgres, "olga") as olga, come_as(postgres, "mallory") as a:
        for connection in (olga, a):
            connection.execute("BEGIN")
        ended = postgres.one("SELECT link.end_long_sessions(interval '0')")
        assert ended == 1
        assert olga.execute("SELECT 1").fetchone() == (1,)
        with pytest.raises(psycopg.OperationalError):
            a.execute("SELECT 1")


ATTACKS = (
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_create(0)",
    "SELECT lo_creat(-1)",
    "SELECT lo_put(1, 0, 'x')",
    "SELECT lo_unlink(1)",
    "SELECT lo_open(1, 131072)",
    "SELECT lowrite(0, 'x')",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_advisory_lock(1, 1)",
    "SELECT pg_try_advisory_lock(1)",
    "SELECT pg_advisory_xact_lock(1)",
    "SELECT pg_try_advisory_xact_lock_shared(1)",
    "SELECT pg_advisory_unlock_all()",
    "SELECT pg_logical_emit_message(false, 'x', 'y')",
    "SELECT pg_export_snapshot()",
    "DO $$ BEGIN END $$",
    "CREATE TABLE public.mine ()",
    "CREATE SCHEMA mine",
    "SELECT link.end_long_sessions(interval '0')",
)


@pytest.mark.parametrize("group", GROUPS)
def test_nobody_fills_or_holds_what_all_share(postgres: PostgresCentre, group: str) -> None:
    postgres.make_role(f"some-{group}", group)
    with come_as(postgres, f"some-{group}") as connection:
        for attack in ATTACKS:
            assert not try_statement(connection, sql.SQL(attack).format()), attack


@pytest.mark.parametrize("function", ["hello", "beat", "deliver", "recall"])
def test_a_message_of_more_than_64_kib_is_not_read(postgres: PostgresCentre, function: str) -> None:
    row = "SELECT to_jsonb(m) FROM link.member AS m WHERE name = 'mallory'"
    before = postgres.one(row)
    long = json.dumps({"call": {"call": "deliver"}, "x": "x" * 65536})
    with (
        come_as(postgres, "mallory") as connection,
        pytest.raises(ProgramLimitExceeded, match="64 KiB"),
    ):
        connection.execute(f"SELECT link.{function}(%s::jsonb)".encode(), (long,))
    assert postgres.one(row) == before


def test_a_call_reckons_with_nothing_older_than_itself(postgres: PostgresCentre) -> None:
    with come_as(postgres, "mallory") as connection, pytest.raises(ActiveSqlTransaction):
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT link.claim('{}')")


def test_a_call_does_not_read_the_rows_of_all_tables_to_find_its_own(
    postgres: PostgresCentre,
) -> None:
    query = b"EXPLAIN SELECT FROM link.member WHERE name = session_user"
    with postgres.superuser.transaction():
        postgres.superuser.execute("SET LOCAL enable_seqscan = off")
        plan = [line for (line,) in postgres.superuser.execute(query)]
    assert any("Index Cond: (name = SESSION_USER)" in line for line in plan), plan
