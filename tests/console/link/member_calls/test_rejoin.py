"""A forked member rejoins in a new epoch (docs/reference/link-rules.md, 3.12)."""

import pytest

from console.link.rejoin_list import RejoinList
from console.rules.link import (
    AwardState,
    Barred,
    CentreBars,
    CentreRefusal,
    Close,
    Deliver,
    Rejoined,
)
from jackpot.money import movements
from jackpot.money.accounts import Reason, Transaction
from tests.console.link.centres import AnyCentre, seat_table
from tests.console.link.linked_table import MONEY, LinkedTable
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    TOKEN,
    check_books,
    last_of,
    why_barred,
)


def list_of(centre: AnyCentre, table: LinkedTable, *missing: Transaction) -> RejoinList:
    """The list of this table's card."""
    waits = [call for call in table.card.outbox if isinstance(call, Deliver)]
    handled = tuple(one.identity for call in waits for one in call.transactions)
    known, card = centre.know(table.name), table.card
    return RejoinList(table.epoch, card.head, missing, handled, known, card.act)


def fork(centre: AnyCentre) -> tuple[LinkedTable, LinkedTable]:
    """A table, and a clone of it that has played a round of its own."""
    table = seat_table(centre, "a")
    clone = table.clone()
    table.open(stakes=1)
    table.close()
    clone.card.round = 1
    clone.ask(lambda n: Deliver(n, 1, (clone.token(), clone.token())))
    return table, clone


def test_what_the_centre_lacked_is_booked_in_the_new_epoch(centre: AnyCentre) -> None:
    table, clone = fork(centre)
    tokens = tuple(clone.card.ledger.values())
    assert why_barred(clone) is Barred.FORKED
    assert centre.rejoin("a", list_of(centre, clone, *tokens)) is None
    assert clone.hello().n == 1
    assert clone.beat().reading == OPENING + 3 * TOKEN
    assert (clone.epoch, clone.card.outbox) == (2, [])
    check_books(centre, table, clone)


def test_only_the_table_with_that_ledger_is_let_in(centre: AnyCentre) -> None:
    table, clone = fork(centre)
    older = clone.clone()
    centre.rejoin("a", list_of(centre, clone))
    assert why_barred(table) is Barred.FORKED
    clone.hello()
    older.card.record("start of an older card")
    assert why_barred(older) is Barred.FORKED
    assert clone.open().n == 3


def test_an_older_card_of_a_table_that_had_left_rejoins_when_it_is_let_in(
    centre: AnyCentre,
) -> None:
    """LINK 3.12.2"""
    table = seat_table(centre, "a")
    table.open(stakes=1)
    older = table.clone()
    table.stake(2)
    table.close()
    table.leave()
    assert centre.rejoin("a", list_of(centre, older)) == "NOT_JOINED"
    centre.admit("a")
    assert why_barred(older) is Barred.FORKED
    assert centre.rejoin("a", list_of(centre, older)) is None
    assert older.hello().n == 1
    assert older.open(stakes=1).reading == OPENING + 4 * TOKEN


def test_the_round_of_a_lie_is_none_that_the_table_goes_on_from(centre: AnyCentre) -> None:
    """LINK 2.4.4: it was let in again by a rejoin, and plays."""
    table = seat_table(centre, "a")
    table.open(stakes=1)
    no_round = 10**17
    lie = movements.stake(MONEY, f"a/round-{no_round}/seat-1/stake")
    refused = table.call(lambda n: Deliver(n, no_round, (lie,)))
    assert refused.refusal is CentreRefusal.NOT_THE_TERMS
    assert centre.rejoin("a", list_of(centre, table)) is None
    table.hello()
    assert table.card.round == 1
    assert table.open(stakes=1).reading == OPENING + 2 * TOKEN


def test_a_call_of_the_epoch_that_ended_is_fenced(centre: AnyCentre) -> None:
    table, clone = fork(centre)
    centre.rejoin("a", list_of(centre, clone))
    with pytest.raises(CentreBars) as barred:
        table.open()
    assert barred.value.barred is Barred.FENCED


def test_it_is_told_until_it_has_booked_it(centre: AnyCentre) -> None:
    _, clone = fork(centre)
    centre.rejoin("a", list_of(centre, clone))
    first, again = clone.greet(), clone.greet()
    assert isinstance(first, Rejoined)
    assert first == again


def test_a_token_that_came_after_the_list_is_delivered(centre: AnyCentre) -> None:
    _, clone = fork(centre)
    tokens = tuple(clone.card.ledger.values())
    listed = list_of(centre, clone, *tokens)
    clone.ask(lambda n: Deliver(n, 1, (clone.token(),)))
    centre.rejoin("a", listed)
    clone.hello()
    assert len(clone.card.outbox) == 1
    assert clone.send().reading == OPENING + 4 * TOKEN


