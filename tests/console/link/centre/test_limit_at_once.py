"""Tables that reach a linked jackpot's limit at once (docs/reference/prizes.md, 2.19)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from console.link.centre.books import find_book_differences
from jackpot.money.amounts import Cents
from tests.console.link.centre.blocked_calls import delay_commit, start_blocked
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centres import MakeCentre, seat_table
from tests.console.link.linked_table import LinkedTable
from tests.console.link.member_calls.test_limit import LIMIT, LIMITED_TERMS, PART
from tests.deadlines import DEADLINE_S

TABLES = ("a", "b", "c")


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """One for each table."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


def make_house(make: MakeCentre, tokens_below: int) -> tuple[PostgresCentre, list[LinkedTable]]:
    """A centre so many tokens below its limit, and its tables with an open round each."""
    opening = Cents((LIMIT - tokens_below * PART) // 10_000)
    centre = make(terms=LIMITED_TERMS, opening=opening)
    assert isinstance(centre, PostgresCentre)
    tables = [seat_table(centre, name, LIMITED_TERMS) for name in TABLES]
    for table in tables:
        table.open(stakes=0)
    return centre, tables


@pytest.mark.parametrize("tokens_below", [0, 5, 12, 20])
def test_deliveries_at_the_same_moment_fill_it_to_the_unit(
    make_postgres: MakeCentre, threads: ThreadPoolExecutor, tokens_below: int
) -> None:
    """PRIZES 2.19: whoever comes first; nothing is above it, nothing is missing"""
    centre, tables = make_house(make_postgres, tokens_below)
    reserve = centre.total.reserve
    together = Barrier(len(tables))

    def stake(table: LinkedTable) -> None:
        together.wait(DEADLINE_S)
        for tokens in (3, 2, 2):
            table.stake(tokens)

    list(threads.map(stake, tables))
    taken = 7 * len(tables)
    assert centre.total.jackpot == LIMIT
    assert centre.total.reserve == reserve + taken * 20 * 10_000 + (taken - tokens_below) * PART
    assert list(find_book_differences(centre.superuser)) == []


def test_near_the_limit_a_delivery_waits_for_the_one_before(
    make_postgres: MakeCentre, threads: ThreadPoolExecutor
) -> None:
    centre, (one, other, _) = make_house(make_postgres, 20)
    with delay_commit(one.name, centre):
        one.stake(7)
        stake = start_blocked(threads, centre, lambda: other.stake(7))
    assert stake.result(DEADLINE_S).reading == (LIMIT - 6 * PART) // 10_000


def test_below_what_all_tables_can_bring_nobody_waits(make_postgres: MakeCentre) -> None:
    centre, (one, other, _) = make_house(make_postgres, 7 * len(TABLES) + 7)
    with delay_commit(one.name, centre):
        one.stake(7)
        other.stake(7)
    assert centre.total.jackpot == LIMIT - (7 * len(TABLES) - 7) * PART


def test_an_award_at_the_limit_sees_the_delivery_that_is_being_answered(
    make_postgres: MakeCentre, threads: ThreadPoolExecutor
) -> None:
    centre, (one, other, _) = make_house(make_postgres, 1)
    one.stake(1)
    with delay_commit(other.name, centre):
        other.stake(3)
        claim = start_blocked(threads, centre, lambda: one.claim("FLUSH"))
    (change,) = claim.result(DEADLINE_S).changes
    assert change.award.reading == 1_000_000
    assert centre.total.jackpot == LIMIT - 5_000 * 10_000
    assert list(find_book_differences(centre.superuser)) == []


DAMAGE = {
    "UPDATE link.movement SET jackpot = jackpot + 1, reserve = reserve - 1 "
    "WHERE reason = 'overflow'": "its limit keeps out",
    "DELETE FROM link.movement WHERE reason = 'overflow'": "its limit keeps out -",
    "UPDATE link.movement SET reserve = 0, house = reserve WHERE reason = 'overflow'": (
        "is not the reserve's"
    ),
    "UPDATE link.movement SET jackpot = jackpot - 5, reserve = reserve + 5 "
    "WHERE reason = 'overflow_returned'": "overflow: its limit keeps out",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_audit_reckons_what_the_limit_kept_out(make_postgres: MakeCentre, damage: str) -> None:
    """PRIZES 2.19"""
    centre, (table, *_) = make_house(make_postgres, 1)
    table.stake(3)
    table.deliver(table.take_token_back(1))
    assert list(find_book_differences(centre.superuser)) == []
    centre.superuser.execute("SET session_replication_role = replica")
    assert centre.superuser.execute(damage.encode()).rowcount == 1
    assert [one for one in find_book_differences(centre.superuser) if DAMAGE[damage] in one]
