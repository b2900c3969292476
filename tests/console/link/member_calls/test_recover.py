"""A centre set back, and told again what it had answered (docs/reference/link-rules.md, 3.13)."""

import pytest
from msgspec import to_builtins

from console.rules.link import (
    AwardState,
    Barred,
    Beat,
    CentreBars,
    CentreRefusal,
    Deliver,
    Held,
    Open,
    Tie,
)
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import MONEY, LinkedTable
from tests.console.link.member_calls.expected import (
    FLUSH,
    ROYAL,
    STRAIGHT,
    ask,
    check_books,
    join_with,
    only,
    send_all_again,
    why_barred,
)

pytestmark = pytest.mark.sampled(of=2)


def test_a_centre_set_back_plays_with_nobody(centre: AnyCentre) -> None:
    """LINK 3.13.1: an idle table, too, once another has shown that the centre is behind."""
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    centre.set_back(saved)
    other.hello()
    other.beat()
    assert why_barred(table) is Barred.BEHIND
    for ask_for in (other.hello, other.beat, other.open):
        with pytest.raises(CentreBars) as barred:
            ask_for()
        assert barred.value.barred is Barred.BEHIND
    other.card.outbox.clear()
    other.card.n = other.card.answered
    assert centre.approve("round-over", {"member": "b"}) == "RECOVERING"
    centre.recover()
    assert why_barred(other) is Barred.BEHIND
    table.hello()
    assert other.hello().n == other.card.answered


