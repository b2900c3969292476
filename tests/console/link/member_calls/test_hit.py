"""A hit at one table (docs/reference/link-rules.md, 3.3 to 3.5)."""

from console.rules.link import (
    AwardState,
    CentreRefusal,
)
from console.rules.structs import replace
from jackpot.money.accounts import Reason
from jackpot.money.amounts import Cents
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import TERMS, LinkedTable
from tests.console.link.member_calls.expected import (
    BASE,
    FLUSH,
    OPENING,
    ROYAL,
    STRAIGHT,
    TOKEN,
    check_books,
    only,
)

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
    table.open(stakes=1)
    table.deliver(table.take_token_back(1))
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


def test_five_straight_flushes_of_20_per_cent_are_100_per_cent_too(
    make_centre: MakeCentre,
) -> None:
    terms = replace(TERMS, prizes=TERMS.prizes | {STRAIGHT: 2_000})
    table = LinkedTable("a", make_centre(terms=terms).member("a"), terms)
    table.start()
    table.join()
    table.open(stakes=5)
    table.claim(STRAIGHT)
    readings = [table.claim(STRAIGHT, winners).reading for winners in range(2, 6)]
    assert readings[-2] == (OPENING + 5 * TOKEN) // 5
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


def test_what_the_centre_moves_is_part_of_the_act_that_is_the_cause(centre: AnyCentre) -> None:
    """The base of a claim and of a cancel, by the same identities at every centre."""
    table = seat_table(centre, "a")
    table.open()
    for answer, what in ((table.claim(ROYAL), "reseed"), (table.cancel(), "reseed-returned")):
        (moved,) = answer.moved
        assert answer.act == only(answer).act
        assert moved.identity == f"award-1/act-{answer.act}/{what}"
