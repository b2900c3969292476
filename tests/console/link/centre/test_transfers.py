"""Money from one linked jackpot to another, by two people (docs/reference/link-rules.md, 3.9)."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from psycopg import Connection
from psycopg.errors import AdminShutdown, InvalidParameterValue

from console.link.centre.books import find_book_differences
from console.link.centre.membership import create_jackpot
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, to_units
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centre.test_two_people import Arguments, approve, propose
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS
from tests.deadlines import DEADLINE_S

OTHER = "tre-card"
BASE = Cents(500_000)


@pytest.fixture(autouse=True)
def other(postgres: PostgresCentre) -> None:
    """Another jackpot: stud has 10,000.00 and this one 7,000.00, each with a base of 5,000.00."""
    create_jackpot(postgres.superuser, OTHER, TERMS, BASE, Cents(700_000), "order")


def transfer(cents: int, target: str = OTHER) -> Arguments:
    return {"target": target, "amount": to_units(Cents(cents)), "reason": "table 4 has moved"}


def ask(
    first: Connection, second: Connection, asked: Arguments, of_jackpot: str = JACKPOT
) -> str | None:
    return approve(second, propose(first, "transfer", asked, of_jackpot), "transfer", asked)


def accounts(postgres: PostgresCentre, jackpot: str) -> Balances:
    return Balances.from_dict(postgres.one("SELECT to_jsonb(link.sum_balances(%s))", jackpot))


def jackpots(postgres: PostgresCentre) -> tuple[int, int]:
    """In cents: of stud, and of the other."""
    readings = (postgres.one("SELECT link.read_jackpot(%s)", name) for name in (JACKPOT, OTHER))
    first, second = readings
    return first, second


def assert_in_order(postgres: PostgresCentre) -> None:
    """Each jackpot's accounts sum to 0, and the audit finds nothing."""
    for name in (JACKPOT, OTHER):
        assert sum(accounts(postgres, name).of(account) for account in Account) == 0
    assert list(find_book_differences(postgres.superuser)) == []


