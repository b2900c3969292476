"""The contract of the centre, a test a sentence (docs/link-rules.md, 2 and 3).

The model keeps it, and PostgreSQL.
"""

import msgspec
import pytest

from console.rules.link import (
    Answer,
    AwardState,
    Barred,
    Beat,
    CentreBars,
    CentreRefusal,
    Change,
    Deliver,
    Open,
    ProofAsked,
    Terms,
    Tie,
)
from jackpot.accounts import Account, Balances, Reason, Transaction
from jackpot.amounts import Cents, to_units
from jackpot.journal import Head
from jackpot.prizes import Combination
from tests.console.link.centres import AnyCentre, MakeCentre
from tests.console.link.linked_table import TERMS, LinkedTable

ROYAL = Combination.ROYAL_FLUSH
STRAIGHT = Combination.STRAIGHT_FLUSH
FLUSH = Combination.FLUSH
OPENING = 1_000_000
BASE = 500_000
TOKEN = 140
"""What a token brings the jackpot, in cents."""


@pytest.fixture(params=["make_model", "make_postgres"])
def make_centre(request: pytest.FixtureRequest) -> MakeCentre:
    """How a centre is made: the fixture of this name does it."""
    make: MakeCentre = request.getfixturevalue(request.param)
    return make


@pytest.fixture
def centre(make_centre: MakeCentre) -> AnyCentre:
    """A centre: 10,000.00 in the jackpot, base 5,000.00, a tie is split."""
    return make_centre()


def seat_table(centre: AnyCentre, name: str) -> LinkedTable:
    """A table that has said hello and joined with nothing."""
    table = LinkedTable(name, centre.member(name))
    table.start()
    table.join()
    return table


def only(answer: Answer) -> Change:
    """The answer's only change."""
    (change,) = answer.changes
    return change


def why_barred(table: LinkedTable) -> Barred:
    """Why the table's hello is barred."""
    with pytest.raises(CentreBars) as barred:
        table.hello()
    return barred.value.barred


def check_books(centre: AnyCentre, *tables: LinkedTable) -> None:
    """The accounts sum to 0, and the ledgers' awards are the centre's."""
    total = centre.total
    assert sum(total.to_dict().values()) == 0
    assert total.jackpot >= 0 <= total.reserve
    assert total.pending == sum(table.card.balances.pending for table in tables)
    assert total.paid == sum(table.card.balances.paid for table in tables)
    assert total.tray == sum(table.card.balances.tray for table in tables)


# 3: the numbers


def test_the_centre_takes_n_last_plus_one(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    assert [table.open().n, table.close().n] == [3, 4]


def test_a_lower_one_gets_the_stored_answer_with_todays_reading(centre: AnyCentre) -> None:
    table, other = seat_table(centre, "a"), seat_table(centre, "b")
    call = table.ask(lambda n: Open(n, 1))
    first = table.send()
    other.open(stakes=3)
    again = table.calls.call(table.session, call, 0, table.card.head)
    assert (again.n, again.hash, again.refusal) == (first.n, first.hash, None)
    assert again.reading == first.reading + 3 * TOKEN


def test_a_lower_one_does_nothing_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=0)
    call = table.ask(lambda n: Deliver(n, 1, (table.token(),)))
    table.send()
    for _ in range(3):
        table.calls.call(table.session, call, 0, table.card.head)
    check_books(centre, table)


