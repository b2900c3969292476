"""An award is cancelled (docs/reference/link-rules.md, 3.8)."""

from console.rules.link import (
    AwardState,
    CentreRefusal,
)
from jackpot.money.amounts import Cents
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    ROYAL,
    TOKEN,
    check_books,
    only,
)


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
