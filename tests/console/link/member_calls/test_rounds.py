"""Rounds open, early and late, and returned tokens.

docs/reference/link-rules.md, 2.1, 3.1, 3.11.
"""

import msgspec

from console.rules.link import (
    CentreRefusal,
    Deliver,
    Open,
)
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, to_units
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.member_calls.expected import (
    FLUSH,
    OPENING,
    ROYAL,
    STRAIGHT,
    TOKEN,
    check_books,
    only,
)

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
    token = msgspec.structs.replace(table.token(), identity="a/round-1/seat-2/stake")
    table.call(lambda n: Deliver(n, 1, (token,)))
    assert table.claim(FLUSH).refusal is CentreRefusal.NOBODY_ELIGIBLE
