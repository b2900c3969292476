"""Prize tables and amounts (docs/reference/rules.md, section 3)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import compute_award
from jackpot.money.movements import award_pending
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Combination, Prize

CARIBBEAN_STUD = [
    ("ROYAL_FLUSH", 100, "JPH"),
    ("STRAIGHT_FLUSH", 10, "JPH"),
    ("FOUR_OF_A_KIND", 3, "JPL"),
    ("FULL_HOUSE", 2, "JPL"),
    ("FLUSH", 1, "JPL"),
]
TRE_CARD_STUD = [
    ("DOUBLE_THREE_PLAYER", 100, "JPH"),
    ("DOUBLE_THREE_DEALER", 50, "JPH"),
    ("ROYAL_FLUSH", 10, "JPL"),
    ("STRAIGHT_FLUSH", 4, "JPL"),
    ("THREE_OF_A_KIND", 3, "JPL"),
]


@pytest.mark.parametrize(
    ("game", "table"), [("caribbean-stud", CARIBBEAN_STUD), ("tre-card-stud", TRE_CARD_STUD)]
)
def test_the_prizes_are_those_of_the_house(game: str, table: list[tuple[str, int, str]]) -> None:
    prizes = load_prizes(game).prizes
    assert [
        (prize.combination, prize.share / 100, "JPH" if prize.high else "JPL") for prize in prizes
    ] == table
    for prize in prizes:
        assert load_prizes(game).of(prize.combination) is prize


def test_a_combination_of_the_other_game_wins_nothing() -> None:
    with pytest.raises(ValueError, match="THREE_OF_A_KIND wins nothing"):
        load_prizes("caribbean-stud").of(Combination.THREE_OF_A_KIND)


@pytest.mark.parametrize("game", ["black-jack", "", "../settings"])
def test_a_game_without_a_progressive(game: str) -> None:
    with pytest.raises(ValueError, match="caribbean-stud, tre-card-stud"):
        load_prizes(game)


@pytest.mark.parametrize(
    ("combination", "winners", "each", "total", "whole"),
    [
        ("FLUSH", 1, 10_002, 10_002, False),  # the scenarios' example
        ("FLUSH", 2, 10_002, 20_004, False),  # each his own percentage
        ("ROYAL_FLUSH", 1, 1_000_280, 1_000_280, True),
        ("ROYAL_FLUSH", 3, 333_426, 1_000_278, True),  # equal parts; 2 cents stay
    ],
)
def test_the_amounts_of_a_jackpot_that_reads_10002_80(
    combination: str, winners: int, each: int, total: int, whole: bool
) -> None:
    prize = load_prizes("caribbean-stud").of(Combination(combination))
    award = compute_award(prize, winners, Cents(1_000_280))
    assert (award.each, award.total, award.whole) == (each, total, whole)


def test_two_halves_are_the_whole() -> None:
    half = load_prizes("tre-card-stud").of(Combination.DOUBLE_THREE_DEALER)
    one = compute_award(half, 1, Cents(1_001))
    two, three = (compute_award(half, winners, Cents(1_001)) for winners in (2, 3))
    assert (one.each, one.whole) == (500, False)
    assert (two.each, two.total, two.whole) == (500, 1_000, True)
    assert (three.each, three.total) == (333, 999)


@given(st.integers(1, 10_000), st.integers(1, 7), st.integers(0, 10**11))
def test_each_gets_the_floor_of_his_exact_part(share: int, winners: int, reading: int) -> None:
    prize = Prize(Combination.FLUSH, share, high=False)
    part = min(winners * Fraction(share, 10_000), Fraction(1))
    award = compute_award(prize, winners, Cents(reading))
    assert award.each == part * reading // winners
    assert award.total == award.each * winners <= reading
    assert part * reading - award.total < winners, "what stays cannot be divided"
    assert award.whole == (part == 1)


def test_somebody_must_win_and_an_overdrawn_jackpot_gives_nothing() -> None:
    prize = load_prizes("caribbean-stud").of(Combination.FLUSH)
    with pytest.raises(ValueError, match="0 winners"):
        compute_award(prize, 0, Cents(100))
    assert compute_award(prize, 1, Cents(-1_000)).total == 0


@st.composite
def any_prize(draw: st.DrawFn) -> Prize:
    share = draw(st.integers(0, 10_000))
    return Prize(
        "ANY",
        share,
        high=True,
        amount=Cents(0 if share else draw(st.integers(1, 10**7))),
        envy=Cents(draw(st.integers(0, 10**6))),
        by_house=draw(st.booleans()),
    )


@given(any_prize(), st.integers(1, 7), st.integers(-1_000, 10**8), st.integers(0, 7))
def test_each_cent_of_an_award_has_its_reason(
    prize: Prize, winners: int, reading: int, others: int
) -> None:
    """PRIZES 2.1, 2.2, 2.3, 2.5, 2.9, 2.11: whatever the prize, the jackpot never goes below 0."""
    award = compute_award(prize, winners, Cents(reading), others)
    there = max(reading, 0)
    if prize.share:
        each = there * min(winners * prize.share, 10_000) // (10_000 * winners)
    else:
        each = prize.amount if prize.by_house else min(prize.amount, there // winners)
    assert (award.each, award.total) == (each, each * winners)
    assert award.whole == (winners * prize.share >= 10_000)
    envied = award.envy.each if award.envy else 0
    if others and prize.envy:
        full = winners * prize.envy
        assert envied == (full if prize.by_house else min(full, (there - award.total) // others))
    assert award.paid == award.total + others * envied == award.by_jackpot + award.by_house
    assert 0 <= award.by_jackpot <= there
    assert (award.by_house == 0) or prize.by_house
    pending = award_pending("one", to_units(award.by_jackpot), by_house=to_units(award.by_house))
    after = Balances(jackpot=to_units(Cents(there))).after(pending)
    assert sum(after.to_dict().values()) == there * 10_000
    assert (after.pending, after.jackpot >= 0) == (award.paid * 10_000, True)
