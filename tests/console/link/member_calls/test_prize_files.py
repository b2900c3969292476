"""Prizes of a file at the centre (docs/reference/link-rules.md, 3.9; docs/reference/prizes.md)."""

import hashlib
from collections.abc import Callable
from functools import partial

import msgspec
import pytest

from console.configuration.table_plan import TablePlan
from console.rules.centre_orders import terms_of
from console.rules.link import Answer, AwardState, Barred, CentreBars, CentreRefusal
from console.rules.structs import replace
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import PrizeTable
from tests.console.link.centres import AnyCentre, MakeCentre, seat_table
from tests.console.link.linked_table import GAME, TERMS, LinkedTable, read_terms
from tests.console.link.member_calls.expected import (
    BASE,
    ROYAL,
    check_audited,
    check_books,
    only,
    send_all_again,
)

HOUSE = """
currency = "CHF"
[[prize]]
combination = "ROYAL_FLUSH"
share = "60"
key = "JPH"
ways = "4/2598960"
[[prize]]
combination = "SUITED_21"
it = "21 DI COLORE"
en = "SUITED 21"
amount = "4000.00"
key = "JPL"
"""
SUITED = "SUITED_21"
OTHERS = {
    "share": ('share = "60"', 'share = "61"'),
    "amount": ("4000.00", "4000.01"),
    "currency": ("CHF", "EUR"),
    "key": ("JPL", "JPH"),
    "words": ("SUITED 21", "SUITED TWO"),
    "ways": ("4/2598960", "36/2598960"),
    "overflow": ("currency", 'overflow = "house"\ncurrency'),
    "name": ("SUITED_21", "SUITED_22"),
}

HOUSE_TERMS = read_terms(HOUSE)


@pytest.fixture
def house(make_centre: MakeCentre) -> AnyCentre:
    """A centre of that house: 10,000.00 in the jackpot."""
    return make_centre(terms=HOUSE_TERMS)


def test_a_file_that_says_what_the_game_has_is_none() -> None:
    """Tables with it and without it play for one jackpot."""
    own = load_prizes(GAME)
    assert terms_of(TablePlan(prizes=own).rules(None)) == TERMS
    ordered = PrizeTable(own.prizes[::-1])
    assert terms_of(TablePlan(prizes=ordered).rules(None)).prize_file == ordered


OF_THE_FIRST_RELEASE = {
    "caribbean-stud": "bcc4ef3c6144afdd74227eb91cf4d446b9800c23e7d0a45d45b50f9323cc662a",
    "tre-card-stud": "a1e331ba46fadc744d44719cc3a7b33c5ed76d20be7581d270c38faaa2213669",
}
"""SHA-256 of the terms that 0.1.0 sends and keeps."""


@pytest.mark.parametrize("game", OF_THE_FIRST_RELEASE)
def test_without_a_file_the_terms_are_those_of_the_first_release(game: str) -> None:
    """PRIZES 1.7: byte for byte"""
    terms = msgspec.json.encode(terms_of(TablePlan(game=game).rules(None)))
    assert hashlib.sha256(terms).hexdigest() == OF_THE_FIRST_RELEASE[game]


@pytest.mark.parametrize("other", OTHERS)
def test_tables_with_another_file_are_barred(house: AnyCentre, other: str) -> None:
    seat_table(house, "a", HOUSE_TERMS).open()
    text = HOUSE.replace(*OTHERS[other])
    for terms in (read_terms(text), TERMS):
        barred = LinkedTable("b", house.member("b"), terms)
        with pytest.raises(CentreBars) as bars:
            barred.start()
        assert bars.value.barred is Barred.SETTINGS
    assert seat_table(house, "c", HOUSE_TERMS).open().refusal is None


def test_the_order_of_the_prizes_is_the_file_s(house: AnyCentre) -> None:
    assert isinstance(HOUSE_TERMS.prize_file, PrizeTable)
    turned = replace(HOUSE_TERMS.prize_file, prizes=HOUSE_TERMS.prize_file.prizes[::-1])
    barred = LinkedTable("b", house.member("b"), replace(HOUSE_TERMS, prize_file=turned))
    with pytest.raises(CentreBars):
        barred.start()


