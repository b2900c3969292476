"""PostgreSQL seldom vacuums or analyzes what calls write: after it all sessions plan anew."""

import pytest

from tests.console.link.centre.postgres_centre import PostgresCentre

MEMBERS = 500
A_MINUTE = 15_000
"""Calls and beats of 1,000 tables, each of which may change one row."""

CHANGES_UNTIL = """
SELECT coalesce(sum(option_value::bigint), 0)::bigint
FROM pg_class AS c, pg_options_to_table(c.reloptions)
WHERE c.oid = ('link.' || %s)::regclass AND option_name = %s
"""
WRITTEN_AGAIN = ("member", "member_balance", "presence", "jackpot")
ADDED_TO = ("entry", "movement", "act")


@pytest.mark.parametrize(
    ("table", "option"),
    [
        *((table, "autovacuum_vacuum_threshold") for table in WRITTEN_AGAIN),
        *((table, "autovacuum_vacuum_insert_threshold") for table in ADDED_TO),
        *((table, "autovacuum_analyze_threshold") for table in (*WRITTEN_AGAIN, *ADDED_TO)),
    ],
)
def test_a_minute_of_1000_tables_is_left_alone(
    postgres: PostgresCentre, table: str, option: str
) -> None:
    assert postgres.one(CHANGES_UNTIL, table, option) > A_MINUTE


@pytest.mark.parametrize(
    ("table", "key", "change"),
    [
        ("member", "name", "n = n + 1"),
        ("member_balance", "member", "tray = tray"),
        ("presence", "member", "heard = now()"),
    ],
)
def test_a_row_that_is_written_again_stays_in_its_page(
    postgres: PostgresCentre, table: str, key: str, change: str
) -> None:
    """Else its index grows with each call, and only a vacuum makes it small again."""
    postgres.add_silent_members(MEMBERS)
    postgres.superuser.execute(
        "INSERT INTO link.presence (member, heard, phase, faults) "
        "SELECT name, now(), 'BETTING', '[]' FROM link.member"
    )
    size = postgres.one("SELECT pg_relation_size(%s)", f"link.{table}")
    update = f"UPDATE link.{table} SET {change} WHERE {key} LIKE %s"
    for at in range(80):
        postgres.superuser.execute(update.encode(), (f"other-%{at % 10}",))
    assert postgres.one("SELECT pg_relation_size(%s)", f"link.{table}") == size
