"""Two tables with the same combination (docs/reference/link-rules.md, 3.6)."""

from console.rules.link import (
    AwardState,
    Tie,
)
from jackpot.money.accounts import Reason
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.member_calls.expected import (
    BASE,
    FLUSH,
    OPENING,
    ROYAL,
    STRAIGHT,
    TOKEN,
    check_books,
    last_of,
    only,
)


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
    finals = [last_of(table.beat().changes) for table in (one, two)]
    assert [change.award.state for change in finals] == [AwardState.FINAL] * 2
    assert finals[0].act == finals[1].act
    check_books(centre, one, two, three)


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
