"""What is recorded is never changed, and breaks no rule.

docs/reference/link-rules.md, 2.2, 2.4, 2.5.
"""

from typing import Any

import pytest
from psycopg import Connection, sql
from psycopg.errors import CheckViolation, InsufficientPrivilege

from console.link.centre.books import find_book_differences, find_broken_links
from console.link.centre.membership import create_jackpot
from jackpot.money.prizes import Combination
from tests.console.link.centre.database_pool import SUPERUSER
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS

APPEND_ONLY = ("entry", "movement", "act", "change", "proposal")
MOVEMENT = (
    "INSERT INTO link.movement (jackpot_id, identity, reason, tray, jackpot, reserve, house, "
    "pending, paid) VALUES ('stud', 'x', "
)
AWARD = (
    "INSERT INTO link.award "
    "(jackpot_id, number, combination, share, reading, winners, each, total) "
    "VALUES ('stud', 9, 'F', 100,"
)
BROKEN = {
    "a movement's postings sum to 0": f"{MOVEMENT} 'stake', 0, 5, 0, -4, 0, 0)",
    "a stake never lowers the jackpot": f"{MOVEMENT} 'stake', 0, -5, 0, 5, 0, 0)",
    "nor does a base": f"{MOVEMENT} 'reseed', 0, -5, 0, 5, 0, 0)",
    "nor does an unknown reason": f"{MOVEMENT} 'gift', 0, 5, 0, -5, 0, 0)",
    "the jackpot's balances sum to 0": "UPDATE link.jackpot SET house = house + 1",
    "a member's balances sum to 0": "UPDATE link.member_balance SET jackpot = jackpot + 1",
    "pending is not below 0": "UPDATE link.jackpot SET pending = -1, paid = paid + 1",
    "paid is not below 0": "UPDATE link.jackpot SET paid = -1, house = house + 1",
    "an award's total is each x winners": f"{AWARD} 50, 2, 10, 21)",
    "an award's total is within its reading": f"{AWARD} 19, 2, 10, 20)",
    "a round's winners are not more than its stakes": "UPDATE link.member SET winners = stakes + 1",
    "nobody approves their own": (
        "INSERT INTO link.proposal (jackpot_id, what, arguments, proposer, approver, approves) "
        "SELECT jackpot_id, what, arguments, proposer, proposer, number FROM link.proposal"
    ),
}


def play_round(postgres: PostgresCentre) -> None:
    """Two tables share an award, one cancels, and there is one of every record."""
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open(stakes=2)
    other.open()
    one.claim(Combination.ROYAL_FLUSH)
    other.claim(Combination.ROYAL_FLUSH)
    other.cancel()
    other.close()
    one.agree()
    one.close()
    postgres.superuser.execute(
        "INSERT INTO link.proposal (jackpot_id, what, arguments, proposer) "
        "VALUES ('stud', 'round-over', '{}', 'olga')"
    )


@pytest.fixture(scope="module")
def module_round(module_postgres: PostgresCentre) -> PostgresCentre:
    """A centre after a round."""
    play_round(module_postgres)
    return module_postgres


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("role", ["postgres", "link_owner"])
@pytest.mark.parametrize(
    "statement",
    ["UPDATE {table} SET {column} = {column}", "DELETE FROM {table}", "TRUNCATE {table} CASCADE"],
)
def test_nobody_changes_what_is_recorded(
    module_round: PostgresCentre, table: str, role: str, statement: str
) -> None:
    assert module_round.one(f"SELECT count(*) FROM link.{table}") > 0
    column = "member" if table in ("entry", "movement", "change") else "jackpot_id"
    query = sql.SQL(statement).format(
        table=sql.Identifier("link", table), column=sql.Identifier(column)
    )
    with module_round.superuser.transaction(force_rollback=True):
        module_round.superuser.execute(f"SET LOCAL ROLE {role}".encode())
        with pytest.raises(InsufficientPrivilege, match="never changed"):
            module_round.superuser.execute(query)


