"""Tables that joined or left since the backup of a centre that was set back (3.13)."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec
import pytest

from console.link.centre.books import find_book_differences
from console.link.centre.membership import admit_member, create_jackpot, tell_for
from console.link.centre.postgres_calls import PostgresCalls
from console.link.centre.status import read_status
from console.link.rejoin_list import RejoinList
from console.office.link.centre import render_status
from console.rules.link import AwardState, Barred, CentreBars, Held
from jackpot.money.accounts import Balances
from jackpot.money.prizes import Combination
from tests.console.link.centre.postgres_centre import JACKPOT, PostgresCentre
from tests.console.link.centres import seat_table
from tests.console.link.linked_table import MONEY, TERMS, LinkedTable

FLUSH = Combination.FLUSH


def why_barred(table: LinkedTable) -> Barred:
    """Why the table's hello is barred."""
    with pytest.raises(CentreBars) as bars:
        table.hello()
    return bars.value.barred


def recover(
    centre: PostgresCentre, joined: Sequence[str] = (), without: Sequence[str] = ()
) -> str | None:
    """Two operators recover it, with tables that joined since the backup."""
    return centre.approve("recover", {"without": list(without), "joined": list(joined)})


def tell_again(*tables: LinkedTable) -> None:
    """Each tells what it was answered; then all are back."""
    for table in tables:
        with suppress(CentreBars):  # the others have not told yet
            table.hello()
    for table in tables:
        table.hello()


def check(centre: PostgresCentre) -> None:
    """The audit finds nothing."""
    assert list(find_book_differences(centre.superuser)) == []


def read_lines(centre: PostgresCentre) -> list[str]:
    """The status, as operators read it."""
    return [line.strip() for line in render_status(read_status(centre.superuser))]


def test_a_table_that_joined_since_the_backup_is_let_in_by_the_recover(
    postgres: PostgresCentre,
) -> None:
    """LINK 3.13.3, 3.13.6"""
    table = seat_table(postgres, "a")
    postgres.save()
    newcomer = seat_table(postgres, "b")
    newcomer.open(stakes=2)
    newcomer.claim(FLUSH)
    newcomer.agree()
    table.open()
    before = postgres.total
    postgres.set_back(None)
    assert why_barred(newcomer) is Barred.BEHIND
    assert "b: holds 5 answers, and is not known here: it joined since the backup" in "".join(
        read_lines(postgres)
    )
    assert recover(postgres, joined=["b"]) is None
    with pytest.raises(CentreBars):
        table.hello()
    assert "b: has not told yet what it was answered" in read_lines(postgres)
    tell_again(newcomer, table)
    assert postgres.total == before
    assert newcomer.card.awards_seen[newcomer.award].state is AwardState.FINAL
    assert newcomer.stake().refusal is None
    check(postgres)
    lines = read_lines(postgres)
    assert "joined: b" in lines
    assert "award 1, FLUSH, 100.02 EUR, final: b alone has told of it" in lines


def test_one_that_comes_when_all_have_told_comes_back_by_rejoin(postgres: PostgresCentre) -> None:
    """LINK 3.13.6: the chain is closed over what it was answered."""
    table = seat_table(postgres, "a")
    postgres.save()
    newcomer = seat_table(postgres, "b")
    newcomer.open(stakes=3)
    before = postgres.total
    postgres.set_back(None)
    postgres.recover()
    table.hello()
    assert why_barred(newcomer) is Barred.BEHIND
    assert why_barred(table) is Barred.BEHIND
    assert recover(postgres, joined=["b"]) is None
    assert why_barred(newcomer) is Barred.FORKED
    assert recover(postgres, without=["b"]) is None
    table.hello()
    assert why_barred(newcomer) is Barred.FORKED
    tokens = tuple(newcomer.card.ledger.values())
    listed = RejoinList(1, newcomer.card.head, tokens, (), postgres.know("b"), newcomer.card.act)
    assert postgres.rejoin("b", listed) is None
    newcomer.hello()
    assert postgres.total == before
    assert postgres.one("SELECT count(*) FROM link.newcomer") == 0
    check(postgres)


def test_who_had_left_before_and_joined_again_since_is_let_in_with_it(
    postgres: PostgresCentre,
) -> None:
    """LINK 3.13.6"""
    table = seat_table(postgres, "a")
    table.open()
    table.close()
    table.leave()
    postgres.save()
    postgres.admit("a")
    table.hello()
    table.join()
    table.open(stakes=2)
    before = postgres.total
    postgres.set_back(None)
    assert why_barred(table) is Barred.BEHIND
    assert read_status(postgres.superuser).jackpots[0].newcomers[0].table == "a"
    assert recover(postgres, joined=["a"]) is None
    tell_again(table)
    assert postgres.total == before
    assert not table.beat().leaving
    assert table.stake().refusal is None
    check(postgres)


def test_a_newcomer_that_is_left_out_comes_back_by_rejoin(postgres: PostgresCentre) -> None:
    """LINK 3.13.6: its money is what its ledger lists."""
    table = seat_table(postgres, "a")
    postgres.save()
    newcomer = seat_table(postgres, "b")
    newcomer.open(stakes=3)
    postgres.set_back(None)
    assert why_barred(newcomer) is Barred.BEHIND
    assert recover(postgres, joined=["b"], without=["b"]) is None
    table.hello()
    assert why_barred(newcomer) is Barred.FORKED
    assert table.open().refusal is None
    check(postgres)


