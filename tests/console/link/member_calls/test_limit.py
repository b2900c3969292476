"""The limit of a linked jackpot (docs/reference/prizes.md, 2.12, 2.15, 2.19)."""

import pytest

from console.rules.link import AwardState
from jackpot.money.amounts import Cents
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import read_terms
from tests.console.link.member_calls.expected import ROYAL, check_audited, only, send_all_again

PART = 140 * 10_000
"""Of a token of 2.00, in 1/10,000 of a cent."""
LIMITED = """
limit = "10000.00"
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"
[[prize]]
combination = "FLUSH"
amount = "50.00"
key = "JPL"
"""
LIMIT = 1_000_000 * 10_000

LIMITED_TERMS = read_terms(LIMITED)


@pytest.fixture
def house(make_centre: MakeCentre) -> AnyCentre:
    """A centre with 9,999.30 in the jackpot, 0.70 below its limit, and a base of 5,000.00."""
    return make_centre(terms=LIMITED_TERMS, opening=Cents(999_930))


def test_a_delivery_fills_the_jackpot_and_the_rest_is_moved_by_an_act(house: AnyCentre) -> None:
    """PRIZES 2.12, 2.19"""
    table = seat_table(house, "a", LIMITED_TERMS)
    answer = table.open(stakes=3)
    assert house.total.jackpot == LIMIT
    assert answer.reading == 1_000_000
    over = 3 * PART - 70 * 10_000
    assert house.total.reserve == 3 * 20 * 10_000 + over
    (moved,) = answer.moved
    assert (moved.reason, moved.identity) == ("overflow", f"act-{answer.act}/a/round-1/overflow")
    assert table.stake(1).reading == 1_000_000
    assert table.card.balances.jackpot == 4 * PART, "the table's ledger has whole tokens"
    check_audited(house, table)


def test_overflow_goes_to_the_house_where_the_file_says_so(make_centre: MakeCentre) -> None:
    to_house = read_terms(f'overflow = "house"{LIMITED}')
    centre = make_centre(terms=to_house, opening=Cents(1_000_000))
    before = centre.total
    seat_table(centre, "a", to_house).open(stakes=1)
    assert centre.total.reserve == before.reserve + 20 * 10_000
    assert centre.total.house == before.house + 40 * 10_000 + PART


def test_a_returned_token_takes_back_first_what_its_round_had_kept_out(house: AnyCentre) -> None:
    """PRIZES 2.15: one after the other, and with others between"""
    before = house.total
    table, other = seat_table(house, "a", LIMITED_TERMS), seat_table(house, "b", LIMITED_TERMS)
    table.open(stakes=2)
    other.open(stakes=1)
    (moved,) = table.deliver(table.take_token_back(1)).moved
    assert moved.reason == "overflow_returned"
    assert house.total.jackpot == LIMIT
    table.deliver(table.take_token_back(2))
    assert house.total.jackpot == LIMIT - 70 * 10_000, "of the other round nothing is taken back"
    other.deliver(other.take_token_back(1))
    assert house.total == before
    check_audited(house, table, other)


def test_tokens_and_returns_in_one_delivery_count_in_their_order(house: AnyCentre) -> None:
    table = seat_table(house, "a", LIMITED_TERMS)
    before = house.total
    table.open(stakes=0)
    first, second = table.token(), table.token()
    answer = table.deliver(first, second, table.take_token_back(1), table.take_token_back(2))
    assert answer.moved == ()
    assert house.total == before
    check_audited(house, table)


def test_what_a_correction_brings_above_the_limit_stays_and_nothing_is_added(
    house: AnyCentre,
) -> None:
    """PRIZES 2.13"""
    table = seat_table(house, "a", LIMITED_TERMS)
    arguments = {"source": "house", "target": "jackpot", "amount": 500 * 10_000}
    assert house.approve("correct", {**arguments, "reason": "counted twice"}) is None
    above = house.total.jackpot
    assert above > LIMIT
    table.open(stakes=2)
    assert house.total.jackpot == above
    table.deliver(table.take_token_back(1))
    assert house.total.jackpot == above
    check_audited(house, table)


def test_an_award_makes_room_and_its_cancelling_brings_it_above(house: AnyCentre) -> None:
    """PRIZES 2.19: what returns from an award is no token"""
    one, other = seat_table(house, "a", LIMITED_TERMS), seat_table(house, "b", LIMITED_TERMS)
    one.open(stakes=2)
    one.claim("FLUSH")
    other.open(stakes=3)
    assert house.total.jackpot == LIMIT - 5_000 * 10_000 + 3 * PART
    one.cancel()
    assert house.total.jackpot == LIMIT + 3 * PART
    other.stake(1)
    assert house.total.jackpot == LIMIT + 3 * PART
    check_audited(house, one, other)


def test_two_awards_at_once_at_the_limit(house: AnyCentre) -> None:
    one, other = seat_table(house, "a", LIMITED_TERMS), seat_table(house, "b", LIMITED_TERMS)
    one.open(stakes=2)
    other.open(stakes=2)
    assert only(one.claim("FLUSH")).award.reading == 1_000_000
    assert only(other.claim(ROYAL)).award.reading == 995_000
    assert house.total.jackpot == 500_000 * 10_000
    one.agree()
    assert house.total.jackpot == 500_000 * 10_000
    one.close()
    assert only(other.agree()).award.state is AwardState.FINAL
    check_audited(house, one, other)


def test_after_the_centre_was_set_back_it_is_as_it_was(house: AnyCentre) -> None:
    table, other = seat_table(house, "a", LIMITED_TERMS), seat_table(house, "b", LIMITED_TERMS)
    table.open(stakes=1)
    saved = house.save()
    table.stake(2)
    other.open(stakes=3)
    table.deliver(table.take_token_back(2))
    before = house.total
    house.set_back(saved)
    house.recover()
    send_all_again(other, table)
    assert house.total == before
    table.deliver(table.take_token_back(3))
    assert house.total.jackpot == LIMIT
    table.deliver(table.take_token_back(1))
    assert house.total.jackpot == LIMIT - 70 * 10_000
    check_audited(house, table, other)