def test_each_gets_the_amount_and_what_the_jackpot_lacks_is_not_made_up(house: AnyCentre) -> None:
    table = seat_table(house, "a", HOUSE_TERMS)
    table.open(stakes=4)
    reading = house.reading
    assert only(table.claim(SUITED)).award.each == 400_000
    assert house.reading == reading - 400_000
    assert only(table.claim(SUITED, 2)).award.each == 400_000
    assert only(table.claim(SUITED, 3)).award.each == reading // 3 < 400_000
    check_books(house, table)
    final = only(table.agree()).award
    assert (final.state, final.winners, final.each) == (AwardState.FINAL, 3, reading // 3)
    assert 0 <= house.reading < 3, "it is not at its base"
    check_books(house, table)


def test_a_cancelled_amount_returns_to_the_jackpot(house: AnyCentre) -> None:
    table = seat_table(house, "a", HOUSE_TERMS)
    table.open()
    before = house.total
    table.claim(SUITED)
    table.cancel()
    assert house.total == before
    check_books(house, table)


def test_an_amount_holds_no_other_round(house: AnyCentre) -> None:
    one, other = seat_table(house, "a", HOUSE_TERMS), seat_table(house, "b", HOUSE_TERMS)
    one.open()
    other.open()
    assert only(one.claim(SUITED)).award.awaited == 0
    assert only(other.claim(SUITED)).award.number == 2
    one.agree()
    other.agree()
    one.open()
    other.open()
    assert only(one.claim(ROYAL)).award.awaited == 1
    check_books(house, one, other)


def test_where_the_jackpot_pays_amounts_alone_nobody_is_held(make_centre: MakeCentre) -> None:
    amounts = read_terms(HOUSE.replace('share = "60"', 'amount = "5.00"'))
    centre = make_centre(terms=amounts)
    one, other = (seat_table(centre, name, amounts) for name in "ab")
    one.open()
    other.open()
    assert only(one.claim(ROYAL)).award.awaited == 0
    assert only(other.claim(ROYAL)).award.number == 2


def test_what_the_file_does_not_have_is_no_prize(house: AnyCentre) -> None:
    table = seat_table(house, "a", HOUSE_TERMS)
    table.open()
    assert table.claim("FLUSH").refusal is CentreRefusal.NOT_THE_TERMS


def test_an_amount_is_what_it_was_after_the_centre_was_set_back(house: AnyCentre) -> None:
    table, other = seat_table(house, "a", HOUSE_TERMS), seat_table(house, "b", HOUSE_TERMS)
    table.open(stakes=3)
    saved = house.save()
    table.claim(SUITED)
    table.claim(SUITED, 2)
    table.agree()
    other.open()
    table.claim(ROYAL)
    before = house.total
    house.set_back(saved)
    house.recover()
    send_all_again(table, other)
    assert house.total == before
    assert only(table.cancel()).award.own == 0
    check_books(house, table, other)


SIXTY = 6_000
"""The share of HOUSE's highest prize, in basis points."""


def test_a_base_goes_back_as_a_shared_award_falls_below_the_whole(house: AnyCentre) -> None:
    """Two of 60 % are the whole, one of them is not."""
    one, other = seat_table(house, "a", HOUSE_TERMS), seat_table(house, "b", HOUSE_TERMS)
    one.open()
    other.open()
    before = house.total
    reading = only(one.claim(ROYAL)).award.reading
    alone = house.total
    assert house.reading == reading - reading * SIXTY // 10_000
    other.claim(ROYAL)
    together = house.total
    assert house.reading == BASE
    other.cancel()
    assert house.total == alone
    other.claim(ROYAL)
    assert house.total == together
    one.cancel()
    assert house.total == alone
    other.cancel()
    assert house.total == before
    one.beat()
    check_audited(house, one, other)


def test_an_award_that_is_final_below_the_whole_has_no_base(house: AnyCentre) -> None:
    one, other = seat_table(house, "a", HOUSE_TERMS), seat_table(house, "b", HOUSE_TERMS)
    one.open()
    other.open()
    reading = only(one.claim(ROYAL)).award.reading
    alone = house.total
    other.claim(ROYAL)
    other.cancel()
    other.close()
    one.beat()
    final = only(one.agree()).award
    assert (final.state, final.each) == (AwardState.FINAL, reading * SIXTY // 10_000)
    assert house.reading == reading - final.each
    assert (house.total.house, house.total.reserve) == (alone.house, alone.reserve)
    check_audited(house, one, other)


@pytest.mark.parametrize("lost", range(6))
@pytest.mark.parametrize("turned", [False, True])
def test_a_base_that_came_and_went_is_what_it_was_after_the_centre_was_set_back(
    house: AnyCentre, lost: int, turned: bool
) -> None:
    """Whatever of it the centre has lost, and whichever table tells first."""
    one, other = seat_table(house, "a", HOUSE_TERMS), seat_table(house, "b", HOUSE_TERMS)
    one.open()
    other.open()
    acts: list[Callable[[], Answer]] = [
        partial(one.claim, ROYAL),
        partial(other.claim, ROYAL),
        one.cancel,
        partial(one.claim, ROYAL),
        other.cancel,
        other.close,
    ]
    for act in acts[:lost]:
        act()
    saved = house.save()
    for act in acts[lost:]:
        act()
    one.beat()
    before = house.total
    house.set_back(saved)
    house.recover()
    send_all_again(*((other, one) if turned else (one, other)))
    assert house.total == before
    assert only(one.agree()).award.state is AwardState.FINAL
    check_audited(house, one, other)