def test_a_clone_is_no_proof_that_the_centre_was_set_back(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    clone = table.clone()
    clone.start("in its place")
    clone.open()
    table.card.answered += 3
    assert why_barred(table) is Barred.FORKED
    assert other.open().refusal is None


def test_a_table_that_lied_since_the_backup_is_looked_at_before_it_plays(
    centre: AnyCentre,
) -> None:
    """LINK 2.4.4: what operators said of it since the backup is lost"""
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    saved = centre.save()
    lie = movements.stake(MONEY, "b/round-1/seat-1/stake")
    refused = table.call(lambda n: Deliver(n, 1, (lie,)))
    assert refused.refusal is CentreRefusal.NOT_THE_TERMS
    centre.set_back(saved)
    centre.recover()
    for one in (table, other):
        one.send_again(ask(one))
    assert why_barred(table) is Barred.SETTINGS
    looked = {"source": "house", "target": "reserve", "amount": 1, "reason": "looked at the table"}
    assert centre.approve("correct", {**looked, "member": "a"}) is None
    table.hello()
    assert table.stake().refusal is None
    other.hello()


def test_all_is_as_it_was(centre: AnyCentre) -> None:
    """LINK 3.13.2"""
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open(stakes=2)
    saved = centre.save()
    table.claim(FLUSH)
    other.open(stakes=3)
    table.cancel()
    table.claim(ROYAL)
    table.agree()
    other.claim(ROYAL)
    other.agree()
    table.beat()
    table.deliver(table.take_token_back(2))
    other.close()
    before = centre.total
    assert table.card.awards_seen[table.award].state is AwardState.FINAL
    centre.set_back(saved)
    assert centre.total != before
    centre.recover()
    send_all_again(table, other)
    assert centre.total == before
    check_books(centre, table, other)
    for one in (table, other):
        again = [
            one.calls.call(one.session, held.call, 0, one.card.head)
            for held in one.card.held
            if held.call is not None
        ]
        assert [answer.hash for answer in again] == [
            held.answer.hash for held in one.card.held if held.answer is not None
        ]
    assert table.beat().changes == other.beat().changes == ()
    known = max(table.card.act, other.card.act)
    assert only(table.claim(FLUSH)).act > known


def test_a_join_that_was_lost_is_made_again(centre: AnyCentre) -> None:
    """LINK 3.14.1: what it says to have been let bring, two operators see again."""
    table = LinkedTable("a", centre.member("a"))
    table.start()
    saved = centre.save()
    brought = Balances(tray=700, house=-700)
    join_with(centre, table, brought)
    table.open()
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    assert why_barred(table) is Barred.NOT_A_MEMBER
    asked = {"member": "a", "balances": to_builtins(brought)}
    assert centre.approve("join", asked | {"balances": to_builtins(Balances())}) == "LIST_OUTDATED"
    assert centre.approve("join", asked) is None
    send_all_again(table)
    assert centre.total == before
    assert table.close().refusal is None


def test_one_that_is_done_waits_for_all(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    other.open()
    centre.set_back(saved)
    centre.recover()
    assert why_barred(table) is Barred.BEHIND
    assert why_barred(table) is Barred.BEHIND
    other.hello()
    assert table.hello().reading == centre.reading


def test_who_has_died_is_not_waited_for(centre: AnyCentre) -> None:
    table, dead = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    dead.open(stakes=5)
    centre.set_back(saved)
    centre.recover(without=["b"])
    table.hello()
    check_books(centre, table)
    assert why_barred(dead) is Barred.FORKED


def test_who_dies_meanwhile_is_left_out_by_a_second_recover(centre: AnyCentre) -> None:
    table, _dead = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    centre.set_back(saved)
    centre.recover()
    assert why_barred(table) is Barred.BEHIND
    centre.recover(without=["b"])
    table.hello()
    check_books(centre, table)


def test_what_is_sent_twice_is_booked_once(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    saved = centre.save()
    table.open(stakes=2)
    table.claim(STRAIGHT)
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    asked = ask(table)
    assert (asked.after, asked.act) == (1, 0)
    for held in table.card.held:
        table.calls.recall(asked.session, held)
        table.calls.recall(asked.session, held)
    asked = ask(table)
    assert (asked.after, asked.act) == (table.card.answered, table.card.act)
    table.calls.recall(asked.session, None)
    table.calls.recall(asked.session, None)
    assert centre.total == before


def test_a_number_left_out_is_a_gap(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    saved = centre.save()
    table.open()
    centre.set_back(saved)
    centre.recover()
    asked = ask(table)
    with pytest.raises(CentreBars) as barred:
        table.calls.recall(asked.session, table.card.held[-1])
    assert barred.value.barred is Barred.GAP


def test_another_history_is_a_fork(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    saved = centre.save()
    table.open()
    centre.set_back(saved)
    centre.recover()
    asked = ask(table)
    held = table.card.held[1]
    more = Deliver(2, 1, (table.token(),))
    with pytest.raises(CentreBars) as barred:
        table.calls.recall(asked.session, replace(held, call=more))
    assert barred.value.barred is Barred.FORKED
    assert centre.total == Balances(jackpot=centre.total.jackpot, house=-centre.total.jackpot)


def test_who_holds_another_answer_than_the_centre_is_a_fork(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    centre.recover()
    table.card.answer_hash = "00" * 32
    assert why_barred(table) is Barred.FORKED


def test_an_older_session_sends_nothing_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    centre.recover()
    asked = ask(table)
    ask(table)
    with pytest.raises(CentreBars) as barred:
        table.calls.recall(asked.session, None)
    assert barred.value.barred is Barred.FENCED


def test_a_refusal_stays_one(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    saved = centre.save()
    table.open(stakes=1)
    table.claim(FLUSH)
    refused = table.call(table.claims(FLUSH, 2))
    assert refused.refusal is CentreRefusal.NOBODY_ELIGIBLE
    centre.set_back(saved)
    centre.recover()
    send_all_again(table)
    call = table.card.held[-1].call
    assert call is not None
    again = table.calls.call(table.session, call, table.card.act, table.card.head)
    assert (again.refusal, again.hash) == (refused.refusal, refused.hash)
    assert only(table.agree()).award.own == 1


# Holds


def test_rounds_open_at_the_freeze_are_in_hold_again_and_no_others(centre: AnyCentre) -> None:
    names = ("a", "b", "c", "d")
    table, other, late, closed = (seat_table(centre, name) for name in names)
    saved = centre.save()
    other.open()
    closed.open()
    table.open()
    table.claim(ROYAL)
    late.open()
    closed.close()
    assert table.beat().awaited == 1
    centre.set_back(saved)
    centre.recover()
    send_all_again(table, other, late, closed)
    assert table.beat().awaited == 1
    assert only(other.claim(ROYAL)).award.tables == 2
    assert only(late.claim(ROYAL)).award.tables == 1


def test_holds_that_were_there_end_as_the_rounds_did(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open()
    table.open()
    table.claim(ROYAL)
    saved = centre.save()
    table.agree()
    other.close()
    centre.set_back(saved)
    centre.recover()
    send_all_again(other, table)
    assert table.beat().changes[-1].award.state is AwardState.FINAL
    check_books(centre, table, other)


def test_a_round_that_cancelled_is_in_hold_again(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open()
    table.open()
    saved = centre.save()
    table.claim(ROYAL)
    other.claim(ROYAL)
    other.cancel()
    table.beat()
    centre.set_back(saved)
    centre.recover()
    send_all_again(table, other)
    assert table.beat().awaited == 1
    other.close()
    table.agree()
    check_books(centre, table, other)


def test_tie_order_holds_nobody(make_centre: MakeCentre) -> None:
    centre = make_centre(tie=Tie.ORDER)
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    other.open()
    table.open()
    table.claim(ROYAL)
    centre.set_back(saved)
    centre.recover()
    send_all_again(table, other)
    assert table.beat().awaited == 0


# What the centre alone moved


@pytest.mark.parametrize("base", [Cents(0), Cents(500_000), Cents(3_000_000)])
def test_the_base_is_put_in_once(make_centre: MakeCentre, base: Cents) -> None:
    centre = make_centre(base=base)
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    table.claim(ROYAL)
    table.agree()
    other.open(stakes=4)
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    send_all_again(other, table)
    assert centre.total == before


def test_a_base_that_went_back_stays_out(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open()
    table.claim(ROYAL)
    table.cancel()
    other.open(stakes=2)
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    send_all_again(other, table)
    assert centre.total == before


def test_an_addition_is_made_again(make_centre: MakeCentre) -> None:
    centre = make_centre(opening=Cents(0), base=Cents(0))
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    saved = centre.save()
    table.claim(ROYAL)
    other.deliver(other.take_token_back(1))
    table.stake(3)
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    send_all_again(other, table)
    assert centre.total == before


# What was known and not answered


def test_a_claim_known_by_a_beat_is_answered_when_it_comes(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    saved = centre.save()
    table.open(stakes=2)
    call = table.ask(table.claims(FLUSH, 1))
    table.calls.call(table.session, call, table.card.act, table.card.head)
    table.beat()
    before = centre.total
    centre.set_back(saved)
    centre.recover()
    send_all_again(table, other)
    assert centre.total == before
    assert table.send().refusal is None
    assert centre.total == before
    assert only(table.agree()).award.state is AwardState.FINAL
    check_books(centre, table, other)


def test_an_opening_without_an_answer_is_asked_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    saved = centre.save()
    table.card.round = 1
    call = table.ask(lambda n: Open(n, 1))
    table.calls.call(table.session, call, 0, table.card.head)
    centre.set_back(saved)
    table.hello()
    assert table.send().refusal is None
    assert table.stake().refusal is None


def test_a_part_that_agreed_is_final_when_another_table_knows_it(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    table.open()
    other.open()
    saved = centre.save()
    table.claim(ROYAL)
    other.claim(ROYAL)
    table.agree()
    other.agree()
    before = centre.total
    assert table.card.awards_seen[table.award].state is AwardState.AGREED
    centre.set_back(saved)
    centre.recover()
    send_all_again(table, other)
    assert table.beat().changes[-1].award.state is AwardState.FINAL
    assert centre.total == before
    check_books(centre, table, other)


# The timeline


def test_a_lower_timeline_than_the_one_known_is_behind(centre: AnyCentre) -> None:
    """LINK 3.13.1"""
    table = seat_table(centre, "a")
    table.card.timeline += 1
    assert why_barred(table) is Barred.BEHIND
    centre.recover()
    welcome = table.hello()
    assert table.card.timeline == welcome.timeline
    assert table.hello().timeline == welcome.timeline
    table.card.timeline += 1
    assert why_barred(table) is Barred.BEHIND


def test_nothing_is_asked_of_who_does_not_recover(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    asked = table.calls.recall(table.session, Held(None, None, ()))
    assert asked.after == 1
    assert table.calls.beat(table.session, Beat("PAUSED", (), None), 0).changes == ()