def test_what_leaves_one_comes_to_the_other(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    """LINK 3.9.4"""
    assert ask(olga, piero, transfer(123_456)) is None
    assert jackpots(postgres) == (876_544, 823_456)
    houses = (accounts(postgres, name).house for name in (JACKPOT, OTHER))
    assert sum(houses) == -to_units(Cents(1_700_000)), "no cent appears in the house's account"
    acts = postgres.superuser.execute(
        "SELECT jackpot_id, details ->> 'source', details ->> 'target', details ->> 'proposer', "
        "details ->> 'approver' FROM link.act WHERE kind = 'transfer' ORDER BY jackpot_id"
    ).fetchall()
    assert acts == [(name, JACKPOT, OTHER, "olga", "piero") for name in (JACKPOT, OTHER)]
    assert_in_order(postgres)


def test_the_base_stays_to_the_cent(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    """LINK 3.9.4"""
    assert ask(olga, piero, transfer(500_001)) == "NOT_COVERED"
    assert ask(olga, piero, transfer(500_000)) is None
    assert ask(olga, piero, transfer(1)) == "NOT_COVERED"
    assert jackpots(postgres) == (500_000, 1_200_000)


def test_who_proposed_does_not_approve(postgres: PostgresCentre, olga: Connection) -> None:
    assert ask(olga, olga, transfer(100)) == "SAME_PERSON"
    assert jackpots(postgres) == (1_000_000, 700_000)


@pytest.mark.parametrize("source", [JACKPOT, OTHER])
def test_a_pending_award_of_either_hinders_it(
    postgres: PostgresCentre, olga: Connection, piero: Connection, source: str
) -> None:
    """LINK 3.9.4"""
    table = seat_table(postgres, "a")
    table.open(stakes=1)
    table.claim(Combination.FLUSH)
    target = OTHER if source == JACKPOT else JACKPOT
    assert ask(olga, piero, transfer(100, target), source) == "AWARD_PENDING"
    table.agree()
    table.close()
    assert ask(olga, piero, transfer(100, target), source) is None
    assert_in_order(postgres)


def test_a_jackpot_with_a_staked_round_gives_nothing_and_takes(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    """LINK 3.9.4"""
    table = seat_table(postgres, "a")
    table.open(stakes=1)
    assert ask(olga, piero, transfer(100)) == "ROUNDS_OPEN"
    assert ask(olga, piero, transfer(100, JACKPOT), OTHER) is None
    assert_in_order(postgres)


def test_neither_may_be_waiting_for_its_recovery(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    seat_table(postgres, "a")
    postgres.superuser.execute("UPDATE link.member SET recovering = true WHERE name = 'a'")
    assert ask(olga, piero, transfer(100)) == "RECOVERING"
    assert ask(olga, piero, transfer(100, JACKPOT), OTHER) == "RECOVERING"
    assert jackpots(postgres) == (1_000_000, 700_000)


@pytest.mark.parametrize(
    ("changed", "objection"),
    [
        ({"target": JACKPOT}, "two jackpots"),
        ({"target": "nowhere"}, "two jackpots"),
        ({"target": "swiss"}, "swiss is not in the currency of stud"),
        ({"amount": 0}, "amount: more than 0"),
        ({"amount": -5}, "amount: more than 0"),
        ({"reason": "so"}, "10 characters"),
    ],
)
def test_what_is_not_right_is_not_proposed(
    postgres: PostgresCentre, olga: Connection, changed: Arguments, objection: str
) -> None:
    create_jackpot(postgres.superuser, "swiss", TERMS, MONEY.base, MONEY.opening, "order")
    postgres.superuser.execute(
        """UPDATE link.jackpot SET prize_file = '{"currency": "CHF"}' WHERE id = 'swiss'"""
    )
    with pytest.raises(InvalidParameterValue, match=objection):
        propose(olga, "transfer", transfer(100) | changed)


@pytest.mark.parametrize("seed", range(5))
def test_no_cent_appears_whatever_is_transferred(
    postgres: PostgresCentre, olga: Connection, piero: Connection, seed: int
) -> None:
    chance = random.Random(seed)
    expected = {JACKPOT: 1_000_000, OTHER: 700_000}
    for _ in range(30):
        source, target = chance.sample([JACKPOT, OTHER], 2)
        cents = chance.choice([1, chance.randrange(1, 400_000), expected[source] - BASE + 1])
        covered = cents <= expected[source] - BASE
        refusal = ask(olga, piero, transfer(cents, target), source)
        assert refusal == (None if covered else "NOT_COVERED")
        if covered:
            expected[source] -= cents
            expected[target] += cents
        assert jackpots(postgres) == (expected[JACKPOT], expected[OTHER])
    assert_in_order(postgres)


def test_two_at_once_in_both_directions_wait_for_each_other_and_both_are_done(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    postgres.make_role("rosa", "link_operator")
    rosa = postgres.connect("rosa")
    there, back = transfer(3), transfer(1, JACKPOT)
    numbers = [
        (propose(olga, "transfer", there), propose(olga, "transfer", back, OTHER))
        for _ in range(20)
    ]
    with ThreadPoolExecutor(2) as threads:
        done = [
            threads.submit(lambda: [approve(piero, one, "transfer", there) for one, _ in numbers]),
            threads.submit(lambda: [approve(rosa, one, "transfer", back) for _, one in numbers]),
        ]
        assert all(one.result(DEADLINE_S) == [None] * 20 for one in done)
    assert jackpots(postgres) == (999_960, 700_040)
    assert_in_order(postgres)


def test_a_kill_between_its_two_acts_leaves_neither(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    asked = transfer(100)
    number = propose(olga, "transfer", asked)
    holder = postgres.connect("postgres")
    with ThreadPoolExecutor(1) as threads, holder.transaction():
        holder.execute("SELECT FROM link.jackpot WHERE id = %s FOR UPDATE", (OTHER,))
        done = threads.submit(approve, piero, number, "transfer", asked)
        waits = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event_type = 'Lock'"
        pid = piero.info.backend_pid
        while not postgres.one(waits, pid):
            assert not done.done(), "it did not come to the second act"
        postgres.superuser.execute("SELECT pg_terminate_backend(%s)", (pid,))
        with pytest.raises(AdminShutdown):
            done.result(DEADLINE_S)
    assert jackpots(postgres) == (1_000_000, 700_000)
    assert_in_order(postgres)
    assert approve(postgres.connect("piero"), number, "transfer", asked) is None
    assert jackpots(postgres) == (999_900, 700_100)
    assert_in_order(postgres)


def test_the_audit_finds_half_a_transfer_and_another_amount(
    postgres: PostgresCentre, olga: Connection, piero: Connection
) -> None:
    assert ask(olga, piero, transfer(100)) is None
    postgres.superuser.execute("SET session_replication_role = replica")  # no trigger is asked
    postgres.superuser.execute(
        "UPDATE link.movement SET jackpot = jackpot + 5, house = house - 5 "
        "WHERE reason = 'transfer' AND jackpot_id = %s",
        (OTHER,),
    )
    found = list(find_book_differences(postgres.superuser))
    assert "act tre-card/2: it transfers 1000000, booked are 1000005" in found
    postgres.superuser.execute(
        "DELETE FROM link.act WHERE kind = 'transfer' AND jackpot_id = 'stud'"
    )
    found = list(find_book_differences(postgres.superuser))
    assert any(line.endswith("transfers 1000000 units in 1 jackpots") for line in found)
