"""Desks and operators at the same moment, and nights of many acts.

docs/reference/link-rules.md, 6.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from console.link.centre.books import find_book_differences
from console.link.centre.proposals import ProposalRefusal, approve
from console.link.centre.tournament import Level, TournamentRefusal
from jackpot.money.amounts import UNITS_PER_CENT
from tests.console.link.centre.blocked_calls import delay_commit, start_blocked
from tests.console.link.centre.database_pool import DatabasePool
from tests.console.link.centre.postgres_centre import PostgresCentre
from tests.console.link.centre.tournament_house import BASE, FEE, MONDAY, POKER, TournamentHouse
from tests.deadlines import DEADLINE_S

pytestmark = pytest.mark.sampled(of=2)

TOURNAMENTS = ("early", "night")
TICKETS = ("1", "2")

ACTS = st.one_of(
    st.tuples(st.just("fee"), st.sampled_from(TOURNAMENTS), st.sampled_from(TICKETS)),
    st.tuples(st.just("win"), st.sampled_from(TOURNAMENTS), st.sampled_from(TICKETS)),
    st.tuples(st.just("level"), st.sampled_from(TOURNAMENTS), st.sampled_from(tuple(Level))),
    st.tuples(st.just("day"), st.just(""), st.just("")),
)


@pytest.fixture
def house(postgres: PostgresCentre) -> TournamentHouse:
    """A house on Monday, with the tournament "night" in its first level, and two fees."""
    house = TournamentHouse(postgres)
    house.begin(MONDAY, "night")
    for ticket in TICKETS:
        house.cashier.sell_fee(MONDAY, "night", ticket)
    return house


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    """One for who waits."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_of_two_wins_at_once_one_is_won(
    house: TournamentHouse, threads: ThreadPoolExecutor
) -> None:
    """LINK 6.6, 6.8: the lock is exclusive."""
    first, second = (house.propose_win(ticket) for ticket in TICKETS)
    piero, silvio = (house.centre.connect(name) for name in ("piero", "silvio"))
    with delay_commit("piero", house.centre):
        assert approve(piero, *first) is None
        waits = start_blocked(threads, house.centre, lambda: approve(silvio, *second))
    assert waits.result(DEADLINE_S) is ProposalRefusal.WON_TODAY
    win = house.now.win
    assert win is not None
    assert (win.ticket, win.amount) == ("1", BASE + 2 * FEE)


def test_the_same_fee_at_two_desks_at_once_is_booked_once(
    house: TournamentHouse, threads: ThreadPoolExecutor
) -> None:
    with delay_commit("cash-1", house.centre):
        house.cashier.sell_fee(MONDAY, "night", "3")
        waits = start_blocked(
            threads, house.centre, lambda: house.other_cashier.sell_fee(MONDAY, "night", "3")
        )
    repeated = waits.result(DEADLINE_S)
    assert (repeated.again, repeated.cash_desk) == (True, "cash-1")
    assert house.now.amount == BASE + 3 * FEE


def test_no_fee_is_sold_as_the_level_ends_or_the_jackpot_is_won(
    house: TournamentHouse, threads: ThreadPoolExecutor
) -> None:
    with delay_commit("cash-1", house.centre):
        house.cashier.set_level(MONDAY, "night", Level.LATE)
        waits = start_blocked(
            threads, house.centre, lambda: house.other_cashier.sell_fee(MONDAY, "night", "3")
        )
    assert waits.result(DEADLINE_S).refusal is TournamentRefusal.LEVEL_OVER
    house.begin_tournament(MONDAY, "early")
    with delay_commit("piero", house.centre):
        assert approve(house.centre.connect("piero"), *house.propose_win("1")) is None
        waits = start_blocked(
            threads, house.centre, lambda: house.other_cashier.sell_fee(MONDAY, "early", "4")
        )
    assert waits.result(DEADLINE_S).refusal is TournamentRefusal.WON_TODAY


def check_money(house: TournamentHouse) -> None:
    """Fees + bases = jackpot + paid, and every account sums to 0."""
    there = house.balances
    sold = house.centre.one("SELECT count(*) FROM link.tournament_fee") * FEE
    assert there.tray == -sold * UNITS_PER_CENT
    bases = house.centre.one(
        "SELECT sum(jackpot)::bigint FROM link.movement "
        "WHERE jackpot_id = %s AND reason IN ('opening', 'reseed')",
        POKER,
    )
    assert sold * UNITS_PER_CENT + bases == there.jackpot + there.paid
    assert there.pending == there.reserve == 0
    won = house.centre.one("SELECT coalesce(sum(amount), 0)::bigint FROM link.tournament_win")
    assert there.paid == won * UNITS_PER_CENT


@settings(max_examples=8, deadline=None, print_blob=True)
@given(acts=st.lists(ACTS, min_size=8, max_size=30))
def test_fees_and_bases_are_the_jackpot_and_what_was_paid_at_every_instant(
    databases: DatabasePool, acts: list[tuple[str, str, str]]
) -> None:
    """LINK 6.1, 6.3: and the audit finds nothing."""
    with databases.lend() as database:
        play_nights(TournamentHouse(PostgresCentre(database)), acts)


def play_nights(house: TournamentHouse, acts: list[tuple[str, str, str]]) -> None:
    """Do these acts from Monday on; after each the money is right."""
    house.begin(MONDAY, *TOURNAMENTS)
    day = MONDAY
    for kind, tournament, value in acts:
        if kind == "fee":
            house.cashier.sell_fee(day, tournament, value)
        elif kind == "level":
            house.other_cashier.set_level(day, tournament, Level(value))
        elif kind == "win":
            win_all(house, day, tournament, value)
        elif house.cashier.begin_day(day + timedelta(days=1)).refusal is None:
            day += timedelta(days=1)
            assert house.now.amount >= BASE
        check_money(house)
    assert list(find_book_differences(house.centre.superuser)) == []


def win_all(house: TournamentHouse, day: date, tournament: str, ticket: str) -> None:
    """Ask for a win in the first level; if it is booked, the day's first takes all."""
    before = house.now
    if house.win(ticket, Level.FIRST, tournament, day) is None and before.win is None:
        assert house.now.amount == 0
        assert house.now.win is not None
        assert house.now.win.amount == before.amount