def test_a_lower_one_brings_the_changes_since_the_act_that_it_names(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    call = table.ask(table.claims(FLUSH, 1))
    session, head = table.session, table.card.head
    first = table.calls.call(session, call, 0, head)
    again = table.calls.call(session, call, 0, head)
    assert again.changes == first.changes
    assert table.calls.call(session, call, only(first).act, head).changes == ()


def test_a_higher_one_is_a_gap(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    with pytest.raises(CentreBars) as barred:
        table.calls.call(table.session, Open(3, 1), 0, table.card.head)
    assert barred.value.barred is Barred.GAP
    assert table.open().refusal is None


def test_a_refusal_is_an_answer_stored_under_n(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=1)
    table.claim(FLUSH)
    call = table.ask(table.claims(FLUSH, 2))
    first = table.send()
    assert first.refusal is CentreRefusal.NOBODY_ELIGIBLE
    again = table.calls.call(table.session, call, 0, table.card.head)
    assert (again.refusal, again.hash) == (first.refusal, first.hash)
    assert table.agree().refusal is None


def test_each_answer_has_another_hash(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    hashes = {table.open().hash, table.stake().hash, table.stake().hash, table.close().hash}
    assert len(hashes) == 4
    assert all(len(bytes.fromhex(one)) == 32 for one in hashes)


# 3.1: open


def test_open_brings_the_reading(centre: AnyCentre) -> None:
    assert seat_table(centre, "a").open(stakes=0).reading == OPENING


def test_stakes_of_all_tables_are_in_the_reading(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    assert other.open(stakes=3).reading == OPENING + 5 * TOKEN
    check_books(centre, one, other)


def test_open_again_before_the_first_stake_replaces_it(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open(stakes=0)
    one.open()
    assert only(one.claim(ROYAL)).award.awaited == 1
    other.call(lambda n: Open(n, other.card.round))
    assert one.beat().awaited == 0


# 3.3: the hit


def test_the_centre_freezes_the_reading_and_answers_pending(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    change = only(table.claim(STRAIGHT))
    reading = OPENING + 2 * TOKEN
    assert change.award.state is AwardState.PENDING
    assert (change.award.reading, change.award.each) == (reading, reading // 10)
    assert centre.reading == reading - reading // 10
    check_books(centre, table)


def test_jpot_again_claims_one_winner_more_of_that_award(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    first = only(table.claim(STRAIGHT)).award
    second = only(table.claim(STRAIGHT, 2)).award
    assert (second.number, second.reading, second.each) == (first.number, first.reading, first.each)
    assert (second.winners, second.own) == (2, 2)
    check_books(centre, table)


def test_one_winner_more_of_the_highest_divides_it(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=3)
    table.claim(ROYAL)
    table.claim(ROYAL, 2)
    award = only(table.claim(ROYAL, 3)).award
    assert award.each == (OPENING + 3 * TOKEN) // 3
    check_books(centre, table)


def test_a_winner_more_of_a_final_award_is_award_final(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.claim(FLUSH)
    table.agree()
    assert table.claim(FLUSH, 2).refusal is CentreRefusal.AWARD_FINAL


def test_a_rounds_winners_are_at_most_the_stakes_it_ever_had(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.claim(FLUSH)
    table.agree()
    table.claim(STRAIGHT)
    assert table.claim(STRAIGHT, 2).refusal is CentreRefusal.NOBODY_ELIGIBLE
    table.agree()
    assert table.claim(FLUSH).refusal is CentreRefusal.NOBODY_ELIGIBLE


def test_a_returned_token_takes_no_place_away(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=1)
    table.deliver(table.take_token_back(1))
    assert table.claim(FLUSH).refusal is None


def test_a_cancelled_awards_place_is_free_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=1)
    table.claim(FLUSH)
    table.cancel()
    assert table.claim(FLUSH).refusal is None


def test_claim_and_cancel_after_a_refused_claim_are_answered(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=0)
    assert table.claim(FLUSH).refusal is CentreRefusal.NOBODY_ELIGIBLE
    answer = table.cancel()
    assert (answer.refusal, answer.changes) == (None, ())


def test_the_ledger_books_the_centres_figures_under_the_same_identities(
    centre: AnyCentre,
) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=3)
    table.claim(STRAIGHT)
    table.claim(STRAIGHT, 2)
    table.agree()
    table.claim(FLUSH)
    table.cancel()
    assert list(table.card.ledger)[3:] == [
        "a/round-1/award-1/pending",
        "a/round-1/award-1/winner-2",
        "a/round-1/award-1/final",
        "a/round-1/award-2/pending",
        "a/round-1/award-2/cancelled",
    ]
    check_books(centre, table)


def test_an_award_of_an_empty_jackpot_is_nothing(make_centre: MakeCentre) -> None:
    table = seat_table(make_centre(opening=Cents(0)), "a")
    table.open(stakes=0)
    table.deliver(Transaction("a/round-1/seat-1/stake", Reason.STAKE, ()))
    change = only(table.claim(FLUSH))
    assert change.award.each == 0
    assert change.transaction is not None
    assert change.transaction.postings == ()


# 3.4: fixed


def test_an_award_without_a_hold_and_another_table_is_fixed(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open()
    one.open()
    assert only(one.claim(STRAIGHT)).award.fixed


def test_a_fixed_award_is_final_with_agree(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.claim(ROYAL)
    change = only(table.agree())
    assert change.award.state is AwardState.FINAL
    assert change.transaction is not None
    assert change.transaction.reason is Reason.AWARD_FINAL
    check_books(centre, table)


def test_agree_twice_is_final_once(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.claim(FLUSH)
    table.agree()
    again = table.agree()
    assert (again.refusal, again.changes) == (None, ())
    check_books(centre, table)


# 3.5: the base


def test_at_100_per_cent_the_base_is_put_in_at_once(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    assert table.claim(ROYAL).reading == BASE
    assert centre.total.reserve == 0
    check_books(centre, table)


def test_ten_straight_flushes_are_100_per_cent_too(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=10)
    table.claim(STRAIGHT)
    readings = [table.claim(STRAIGHT, winners).reading for winners in range(2, 11)]
    assert readings[-2] == (OPENING + 10 * TOKEN) // 10
    assert readings[-1] == BASE


def test_the_base_is_put_in_once(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=3)
    table.claim(ROYAL)
    before = centre.total
    table.claim(ROYAL, 2)
    assert centre.total.house == before.house
    check_books(centre, table)


def test_a_base_that_is_there_already_takes_nothing(make_centre: MakeCentre) -> None:
    centre = make_centre(base=Cents(0))
    table = seat_table(centre, "a")
    table.open()
    house = centre.total.house
    table.claim(ROYAL)
    assert centre.total.house == house
    assert centre.reading == 0


# 3.6: two tables


def test_every_round_open_elsewhere_goes_into_hold(centre: AnyCentre) -> None:
    one, two, three = (seat_table(centre, name) for name in "abc")
    for table in (one, two, three):
        table.open()
    assert only(one.claim(ROYAL)).award.awaited == 2
    assert seat_table(centre, "d").open().awaited == 0


def test_a_lower_combination_holds_nobody(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    assert only(one.claim(STRAIGHT)).award.awaited == 0
    assert only(other.claim(STRAIGHT)).award.number == 2


def test_the_same_combination_claimed_in_such_a_round_joins_the_award(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    other.open()
    first = only(one.claim(ROYAL)).award
    joined = only(other.claim(ROYAL)).award
    assert (joined.number, joined.reading) == (first.number, first.reading)
    assert (joined.winners, joined.own, joined.tables) == (2, 1, 2)
    assert joined.each == first.reading // 2
    (change,) = one.beat().changes
    assert (change.award.each, change.award.own, change.award.tables) == (joined.each, 1, 2)
    assert change.transaction is not None
    assert change.transaction.reason is Reason.AWARD_RAISED
    check_books(centre, one, other)


def test_each_is_the_floor_of_m_by_all_winners(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    other.open()
    one.claim(ROYAL)
    one.claim(ROYAL, 2)
    reading = OPENING + 3 * TOKEN
    assert only(other.claim(ROYAL)).award.each == reading // 3
    one.beat()
    check_books(centre, one, other)


def test_another_combination_in_such_a_round_is_an_award_of_its_own(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    assert only(other.claim(FLUSH)).award.reading == BASE
    assert one.beat().awaited == 1


def test_a_hold_ends_with_close(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.close()
    assert one.beat().awaited == 0


def test_a_hold_ends_with_a_new_open(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.open()
    assert one.beat().awaited == 0
    assert only(other.claim(ROYAL)).award.number == 2


def test_a_later_round_plays_for_the_new_jackpot(centre: AnyCentre) -> None:
    one, later = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    one.claim(ROYAL)
    later.open()
    award = only(later.claim(ROYAL)).award
    assert (award.number, award.reading) == (2, BASE + TOKEN)
    assert one.beat().awaited == 0


def test_the_oldest_award_that_holds_a_round_is_joined(centre: AnyCentre) -> None:
    held, one, two = (seat_table(centre, name) for name in "abc")
    held.open()
    one.open()
    one.claim(ROYAL)
    two.open()
    two.claim(ROYAL)
    assert two.beat().awaited == 2
    assert only(held.claim(ROYAL)).award.number == 1
    assert two.beat().awaited == 2


def test_key_in_r_is_agreed_while_a_hold_is_left(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    change = only(one.agree())
    assert change.award.state is AwardState.AGREED
    assert change.transaction is None
    assert centre.total.paid == 0


def test_one_winner_more_takes_agreed_back(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    other.open()
    one.claim(ROYAL)
    one.agree()
    assert only(one.claim(ROYAL, 2)).award.state is AwardState.PENDING
    other.close()
    assert one.beat().changes == ()
    assert only(one.agree()).award.state is AwardState.FINAL


def test_the_award_is_final_as_a_whole_when_all_agreed_and_no_hold_is_left(
    centre: AnyCentre,
) -> None:
    one, two, three = (seat_table(centre, name) for name in "abc")
    for table in (one, two, three):
        table.open()
    one.claim(ROYAL)
    one.agree()
    two.claim(ROYAL)
    assert only(two.agree()).award.state is AwardState.AGREED
    three.close()
    finals = [only_of(table.beat().changes) for table in (one, two)]
    assert [change.award.state for change in finals] == [AwardState.FINAL] * 2
    assert finals[0].act == finals[1].act
    check_books(centre, one, two, three)


def only_of(changes: tuple[Change, ...]) -> Change:
    """The last of these changes."""
    assert changes
    return changes[-1]


def test_the_last_to_agree_is_told_at_once(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.agree()
    answer = other.agree()
    assert (only(answer).award.state, answer.awaited) == (AwardState.FINAL, 0)


def test_who_is_awaited_counts_tables_in_hold_and_those_that_have_not_agreed(
    centre: AnyCentre,
) -> None:
    one, two, three = (seat_table(centre, name) for name in "abc")
    for table in (one, two, three):
        table.open()
    assert one.claim(ROYAL).awaited == 2
    assert two.claim(ROYAL).awaited == 2
    three.close()
    assert one.beat().awaited == 1
    two.agree()
    assert one.beat().awaited == 0
    assert two.beat().awaited == 1


def test_tie_order_the_second_gets_base_and_what_came_since(make_centre: MakeCentre) -> None:
    centre = make_centre(tie=Tie.ORDER)
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open(stakes=2)
    assert only(one.claim(ROYAL)).award.fixed
    other.stake()
    assert only(other.claim(ROYAL)).award.reading == BASE + TOKEN
    check_books(centre, one, other)


# 3.8: cancel


def test_cancel_brings_the_amount_back_and_the_base_goes_back(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    before = centre.total
    table.claim(ROYAL)
    assert only(table.cancel()).award.state is AwardState.CANCELLED
    assert centre.total == before
    check_books(centre, table)


def test_the_base_goes_back_to_the_house_then_to_the_reserve(make_centre: MakeCentre) -> None:
    centre = make_centre(opening=Cents(0), base=Cents(100))
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    other.open(stakes=1)
    before = centre.total
    one.claim(ROYAL)
    other.claim(FLUSH)
    one.cancel()
    after = centre.total
    assert (after.house, after.reserve) == (before.house, before.reserve)
    check_books(centre, one, other)


def test_cancel_of_a_final_award_is_award_final(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.claim(FLUSH)
    table.agree()
    assert table.cancel().refusal is CentreRefusal.AWARD_FINAL
    check_books(centre, table)


def test_cancel_twice_returns_the_amount_once(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    before = centre.total
    table.claim(FLUSH)
    table.cancel()
    assert table.cancel().refusal is None
    assert centre.total == before


def test_a_winner_more_of_a_cancelled_award_is_refused(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.claim(FLUSH)
    table.cancel()
    assert table.claim(FLUSH, 2).refusal is CentreRefusal.AWARD_FINAL


def test_of_several_tables_the_others_each_rises(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    other.cancel()
    (_, change) = one.beat().changes
    assert change.award.each == change.award.reading == OPENING + 2 * TOKEN
    assert change.award.tables == 1
    check_books(centre, one, other)


def test_the_round_that_cancelled_is_in_hold_again(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.agree()
    other.cancel()
    assert one.beat().awaited == 1
    again = only(other.claim(ROYAL)).award
    assert (again.number, again.tables) == (1, 2)
    assert only(other.agree()).award.state is AwardState.FINAL
    one.beat()
    check_books(centre, one, other)


def test_the_first_of_two_may_cancel_and_the_other_keeps_the_award(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.cancel()
    other.agree()
    assert other.card.balances.paid == 0
    one.close()
    (*_, change) = other.beat().changes
    assert change.award.state is AwardState.FINAL
    assert change.award.each == OPENING + 2 * TOKEN
    check_books(centre, one, other)


def test_the_last_to_cancel_ends_award_and_holds(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    before = centre.total
    one.claim(ROYAL)
    other.claim(ROYAL)
    one.cancel()
    other.cancel()
    assert centre.total == before
    assert only(one.claim(ROYAL)).award.number == 2
    check_books(centre, one, other)


# 2.1: what the jackpot lacks


def test_what_a_returned_token_lacks_comes_from_the_reserve_then_from_the_house(
    make_centre: MakeCentre,
) -> None:
    centre = make_centre(opening=Cents(0), base=Cents(0))
    table = seat_table(centre, "a")
    table.open(stakes=2)
    table.claim(ROYAL)
    before = centre.total
    assert before.jackpot == 0
    table.deliver(table.take_token_back(1))
    after = centre.total
    assert (after.jackpot, after.reserve) == (0, 0)
    assert after.house - before.house == -to_units(Cents(40 + 120))
    assert table.card.balances.reserve == to_units(20)
    check_books(centre, table)


def test_a_returned_token_is_exactly_reversed_in_the_members_ledger(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    before = centre.total
    table.open(stakes=1)
    table.deliver(table.take_token_back(1))
    assert table.card.balances == Balances()
    assert centre.total == before


def test_what_an_award_raised_lacks_the_centre_adds(make_centre: MakeCentre) -> None:
    centre = make_centre(base=Cents(0))
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open(stakes=2)
    other.open()
    one.claim(STRAIGHT)
    other.claim(ROYAL)
    assert centre.reading == 0
    one.claim(STRAIGHT, 2)
    assert centre.total.jackpot == 0
    check_books(centre, one, other)


def test_every_amount_returned_leaves_the_jackpot_as_the_award_found_it(
    make_centre: MakeCentre,
) -> None:
    centre = make_centre(opening=Cents(10_001))
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    before = centre.total.of(Account.JACKPOT)
    one.claim(ROYAL)
    other.claim(ROYAL)
    other.cancel()
    one.cancel()
    assert centre.total.of(Account.JACKPOT) == before


# 3.11: months late


def test_stakes_are_booked_when_they_come_never_refused(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.close()
    late = table.stake(2)
    assert late.refusal is None
    assert centre.reading == OPENING + 3 * TOKEN


def test_a_claim_of_a_round_ended_meanwhile_is_round_closed(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.close()
    assert table.claim(FLUSH).refusal is CentreRefusal.ROUND_CLOSED
    assert centre.total.pending == 0


def test_a_late_stake_makes_nobody_eligible_in_another_round(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open()
    table.open(stakes=0)
    late = table.identity("late/stake")
    token = msgspec.structs.replace(table.token(), identity=late)
    table.call(lambda n: Deliver(n, 1, (token,)))
    assert table.claim(FLUSH).refusal is CentreRefusal.NOBODY_ELIGIBLE


# 3.12: clone, older card, fence


def test_a_new_session_fences_older_ones(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    fenced = table.session
    table.hello()
    with pytest.raises(CentreBars) as barred:
        table.calls.call(fenced, Open(2, 1), 0, table.card.head)
    assert barred.value.barred is Barred.FENCED
    with pytest.raises(CentreBars) as barred:
        table.calls.beat(fenced, Beat("PAUSED", (), None), 0)
    assert barred.value.barred is Barred.FENCED
    assert table.open().refusal is None


def test_a_fenced_call_does_nothing(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    fenced = table.session
    table.open(stakes=0)
    table.hello()
    before = centre.total
    with pytest.raises(CentreBars):
        table.calls.call(fenced, Deliver(3, 1, (table.token(),)), 0, table.card.head)
    assert centre.total == before


def test_welcome_brings_the_last_n_and_the_reading(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=2)
    welcome = table.start()
    assert (welcome.n, welcome.reading, welcome.beat_s) == (3, OPENING + 2 * TOKEN, 1)


def test_hello_names_the_record_of_which_the_hash_is_asked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    sent = table.card.head
    table.open(stakes=0)
    table.card.record("start")
    asked = table.greet()
    assert isinstance(asked, ProofAsked)
    assert sent.seq < asked.seq < table.card.head.seq
    assert table.hello().n == 2


def test_a_wrong_proof_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.card.record("start")
    asked = table.greet()
    assert isinstance(asked, ProofAsked)
    with pytest.raises(CentreBars) as barred:
        table.greet(Head(asked.seq, "0" * 64))
    assert barred.value.barred is Barred.FORKED


def test_an_older_card_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    older = table.clone()
    table.open(stakes=3)
    assert why_barred(older) is Barred.FORKED


def test_of_two_clones_the_second_hello_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    clone.start("start of the clone")
    table.card.record("start of the table")
    assert why_barred(table) is Barred.FORKED


def test_a_clone_that_went_on_by_itself_is_forked(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    clone = table.clone()
    table.open(stakes=0)
    for number in range(9):
        clone.card.record("a record of the clone", number)
    assert why_barred(clone) is Barred.FORKED
    assert table.stake().refusal is None


def test_a_member_barred_has_no_new_session(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    older = table.clone()
    table.open(stakes=0)
    assert why_barred(older) is Barred.FORKED
    assert table.close().refusal is None


def test_a_restart_sends_the_outbox_again(centre: AnyCentre) -> None:
    table = seat_table(centre, "a")
    table.open(stakes=0)
    call = table.ask(lambda n: Deliver(n, 1, (table.token(), table.token())))
    table.calls.call(table.session, call, 0, table.card.head)
    assert table.start().n == call.n
    table.send()
    assert centre.reading == OPENING + 2 * TOKEN
    check_books(centre, table)


# 3.13: a centre set back


def test_a_centre_without_what_the_member_holds_as_answered_is_behind(
    make_centre: MakeCentre,
) -> None:
    table = seat_table(make_centre(), "a")
    table.open()
    table.calls = make_centre().member("a")
    assert why_barred(table) is Barred.BEHIND


def test_a_centre_with_another_answer_is_behind(make_centre: MakeCentre) -> None:
    table = seat_table(make_centre(), "a")
    centre = make_centre()
    other = LinkedTable("a", centre.member("a"))
    other.start("another card")
    other.join(Balances(jackpot=1, house=-1))
    other.open()
    table.calls = other.calls
    assert why_barred(table) is Barred.BEHIND


# 3.9 and 3.14: settings, join, leave


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
    assert table.join(brought).reading == OPENING + 7
    assert centre.total.reserve - before.reserve == 15_000


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
    with pytest.raises(CentreBars) as barred:
        table.open()
    assert barred.value.barred is Barred.NOT_A_MEMBER
    table.card.outbox.clear()
    table.card.n -= 1
    assert table.join().reading == OPENING + TOKEN


# 1.6: the beat


def test_a_beat_brings_the_own_awards_changed_since_that_act(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    other.open()
    one.claim(ROYAL)
    assert one.beat().changes == ()
    other.claim(ROYAL)
    (change,) = one.beat().changes
    assert change.award.identity == one.award
    assert one.beat().changes == ()
    one.card.act = 0
    fresh = one.calls.beat(one.session, Beat("AWARDING", (), None), 0)
    assert [len(fresh.changes), fresh.changes[-1]] == [2, change]


def test_a_beat_brings_the_reading(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    other.open(stakes=2)
    assert one.beat().reading == OPENING + 2 * TOKEN


def test_no_other_members_change_is_told(centre: AnyCentre) -> None:
    one, other = seat_table(centre, "a"), seat_table(centre, "b")
    one.open()
    one.claim(FLUSH)
    one.agree()
    assert other.beat().changes == ()