@pytest.mark.parametrize("rule", BROKEN)
def test_no_row_breaks_a_rule_of_money(module_round: PostgresCentre, rule: str) -> None:
    with module_round.superuser.transaction(force_rollback=True), pytest.raises(CheckViolation):
        module_round.superuser.execute(BROKEN[rule].encode())


def test_all_follows_from_what_was_before(postgres: PostgresCentre) -> None:
    play_round(postgres)
    seat_table(postgres, "c").open()
    assert find_broken_links(postgres.superuser) == []


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ("UPDATE link.entry SET answer = '{}' WHERE member = 'a' AND n = 2", "entry a/1/2"),
        ("UPDATE link.entry SET call = '{}' WHERE member = 'b' AND n = 3", "entry b/1/3"),
        ("DELETE FROM link.entry WHERE member = 'b' AND n = 3", "entry b/1/4"),
        ("DELETE FROM link.entry WHERE member = 'b' AND n = 6", "member b"),
        ("UPDATE link.movement SET identity = 'x' WHERE act = 4", "act stud/4"),
        ("UPDATE link.change SET award = '{}' WHERE act = 5", "act stud/5"),
        ("UPDATE link.act SET details = '{\"n\": 1}' WHERE number = 3", "act stud/3"),
        ("DELETE FROM link.act WHERE number = 2", "act stud/3"),
    ],
)
def test_what_was_changed_all_the_same_is_named(
    module_round: PostgresCentre, change: str, broken: str
) -> None:
    with module_round.superuser.transaction(force_rollback=True):
        module_round.superuser.execute("SET LOCAL session_replication_role = replica")
        module_round.superuser.execute(change.encode())
        found = {one.partition(":")[0] for one in find_broken_links(module_round.superuser)}
    assert broken in found


class CountingConnection(Connection[Any]):
    """A connection that counts what is asked over it."""

    asked = 0

    def cursor(self, *arguments: Any, **options: Any) -> Any:
        self.asked += 1
        return super().cursor(*arguments, **options)


def begin_jackpots(postgres: PostgresCentre, *names: str) -> None:
    """More jackpots, each with a member that has not called yet; the last one has none."""
    for name in names:
        create_jackpot(postgres.superuser, name, TERMS, MONEY.base, MONEY.opening, "split")
    postgres.superuser.execute(
        "INSERT INTO link.member (name, jackpot_id, joined) "
        "SELECT 'of-' || id, id, false FROM link.jackpot WHERE id = ANY (%s)",
        (list(names[:-1]),),
    )


def count_questions(postgres: PostgresCentre) -> int:
    with CountingConnection.connect(postgres.dsn(SUPERUSER), autocommit=True) as connection:
        assert list(find_book_differences(connection)) == []
        return connection.asked


def test_all_jackpots_are_read_in_one_pass(postgres: PostgresCentre) -> None:
    """LINK 7.2: however many jackpots there are, each question is asked once"""
    play_round(postgres)
    begin_jackpots(postgres, "aaa", "zzz")
    of_three = count_questions(postgres)
    begin_jackpots(postgres, *(f"more-{number}" for number in range(20)))
    assert count_questions(postgres) == of_three


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ("UPDATE link.act SET details = '{}' WHERE jackpot_id = 'aaa'", "act aaa/1"),
        ("DELETE FROM link.act WHERE jackpot_id = 'zzz'", "jackpot zzz"),
        ("DELETE FROM link.act WHERE jackpot_id = 'stud' AND number = 2", "act stud/3"),
    ],
)
def test_of_several_jackpots_the_one_that_was_changed_is_named(
    postgres: PostgresCentre, change: str, broken: str
) -> None:
    play_round(postgres)
    begin_jackpots(postgres, "aaa", "zzz")
    with postgres.superuser.transaction(force_rollback=True):
        postgres.superuser.execute("SET LOCAL session_replication_role = replica")
        postgres.superuser.execute(change.encode())
        found = [one.partition(":")[0] for one in find_broken_links(postgres.superuser)]
    jackpot = broken.partition(" ")[2].partition("/")[0]
    assert broken in found
    assert all(jackpot in one for one in found)
