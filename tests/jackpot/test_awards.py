"""Prize tables and amounts (docs/reference/rules.md, section 3)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money.amounts import Cents
from jackpot.money.awards import one_more, quote
from jackpot.money.prizes import Combination, Prize, load_prizes, parse_prizes

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
        (prize.combination.value, prize.share / 100, "JPH" if prize.high else "JPL")
        for prize in prizes
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


GOOD = '[[prize]]\ncombination = "FLUSH"\nshare = "1"\nkey = "JPL"\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "x.toml: prize:"),
        ("prize = 1", "x.toml: prize:"),
        ("[[prize", "x.toml: "),
        (GOOD + GOOD, "x.toml: combination: .* twice"),
        ("game = 1\n" + GOOD, "x.toml: game: unknown key"),
        (GOOD.replace("FLUSH", "PAIR"), "x.toml: prize 1: combination: 'PAIR'"),
        (GOOD.replace('"1"', '"101"'), "x.toml: prize 1: share: '101'"),
        (GOOD.replace('"1"', '"0"'), "x.toml: prize 1: share: "),
        (GOOD.replace("JPL", "S"), "x.toml: prize 1: key: 'S'"),
        (GOOD.replace("key", "turn"), "x.toml: prize 1: it needs exactly"),
    ],
)
def test_a_mistake_in_a_table_names_file_and_key(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_prizes(text, "x.toml")


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
    award = quote(prize, winners, Cents(1_000_280))
    assert (award.each, award.total, award.whole) == (each, total, whole)


def test_two_halves_are_the_whole() -> None:
    half = load_prizes("tre-card-stud").of(Combination.DOUBLE_THREE_DEALER)
    one = quote(half, 1, Cents(1_001))
    two = one_more(one, half)
    assert (one.each, one.whole) == (500, False)
    assert (two.each, two.total, two.whole) == (500, 1_000, True)
    assert (one_more(two, half).each, one_more(two, half).total) == (333, 999)


@given(st.integers(1, 10_000), st.integers(1, 7), st.integers(0, 10**11))
def test_each_gets_the_floor_of_his_exact_part(share: int, winners: int, reading: int) -> None:
    prize = Prize(Combination.FLUSH, share, high=False)
    part = min(winners * Fraction(share, 10_000), Fraction(1))
    award = quote(prize, winners, Cents(reading))
    assert award.each == part * reading // winners
    assert award.total == award.each * winners <= reading
    assert part * reading - award.total < winners, "what stays cannot be divided"
    assert award.whole == (part == 1)
    assert one_more(award, prize) == quote(prize, winners + 1, Cents(reading))


def test_somebody_must_win_and_an_overdrawn_jackpot_gives_nothing() -> None:
    prize = load_prizes("caribbean-stud").of(Combination.FLUSH)
    with pytest.raises(ValueError, match="0 winners"):
        quote(prize, 0, Cents(100))
    assert quote(prize, 1, Cents(-1_000)).total == 0
