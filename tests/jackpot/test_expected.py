"""The averages of a token, in closed form: exact to the last fraction of a cent."""

from fractions import Fraction

import pytest

from jackpot.money.amounts import Cents
from jackpot.money.expected import Averages, ForecastTerms, Pace, expect_award
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Prize, PrizeTable
from jackpot.money.settings import MoneySettings

MONEY = MoneySettings(token=Cents(100), to_jackpot=7_500, to_reserve=0)
ROW_1 = (
    Prize("ROYAL_FLUSH", 10_000, True),
    Prize("STRAIGHT_FLUSH", 1_000, True),
    Prize("FOUR_OF_A_KIND", 0, False, Cents(50_000)),
    Prize("FULL_HOUSE", 0, False, Cents(10_000)),
    Prize("FLUSH", 0, False, Cents(5_000)),
)
"""The first row of the table of cases: 1.00 a token, 75 % of it to the jackpot."""

HANDS = 2_598_960


def averages(*prizes: Prize, money: MoneySettings = MONEY, pace: Pace | None = None) -> Averages:
    return Averages(ForecastTerms(PrizeTable(prizes), money, 5, pace or Pace()))


def test_break_even_and_equilibrium_of_the_first_case() -> None:
    """PRIZES 3.5, 3.6: exact, and in cents as they are published."""
    of = averages(*ROW_1)
    assert of.find_break_even() == Fraction((HANDS - 941_800) * 100 * 10, 76)
    assert of.find_equilibrium() == Fraction((75 * HANDS - 94_180_000) * 10, 76)
    assert [round(found) for found in (of.find_break_even(), of.find_equilibrium()) if found] == [
        21_804_737,
        13_255_526,
    ]


def test_a_token_is_worth_its_price_at_the_break_even() -> None:
    """PRIZES 3.1, 3.5, 3.6: with envy and with what the house pays."""
    rows = [
        (
            *ROW_1[:2],
            *(Prize(one.combination, 0, False, one.amount, Cents(2_500)) for one in ROW_1[2:]),
        ),
        (*ROW_1[:3], Prize("FULL_HOUSE", 0, False, Cents(10_000), Cents(700), by_house=True)),
        load_prizes("caribbean-stud").prizes,
    ]
    for prizes in rows:
        of = averages(*prizes)
        even, level = of.find_break_even(), of.find_equilibrium()
        assert even is not None
        assert level is not None
        assert of.pay_back(even).paid == of.token
        assert of.pay_back(level).by_jackpot == of.to_jackpot
        assert of.pay_back(even - 1).paid < of.token


def test_what_a_token_brings_back_by_the_meter() -> None:
    """PRIZES 3.1: shares, fixed amounts and envy; k is tokens per hand less 1."""
    prize = Prize("FOUR_OF_A_KIND", 0, False, Cents(50_000), Cents(2_500))
    of = averages(prize, pace=Pace(120, 40))
    rich = of.pay_back(Fraction(1_000_000))
    assert (rich.fixed, rich.envy) == (Fraction(624 * 50_000, HANDS), Fraction(624 * 5_000, HANDS))
    poor = expect_award(prize, Fraction(51_000), Fraction(2))
    assert [poor.fixed, poor.envy, poor.by_jackpot] == [50_000, 1_000, 51_000]
    assert expect_award(prize, Fraction(300), Fraction(2)).paid == 300


def test_a_table_without_shares_has_no_meter_that_changes_it() -> None:
    """PRIZES 3.5, 3.6: there is none, or it is 0.00."""
    by_house = averages(Prize("FLUSH", 0, False, Cents(5_000), by_house=True))
    assert (by_house.find_break_even(), by_house.find_equilibrium()) == (None, None)
    assert by_house.pay_by_house() == Fraction(5_108 * 5_000, HANDS)
    generous = averages(Prize("FLUSH", 0, False, Cents(500_000), by_house=True))
    assert generous.find_break_even() == 0


def test_a_low_break_even_is_found_where_the_jackpot_lacks() -> None:
    """PRIZES 3.5: the jackpot pays what it has, so the meter is found between two amounts."""
    of = averages(Prize("FLUSH", 0, False, Cents(90_000)), ROW_1[0])
    even = of.find_break_even()
    assert even is not None
    assert even < 90_000
    assert even == Fraction(100 * HANDS, 5_108 + 4)


@pytest.mark.parametrize("pace", [(120, 15), (10, 45), (0, 0)])
def test_a_hand_has_one_to_seven_tokens(pace: tuple[int, int]) -> None:
    """PRIZES 3.9: an average that no seats can make is refused."""
    with pytest.raises(ValueError, match=r"must (be|have)"):
        Pace(*pace)
