"""Settings, join and leave (docs/reference/link-rules.md, 3.9 and 3.14)."""

from collections.abc import Callable

import msgspec
import psycopg
import pytest

from console.rules.link import Answer, Barred, CentreBars, CentreRefusal, Join, Leave, Terms
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.centres import AnyCentre, seat_table
from tests.console.link.linked_table import TERMS, LinkedTable
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    ROYAL,
    TOKEN,
    check_books,
    join_with,
    why_barred,
)


@pytest.mark.parametrize(
    "terms",
    [
        msgspec.structs.replace(TERMS, game="tre-card-stud"),
        msgspec.structs.replace(TERMS, token=Cents(100)),
        msgspec.structs.replace(TERMS, to_reserve=0),
        msgspec.structs.replace(TERMS, prizes=TERMS.prizes | {FLUSH: 200}),
    ],
    ids=["game", "token", "share", "prizes"],
)
def test_one_game_token_and_prize_table_a_jackpot(centre: AnyCentre, terms: Terms) -> None:
    table = LinkedTable("a", centre.member("a"), terms)
    assert why_barred(table) is Barred.SETTINGS


def test_who_was_not_let_in_is_not_a_member(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.stranger("a"))
    assert why_barred(table) is Barred.NOT_A_MEMBER


def test_who_has_not_joined_opens_nothing(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    table.start()
    with pytest.raises(CentreBars) as barred:
        table.open()
    assert barred.value.barred is Barred.NOT_A_MEMBER


def test_the_first_message_is_the_tables_six_balances(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    table.start()
    brought = Balances(tray=-90_000, jackpot=70_000, reserve=15_000, house=5_000)
    before = centre.total
    assert join_with(centre, table, brought).reading == OPENING + 7
    assert centre.total.reserve - before.reserve == 15_000


def test_what_a_table_brings_two_operators_must_let_it(centre: AnyCentre) -> None:
    """LINK 3.14.1: unless all are 0; shown, and no other"""
    table = LinkedTable("a", centre.member("a"))
    table.start()
    before = centre.total
    billion = 1_000_000_000 * 1_000_000
    for _ in range(2):
        with pytest.raises(CentreBars) as barred:
            table.calls.call(
                table.session,
                Join(1, Balances(jackpot=billion, house=-billion)),
                0,
                table.card.head,
            )
        assert barred.value.barred is Barred.NOT_A_MEMBER
    other = {"member": "a", "balances": msgspec.to_builtins(Balances(jackpot=1, house=-1))}
    assert centre.approve("join", other) == "LIST_OUTDATED"
    assert centre.total == before
    join_with(centre, table, Balances(jackpot=1, house=-1))
    assert centre.total.jackpot - before.jackpot == 1


def test_a_table_that_left_leaves_the_money_at_the_centre(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open(stakes=3)
    table.close()
    before = centre.total
    table.leave()
    assert centre.total == before
    assert other.open(stakes=0).reading == OPENING + 3 * TOKEN


def test_a_table_that_left_may_join_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.close()
    table.leave()
    assert why_call_is_barred(table, table.open) is Barred.NOT_A_MEMBER
    assert why_call_is_barred(table, table.join) is Barred.NOT_A_MEMBER
    centre.admit("a")
    table.hello()
    assert table.join().reading == OPENING + TOKEN


def why_call_is_barred(table: LinkedTable, call: Callable[[], Answer]) -> Barred:
    """Why the call is barred; it is as if it had not been made."""
    with pytest.raises(CentreBars) as barred:
        call()
    table.card.outbox.clear()
    table.card.n -= 1
    return barred.value.barred


def test_a_table_that_left_brings_what_it_has_made_since(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.close()
    table.leave()
    centre.admit("a")
    table.hello()
    before = centre.total
    brought = Balances(tray=-90_000, jackpot=70_000, reserve=15_000, house=5_000)
    join_with(centre, table, brought)
    assert centre.total.jackpot - before.jackpot == 70_000
    assert table.open(stakes=0).reading == OPENING + 2 * TOKEN + 7


def test_who_has_joined_already_is_another_card(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    before = centre.total
    brought = Balances(jackpot=5, house=-5)
    assert why_call_is_barred(table, lambda: table.join(brought)) is Barred.FORKED
    assert centre.total == before
    assert table.open().refusal is None


def test_a_member_is_not_let_in_again(centre: AnyCentre) -> None:
    seat_table(centre, "a")
    with pytest.raises((ValueError, psycopg.Error), match="a is a member"):
        centre.admit("a")


def test_every_answer_says_that_an_operator_has_asked_to_leave(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    assert not table.beat().leaving
    centre.ask_to_leave("a")
    assert table.beat().leaving
    assert table.open().leaving
    assert not other.beat().leaving


def test_who_is_no_member_is_not_asked_to_leave(centre: AnyCentre) -> None:
    centre.member("a")
    with pytest.raises((ValueError, psycopg.Error), match="a is no member"):
        centre.ask_to_leave("a")


def test_the_answer_to_leave_is_given_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    call = table.ask(Leave)
    first = table.calls.call(table.session, call, 0, table.card.head)
    table.start()
    again = table.send()
    assert (again.n, again.hash, again.refusal) == (first.n, first.hash, None)


def test_with_an_award_pending_it_does_not_leave(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.claim(FLUSH)
    assert table.leave().refusal is CentreRefusal.AWARD_PENDING
    table.agree()
    assert table.leave().refusal is None
    check_books(centre, table)


def test_a_round_that_is_open_holds_nobody_when_its_table_leaves(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    other.claim(ROYAL)
    assert other.beat().awaited == 1
    table.leave()
    assert other.beat().awaited == 0


def test_who_never_called_may_come_with_another_card_when_let_in_again(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    table.start("first card")
    other = LinkedTable("a", centre.member("a"))
    other.card.record("second card")
    assert why_barred(other) is Barred.FORKED
    centre.admit("a")
    other.hello()
    assert other.join().refusal is None