def test_a_table_that_left_since_the_backup_is_let_go(postgres: PostgresCentre) -> None:
    """LINK 3.13.3, 3.13.6: its leave is booked again, and its money stays."""
    table, gone = seat_table(postgres, "a"), seat_table(postgres, "b")
    postgres.save()
    gone.open(stakes=4)
    gone.close()
    gone.leave()
    before = postgres.total
    postgres.set_back(None)
    postgres.recover()
    tell_again(gone, table)
    assert postgres.total == before
    assert table.open().refusal is None
    lines = read_lines(postgres)
    assert "b: has left" in lines
    assert "left: b" in lines
    check(postgres)


def test_who_left_and_joined_again_since_is_not_asked_to_leave(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    postgres.save()
    table.leave()
    postgres.admit("a")
    table.hello()
    table.join()
    postgres.set_back(None)
    postgres.recover()
    tell_again(table)
    assert not table.beat().leaving
    assert table.open().refusal is None
    check(postgres)


def test_a_stranger_that_was_answered_nothing_stops_nobody(postgres: PostgresCentre) -> None:
    table = seat_table(postgres, "a")
    stranger = LinkedTable("nobody", postgres.stranger("nobody"))
    assert why_barred(stranger) is Barred.NOT_A_MEMBER
    assert table.open().refusal is None


def test_a_table_of_another_jackpot_is_no_newcomer(postgres: PostgresCentre) -> None:
    create_jackpot(postgres.superuser, "poker", TERMS, MONEY.base, MONEY.opening, "order")
    postgres.superuser.execute("SELECT link.admit_member('c', 'poker')")
    with pytest.raises(Exception, match=f"joined: a list of tables that joined {JACKPOT}"):
        recover(postgres, joined=["c"])


def test_a_role_that_a_restored_server_lacks_is_made_again(postgres: PostgresCentre) -> None:
    name = "table-without-role"
    calls = postgres.connect("postgres")
    admit_member(calls, name, JACKPOT)
    with postgres.connect(name) as connection:
        table = LinkedTable(name, PostgresCalls(connection))
        table.start()
        table.join()
    calls.execute(f'DROP ROLE "{name}"'.encode())
    before = postgres.one("SELECT to_jsonb(m) FROM link.member AS m")
    postgres.admit(name)
    assert postgres.one("SELECT to_jsonb(m) FROM link.member AS m") == before
    table.calls = PostgresCalls(postgres.connect(name))
    table.hello()
    assert table.open().refusal is None
    with pytest.raises(Exception, match=f"{name} is a member of stud already"):
        postgres.admit(name)


def test_an_operator_tells_only_the_ledger_that_two_have_approved(postgres: PostgresCentre) -> None:
    """LINK 3.13.6"""
    table = seat_table(postgres, "a")
    postgres.save()
    table.open(stakes=2)
    before = postgres.total
    postgres.set_back(None)
    postgres.recover()
    olga = postgres.connect("olga")
    with pytest.raises(Exception, match="a is not awaited, or no recover names its ledger"):
        tell_for(olga, "a", Held())
    other = {"a": {"n": 3, "hash": "00" * 32, "left": True}}
    assert postgres.approve("recover", {"without": [], "told": other}) is None
    for held in table.card.held:
        tell_for(olga, "a", held)
    with pytest.raises(Exception, match="the ledger of a has another end than the one"):
        tell_for(olga, "a", None)
    right = {"a": {"n": 3, "hash": table.card.answer_hash, "left": True}}
    assert postgres.approve("recover", {"without": [], "told": right}) is None
    tell_for(olga, "a", None)
    assert postgres.total == before
    with pytest.raises(Exception, match="a is not awaited"):
        tell_for(olga, "a", Held())
    table.hello()
    check(postgres)


def test_a_newcomer_that_says_it_was_let_bring_money_waits_for_two(
    postgres: PostgresCentre,
) -> None:
    """LINK 3.14.1: its word alone says that two had let it."""
    postgres.save()
    newcomer = LinkedTable("b", postgres.member("b"))
    newcomer.start()
    brought = Balances(tray=-70_000, jackpot=70_000)
    asked = {"member": "b", "balances": msgspec.to_builtins(brought)}
    with pytest.raises(CentreBars):
        newcomer.join(brought)
    assert postgres.approve("join", asked) is None
    newcomer.send()
    before = postgres.total
    postgres.set_back(None)
    assert why_barred(newcomer) is Barred.BEHIND
    assert recover(postgres, joined=["b"]) is None
    assert why_barred(newcomer) is Barred.NOT_A_MEMBER
    assert "b: asks to join with money of its own: banco link allow-join" in read_lines(postgres)
    assert postgres.total.jackpot == before.jackpot - 70_000
    assert postgres.approve("join", asked) is None
    tell_again(newcomer)
    assert postgres.total == before
    check(postgres)
    assert "joined: b, with tray -0.07, jackpot 0.07 EUR" in read_lines(postgres)
    kinds = "SELECT string_agg(kind, ' ' ORDER BY number) FROM link.act"
    assert postgres.one(kinds) == "jackpot recover join-allowed"