def test_it_is_told_the_greatest_round_that_the_centre_has_seen(centre: AnyCentre) -> None:
    table, clone = fork(centre)
    for _ in range(4):
        table.open()
    centre.rejoin("a", list_of(centre, clone))
    clone.hello()
    assert clone.card.round == 5


def test_changes_since_its_last_act_come_and_are_booked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    table.open()
    table.claim(FLUSH)
    table.agree()
    centre.rejoin("a", list_of(centre, clone))
    clone.hello()
    assert last_of(clone.beat().changes).award.state is AwardState.FINAL
    assert clone.card.balances.paid == centre.total.paid


def test_new_acts_have_numbers_above_all_that_it_has_booked(centre: AnyCentre) -> None:
    """It was left out of a recovery, so nobody told of its last acts (3.12)."""
    table = seat_table(centre, "a")
    saved = centre.save()
    for _ in range(3):
        table.open()
        table.claim(FLUSH)
        table.agree()
    centre.set_back(saved)
    centre.recover(without=["a"])
    tokens = [one for one in table.card.ledger.values() if one.reason is Reason.STAKE]
    assert centre.rejoin("a", list_of(centre, table, *tokens)) is None
    table.hello()
    table.open()
    assert last_of(table.claim(FLUSH).changes).award.state is AwardState.PENDING


def test_awards_that_are_pending_are_ended_before(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    table.open()
    table.claim(FLUSH)
    assert centre.rejoin("a", list_of(centre, clone)) == "AWARD_PENDING"
    table.agree()
    assert centre.rejoin("a", list_of(centre, clone)) is None


def test_a_list_is_for_one_epoch_alone(centre: AnyCentre) -> None:
    _, clone = fork(centre)
    listed = list_of(centre, clone, *clone.card.ledger.values())
    assert centre.rejoin("a", listed) is None
    assert centre.rejoin("a", listed) == "EPOCH_ENDED"
    assert centre.reading == OPENING + 3 * TOKEN


def test_what_was_delivered_after_the_list_was_made_is_not_booked_again(centre: AnyCentre) -> None:
    """LINK 3.12.1: the list that the two approved no longer fits"""
    table = seat_table(centre, "a")
    table.open(stakes=0)
    table.ask(lambda n: Deliver(n, 1, tuple(table.token() for _ in range(7))))
    listed = list_of(centre, table, *table.card.ledger.values())
    table.send()
    assert centre.rejoin("a", listed) == "LIST_OUTDATED"
    assert centre.reading == OPENING + 7 * TOKEN
    assert table.close().refusal is None


def test_a_list_does_not_fit_once_the_table_has_said_hello(centre: AnyCentre) -> None:
    """LINK 3.12.1: its last record is another"""
    table = seat_table(centre, "a")
    listed = list_of(centre, table)
    table.start("again")
    assert centre.rejoin("a", listed) == "LIST_OUTDATED"


def test_a_list_does_not_fit_a_centre_with_another_history(centre: AnyCentre) -> None:
    """LINK 3.12.1: as many calls, of another hash"""
    table = seat_table(centre, "a")
    saved = centre.save()
    table.open(stakes=0)
    listed = list_of(centre, table)
    centre.set_back(saved)
    centre.member("a").call(table.session, Close(2, 1), 0, table.card.head)
    assert centre.know("a").n == listed.known.n
    assert centre.rejoin("a", listed) == "LIST_OUTDATED"


def test_who_has_not_joined_does_not_rejoin(centre: AnyCentre) -> None:
    table = LinkedTable("a", centre.member("a"))
    assert centre.rejoin("a", list_of(centre, table)) == "NOT_JOINED"


def test_the_round_that_was_open_holds_nobody(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    centre.rejoin("a", list_of(centre, table))
    table.hello()
    assert table.claim(FLUSH).refusal is not None
    assert table.open().refusal is None


def test_each_entry_has_the_record_that_came_with_it(centre: AnyCentre) -> None:
    _, clone = fork(centre)
    centre.rejoin("a", list_of(centre, clone))
    entries = centre.entries("a")
    assert [(one.epoch, one.n) for one in entries] == [(1, n) for n in range(1, 5)] + [(2, 1)]
    records = clone.card.records
    held = [records[one.head.seq - 1 : one.head.seq] == [one.head.hash] for one in entries]
    assert held == [True, False, False, False, True]


def test_a_rejoin_that_a_restore_undid_is_made_again(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    clone = table.clone()
    table.open()
    assert centre.rejoin("a", list_of(centre, clone)) is None
    clone.hello()
    clone.open()
    centre.set_back(saved)
    centre.recover(without=["a"])
    other.hello()
    assert why_barred(clone) is Barred.FORKED
    lacks = tuple(clone.card.ledger.values())
    assert centre.rejoin("a", list_of(centre, clone, *lacks)) is None
    clone.hello()
    assert clone.epoch == 3
    check_books(centre, clone, other)
