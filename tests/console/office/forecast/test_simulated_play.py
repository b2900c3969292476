"""The simulated years: booked as the product books them, and as often as the formulas say."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev

from hypothesis import given
from hypothesis import strategies as st

from console.office.forecast.outlook import PlayedRun, book_tokens, play_run
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, to_units
from jackpot.money.expected import Averages, ForecastTerms, Pace
from jackpot.money.movements import Overflow, count_overflow, stake
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import Prize, PrizeTable
from jackpot.money.settings import MoneySettings

STANDARD_ERRORS = 4
RUNS = 60
MONTH = 120 * 720

ENVIED = PrizeTable(
    (
        Prize("ROYAL_FLUSH", 10_000, True, ways="4/25989"),
        Prize("FOUR_OF_A_KIND", 0, False, Cents(50_000), Cents(2_500), ways="1/4000"),
        Prize("FULL_HOUSE", 0, False, Cents(10_000), by_house=True),
        Prize("FLUSH", 100, False, envy=Cents(300), by_house=True),
    )
)
"""Every kind of prize; the rare ones come often enough for a month to have some."""


@st.composite
def any_terms(draw: st.DrawFn) -> ForecastTerms:
    to_jackpot = draw(st.integers(0, 10_000))
    money = MoneySettings(
        Cents(draw(st.integers(1, 1_000))),
        to_jackpot,
        draw(st.integers(0, 10_000 - to_jackpot)),
        Cents(0),
        Cents(0),
    )
    limit = draw(st.none() | st.integers(0, 10**6).map(Cents))
    overflow = draw(st.sampled_from([Account.RESERVE, Account.HOUSE]))
    table = PrizeTable((Prize("FLUSH", 100, False),), limit=limit, overflow=overflow)
    return ForecastTerms(table, money, 5, Pace())


@given(any_terms(), st.integers(0, 60), st.integers(0, 2 * 10**10), st.integers(0, 10**9))
def test_one_step_books_what_the_tokens_book_one_by_one(
    terms: ForecastTerms, tokens: int, jackpot: int, reserve: int
) -> None:
    """PRIZES 3.7: to the unit, under a limit too, and above it."""
    before = Balances(-jackpot - reserve, jackpot, reserve)
    one_by_one = before
    for token in range(tokens):
        overflow = None
        if terms.prizes.limit is not None:
            above = count_overflow(terms.money, one_by_one, terms.prizes.limit)
            overflow = Overflow(above, terms.prizes.overflow)
        one_by_one = one_by_one.after(stake(terms.money, f"token {token}", overflow))
    assert book_tokens(terms, before, tokens) == one_by_one


def play_runs(terms: ForecastTerms, moments: Sequence[int], runs: int = RUNS) -> list[PlayedRun]:
    return [play_run(terms, Random(f"28/{run}"), moments) for run in range(runs)]


def test_the_same_seed_gives_the_same_figures() -> None:
    """PRIZES 3.8: and the moments that are looked at change nothing."""
    terms = ForecastTerms(load_prizes("caribbean-stud"), MoneySettings(), 5, Pace())
    often = play_run(terms, Random(1), range(120, MONTH + 1, 120))
    seldom = play_run(terms, Random(1), (MONTH,))
    assert often.meters[-1:] == seldom.meters
    assert (often.awards, often.paid, often.largest) == (seldom.awards, seldom.paid, seldom.largest)
    assert play_run(terms, Random(2), (MONTH,)) != seldom


def test_prizes_come_as_often_as_the_formula_says() -> None:
    """PRIZES 3.2: within 4 standard errors, each prize."""
    for game, cards in (("caribbean-stud", 5), ("tre-card-stud", 3)):
        terms = ForecastTerms(load_prizes(game), MoneySettings(), cards, Pace())
        runs = play_runs(terms, (MONTH,))
        tokens = MONTH * RUNS
        for place, chance in enumerate(map(float, terms.chances())):
            found = sum(run.awards[place] for run in runs)
            error = sqrt(tokens * chance * (1 - chance))
            assert abs(found - tokens * chance) <= STANDARD_ERRORS * error


def test_what_is_paid_is_what_the_formula_says() -> None:
    """PRIZES 3.1, 3.9: shares by the mean meter, fixed amounts, envy; 4 standard errors."""
    terms = ForecastTerms(ENVIED, MoneySettings(), 5, Pace())
    averages = Averages(terms)
    moments = range(60, MONTH + 1, 60)
    apart, by_house = [], []
    for run in play_runs(terms, moments):
        meter = Fraction(sum(run.meters), len(run.meters))
        expected = averages.pay_back(meter)
        apart.append(float(run.paid - MONTH * expected.paid))
        by_house.append(float(run.prizes_by_house - MONTH * averages.pay_by_house()))
    for differences in (apart, by_house):
        error = stdev(differences) / sqrt(RUNS)
        assert abs(fmean(differences)) <= STANDARD_ERRORS * error


def test_the_meter_settles_at_the_equilibrium() -> None:
    """PRIZES 3.6: without a base, the mean meter of a long play is the equilibrium."""
    often = PrizeTable((Prize("FLUSH", 1_000, False), Prize("FULL_HOUSE", 0, False, Cents(5_000))))
    terms = ForecastTerms(often, MoneySettings(), 5, Pace())
    level = Averages(terms).find_equilibrium()
    assert level is not None
    moments = range(MONTH, 2 * MONTH + 1, 600)
    means = [fmean(run.meters) for run in play_runs(terms, moments)]
    assert abs(fmean(means) - float(level)) <= STANDARD_ERRORS * stdev(means) / sqrt(RUNS)


def test_the_base_comes_from_the_reserve_and_then_from_the_house() -> None:
    """PRIZES 3.7: every cent of a run has its place."""
    limit = Cents(1_050_000)
    terms = ForecastTerms(
        PrizeTable(ENVIED.prizes, limit=limit), MoneySettings(to_reserve=100), 5, Pace()
    )
    run = play_run(terms, Random(28), range(600, MONTH + 1, 600))
    assert run.awards[0] > 0
    assert max(run.meters) <= limit
    money, meter = terms.money, run.meters[-1]
    added = run.by_reserve + run.by_house
    brought = to_units(money.opening) + added - to_units(run.paid - run.prizes_by_house)
    assert brought <= to_units(meter) + 10_000 <= brought + MONTH * money.token * money.to_jackpot
    assert run.by_reserve > 0
