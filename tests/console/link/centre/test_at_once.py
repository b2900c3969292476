"""Two tables at the same moment (docs/reference/link-rules.md, 2.7 and 3.6)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from psycopg import Connection

from console.link.centre.books import find_broken_links
from console.rules.link import Answer, AwardState, CentreBars
from jackpot.money.prizes import Combination
from tests.console.link.centre.blocked_calls import delay_commit, start_blocked
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centre.test_two_people import Arguments, approve, propose
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable
from tests.deadlines import DEADLINE_S

ROYAL = Combination.ROYAL_FLUSH


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """One for each table."""
    with ThreadPoolExecutor(4) as pool:
        yield pool


@pytest.mark.parametrize("number", range(3))
def test_claims_at_the_same_moment_share_one_award(
    postgres: PostgresCentre, threads: ThreadPoolExecutor, number: int
) -> None:
    tables = [seat_table(postgres, name) for name in ("a", "b", "c")]
    for table in tables:
        table.open(stakes=1 + number)
    together = Barrier(len(tables))

    def claim(table: LinkedTable) -> Answer:
        together.wait(DEADLINE_S)
        return table.claim(ROYAL)

    list(threads.map(claim, tables))
    reading = 1_000_000 + 3 * 140 * (1 + number)
    for table in tables:
        table.beat()
        award = table.card.awards_seen[table.award]
        assert (award.number, award.winners, award.tables) == (1, 3, 3)
        assert award.reading == reading
        assert award.each == reading // 3
        assert table.card.balances.pending == award.each * 10_000
    assert postgres.one("SELECT count(*) FROM link.hold") == 0
    assert find_broken_links(postgres.superuser) == []


def test_an_award_sees_a_stake_that_is_being_answered(
    postgres: PostgresCentre, threads: ThreadPoolExecutor
) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    with delay_commit(other.name, postgres):
        other.stake(3)
        claim = start_blocked(threads, postgres, lambda: one.claim(ROYAL))
    (change,) = claim.result(DEADLINE_S).changes
    assert change.award.reading == 1_000_000 + 5 * 140


def test_no_stake_falls_between_a_reading_and_its_answer(
    postgres: PostgresCentre, threads: ThreadPoolExecutor
) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    with delay_commit(one.name, postgres):
        (change,) = one.claim(ROYAL).changes
        stake = start_blocked(threads, postgres, lambda: other.stake(1))
    assert change.award.reading == 1_000_000 + 2 * 140
    assert stake.result(DEADLINE_S).reading == 500_000 + 140


def test_a_round_that_opens_as_the_award_is_frozen_plays_for_the_new_jackpot(
    postgres: PostgresCentre, threads: ThreadPoolExecutor
) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    with delay_commit(one.name, postgres):
        one.claim(ROYAL)
        opening = start_blocked(threads, postgres, lambda: other.open(stakes=0))
    assert opening.result(DEADLINE_S).reading == 500_000
    assert postgres.one("SELECT count(*) FROM link.hold") == 0


def test_stakes_do_not_wait_for_each_other(postgres: PostgresCentre) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    with delay_commit(one.name, postgres):
        one.stake()
        assert other.stake().reading == 1_000_000 + 3 * 140


def test_tables_without_a_hold_close_without_waiting_for_each_other(
    postgres: PostgresCentre,
) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    with delay_commit(one.name, postgres):
        one.close()
        other.close()
    assert postgres.one("SELECT count(*) FROM link.member WHERE open_round IS NOT NULL") == 0


def test_a_hold_that_comes_while_a_table_closes_ends_with_it(
    postgres: PostgresCentre, threads: ThreadPoolExecutor
) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    one.open()
    other.open()
    with delay_commit(one.name, postgres):
        one.claim(ROYAL)
        closing = start_blocked(threads, postgres, other.close)
    assert closing.result(DEADLINE_S).refusal is None
    assert postgres.one("SELECT count(*) FROM link.hold") == 0
    (change,) = one.agree().changes
    assert change.award.state is AwardState.FINAL


def test_a_round_opened_at_the_moment_of_other_settings_is_not_of_the_terms_before(
    postgres: PostgresCentre, threads: ThreadPoolExecutor, olga: Connection, piero: Connection
) -> None:
    table = seat_table(postgres, "a")
    terms: Arguments = postgres.one("SELECT link.describe_terms(%s)", JACKPOT)
    asked: Arguments = {"terms": terms | {"token": 500}, "base": 7, "tie": "order"}
    number = propose(olga, "settings", asked)
    with piero.transaction():
        assert approve(piero, number, "settings", asked) is None
        opening = start_blocked(threads, postgres, lambda: table.open(stakes=0))
    with pytest.raises(CentreBars, match="LINK_FENCED"):
        opening.result(DEADLINE_S)
    assert postgres.one("SELECT open_round FROM link.member WHERE name = 'a'") is None
