"""`recover` on a real server: chains, proposals, and numbers that another award has taken."""

import json

import psycopg
import pytest

from console.link.centre.books import find_book_differences, find_broken_links
from console.rules.link import Barred, CentreBars
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import LinkedTable

ROYAL = Combination.ROYAL_FLUSH
FLUSH = Combination.FLUSH


def play(table: LinkedTable, other: LinkedTable) -> None:
    """A shared award, final, and a round that goes on."""
    table.open(stakes=2)
    other.open()
    table.claim(ROYAL)
    other.claim(ROYAL)
    table.agree()
    other.agree()
    table.beat()
    other.close()
    other.open(stakes=3)


def send_all_again(*tables: LinkedTable) -> None:
    """Each table sends again what it was answered."""
    for table in tables:
        try:
            table.hello()
        except CentreBars as bars:
            if bars.barred is not Barred.BEHIND:
                raise


def test_the_chains_hold_over_what_was_lost(postgres: PostgresCentre) -> None:
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    table.open()
    table.claim(FLUSH)
    postgres.save()
    last = postgres.one("SELECT act FROM link.jackpot")
    table.agree()
    table.close()
    play(table, other)
    known = max(table.card.act, other.card.act)
    postgres.set_back(None)
    postgres.recover()
    send_all_again(table, other)
    table.hello()
    other.claim(FLUSH)
    assert find_broken_links(postgres.superuser) == []
    act, details = postgres.superuser.execute(
        "SELECT number, details FROM link.act WHERE kind = 'recover'"
    ).fetchall()[0]
    assert act == known + 1
    assert (details["after"], details["proposer"], details["approver"]) == (last, "olga", "piero")


@pytest.mark.parametrize("table", ["movement", "change"])
def test_what_was_booked_again_is_in_the_chain(postgres: PostgresCentre, table: str) -> None:
    one, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    play(one, other)
    postgres.set_back(None)
    postgres.recover()
    send_all_again(one, other)
    forged = {
        "movement": "UPDATE link.movement SET identity = 'x' WHERE identity LIKE '%/pending'",
        "change": "UPDATE link.change SET award = '{}'",
    }
    with postgres.superuser.transaction(force_rollback=True):
        postgres.superuser.execute("SET LOCAL session_replication_role = replica")
        postgres.superuser.execute(forged[table].encode())
        assert find_broken_links(postgres.superuser)


def test_nothing_else_is_approved_meanwhile(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    postgres.recover()
    arguments = json.dumps({"member": "a"})
    query = "SELECT link.propose(%s, 'round-over', %s::jsonb)"
    (number,) = postgres.connect("olga").execute(query, (JACKPOT, arguments)).fetchone() or (0,)
    query = "SELECT link.approve(%s, 'round-over', %s::jsonb)"
    asked = postgres.connect("piero").execute(query, (number, arguments)).fetchone()
    assert asked == ("RECOVERING",)


def test_without_names_members(postgres: PostgresCentre) -> None:
    seat_table(postgres, "a")
    with pytest.raises(Exception, match="without: a list of members of stud"):
        postgres.recover(without=["z"])


def test_a_number_that_another_award_has_taken_is_a_fork(postgres: PostgresCentre) -> None:
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    table.open()
    table.claim(FLUSH)
    postgres.set_back(None)
    other.open(stakes=7)
    other.claim(ROYAL)
    postgres.recover()
    with pytest.raises(CentreBars) as barred:
        table.hello()
    assert barred.value.barred is Barred.FORKED


def test_what_lacks_twice_in_one_act_is_added_twice(postgres: PostgresCentre) -> None:
    """Where a recovery divides several awards anew: else its end would fail, again and again."""
    take_all = (
        "SELECT link.move('stud', NULL, NULL, %s, 'correction', %s, "
        "(0, -s.jackpot - 5, 0, s.jackpot + 5, 0, 0)::link.amounts) "
        "FROM link.sum_balances('stud') AS s"
    )
    with postgres.superuser.transaction(force_rollback=True):
        act = postgres.one("SELECT link.begin_act('stud')")
        for time in (1, 2, 3):
            postgres.superuser.execute(take_all, (f"taken-{time}", act))
            postgres.superuser.execute("SELECT link.add_what_lacks('stud', %s)", (act,))
        assert postgres.reading == 0
        added = postgres.superuser.execute(
            "SELECT identity, jackpot FROM link.movement WHERE reason = 'addition' ORDER BY number"
        ).fetchall()
        assert added == [
            (f"act-{act}/{name}", 5) for name in ("addition", "addition-2", "addition-3")
        ]


def test_what_a_recovery_closed_over_is_not_told_later(postgres: PostgresCentre) -> None:
    """An older card told first; then the true one has acts that the chain is closed over."""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    other.open()
    postgres.save()
    table.open()
    older = table.clone()
    table.claim(ROYAL)
    other.close()
    table.agree()
    postgres.set_back(None)
    postgres.recover()
    send_all_again(older, other)
    send_all_again(table, other)
    postgres.recover()
    before = postgres.total
    with pytest.raises(CentreBars, match="LINK_FORKED"):
        table.hello()
    assert postgres.total == before
    postgres.recover(without=["a"])
    send_all_again(other)
    other.hello()
    assert list(find_book_differences(postgres.superuser)) == []


def test_a_table_is_asked_to_leave_when_all_have_told(postgres: PostgresCentre) -> None:
    """The act would take the number of one that a table is still to tell."""
    table, other = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    table.open()
    table.claim(FLUSH)
    table.agree()
    postgres.set_back(None)
    postgres.recover()
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="recovered"):
        postgres.ask_to_leave("b")
    send_all_again(table, other)
    table.hello()
    postgres.ask_to_leave("b")
    assert list(find_book_differences(postgres.superuser)) == []
