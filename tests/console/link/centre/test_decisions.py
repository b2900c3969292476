"""What operators decide is decided by what is there, and leaves the jackpot its numbers."""

import json
from typing import LiteralString

import pytest
from psycopg.errors import (
    ActiveSqlTransaction,
    InsufficientPrivilege,
    InvalidParameterValue,
    ProgramLimitExceeded,
)

from console.link.centre.books import find_book_differences
from console.link.rejoin_list import RejoinList
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centre.test_bounds import come_as
from tests.console.link.centres import seat_table
from tests.console.link.member_calls.test_operators import name_award

OPERATORS_ACTS = (
    "SELECT link.propose('stud', 'alone', '{}')",
    "SELECT link.approve(1, 'alone', '{}')",
    "SELECT link.ask_to_leave('a')",
    "SELECT link.tell_for('{}')",
)


@pytest.mark.parametrize("statement", OPERATORS_ACTS)
def test_an_operator_decides_by_nothing_older_than_the_decision(
    statement: LiteralString, postgres: PostgresCentre
) -> None:
    postgres.make_role("olga", "link_operator")
    with come_as(postgres, "olga") as connection, pytest.raises(ActiveSqlTransaction):
        connection.execute(f"BEGIN ISOLATION LEVEL REPEATABLE READ; {statement}")


def test_an_approver_with_an_old_snapshot_lowers_no_jackpot_that_is_played_for(
    postgres: PostgresCentre,
) -> None:
    postgres.make_role("olga", "link_operator")
    postgres.make_role("piero", "link_operator")
    table = seat_table(postgres, "a")
    arguments = json.dumps(
        {"source": "jackpot", "target": "house", "amount": 10_000, "reason": "counted twice"}
    )
    with come_as(postgres, "olga") as olga, come_as(postgres, "piero") as piero:
        (asked,) = olga.execute(
            "SELECT link.propose('stud', 'correct', %s)", (arguments,)
        ).fetchone() or (0,)
        piero.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM link.member")
        table.open(stakes=3)
        with pytest.raises(ActiveSqlTransaction):
            piero.execute("SELECT link.approve(%s, 'correct', %s)", (asked, arguments))
        piero.execute("ROLLBACK")
        approved = piero.execute("SELECT link.approve(%s, 'correct', %s)", (asked, arguments))
        assert approved.fetchone() == ("ROUNDS_OPEN",)
    assert list(find_book_differences(postgres.superuser)) == []


@pytest.mark.parametrize(("act", "epoch"), [(2**63 - 2, 1), (-1, 1), (1, 2**31 - 1)])
def test_a_rejoin_list_leaves_numbers_for_the_other_tables(
    act: int, epoch: int, postgres: PostgresCentre
) -> None:
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    listed = RejoinList(epoch, table.card.head, (), (), postgres.know("a"), act)
    with pytest.raises(InvalidParameterValue, match="of a ledger of this jackpot"):
        postgres.rejoin("a", listed)
    other.open(stakes=1)
    assert other.claim(Combination.FLUSH).refusal is None


@pytest.mark.parametrize("statement", OPERATORS_ACTS)
def test_an_operator_who_may_log_in_no_more_decides_nothing(
    statement: LiteralString, postgres: PostgresCentre
) -> None:
    """Also in a session that is still open."""
    postgres.make_role("olga", "link_operator")
    with come_as(postgres, "olga") as connection:
        postgres.superuser.execute("ALTER ROLE olga NOLOGIN")
        try:
            with pytest.raises(InsufficientPrivilege, match="olga may not log in any more"):
                connection.execute(statement)
        finally:
            postgres.superuser.execute("ALTER ROLE olga LOGIN")


def test_a_proposal_has_a_bound(postgres: PostgresCentre) -> None:
    postgres.make_role("olga", "link_operator")
    reason = json.dumps({"member": "a", "reason": "x" * 4_300_000})
    with (
        come_as(postgres, "olga") as connection,
        pytest.raises(ProgramLimitExceeded, match="more than 4 MiB"),
    ):
        connection.execute("SELECT link.propose('stud', 'round-over', %s)", (reason,))


def test_a_claim_of_a_round_from_before_a_rejoin_is_awarded(postgres: PostgresCentre) -> None:
    """LINK 3.11: also where a table was let in again meanwhile."""
    table = seat_table(postgres, "a")
    table.open(stakes=2)
    listed = RejoinList(1, table.card.head, (), (), postgres.know("a"), 0)
    assert postgres.rejoin("a", listed) is None
    asked = {
        **name_award(table), "round": 1, "combination": Combination.FLUSH.value, "winners": 2
    }  # fmt: skip
    assert postgres.approve("award", asked | {"winners": 3}) == "NOBODY_ELIGIBLE"
    assert postgres.approve("award", asked) is None
    again = asked | {"identity": "a/round-1/award-2", "winners": 1}
    assert postgres.approve("award", again) == "NOBODY_ELIGIBLE"
    assert list(find_book_differences(postgres.superuser)) == []
