"""A whole forecast: the averages, and what many runs of the table came to.

docs/reference/prizes.md, section 3. A run goes from award to award, with the product's money. The
tokens between two are booked in one step: cents x basis points are units, so a token worth n tokens
posts exactly what n tokens post.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import comb, log, log1p
from random import Random

from msgspec import Struct

from jackpot.money import movements
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, Units, to_units
from jackpot.money.awards import compute_award
from jackpot.money.expected import MOST_SEATS, Averages, ForecastTerms
from jackpot.money.movements import Overflow
from jackpot.money.settings import MoneySettings

IDENTITY = "forecast"


class PlayedRun(Struct, frozen=True):
    """What one run came to. `meters`: the readings after so many tokens as were asked for.

    `awards`: how many of each prize. `by_reserve`, `by_house`: what each put into the jackpot when
    it began again. `prizes_by_house`: the awards that the house paid.
    """

    meters: tuple[Cents, ...]
    awards: tuple[int, ...]
    paid: Cents
    largest: Cents
    by_reserve: Units
    by_house: Units
    prizes_by_house: Cents


def play_run(terms: ForecastTerms, draws: Random, moments: Sequence[int]) -> PlayedRun:
    """One run until the last of the moments; each is a number of tokens, in rising order.

    Raises Refused.
    """
    run = _Run(terms, draws)
    meters = [run.read_meter(moment) for moment in moments]
    return run.result(tuple(meters))


def book_tokens(terms: ForecastTerms, balances: Balances, tokens: int) -> Balances:
    """The balances after so many tokens: in one step what they post one by one."""
    money, limit = terms.money, terms.prizes.limit
    if not tokens:
        return balances
    all_at_once = MoneySettings(
        Cents(money.token * tokens), money.to_jackpot, money.to_reserve, money.opening, money.base
    )
    above = Units(0)
    if limit is not None:
        above = movements.count_overflow(all_at_once, balances, limit)
    overflow = Overflow(above, terms.prizes.overflow)
    return balances.after(movements.stake(all_at_once, IDENTITY, overflow))


class _Run:
    """A jackpot while it is played."""

    def __init__(self, terms: ForecastTerms, draws: Random) -> None:
        chances = [float(chance) for chance in terms.chances()]
        self._terms = terms
        self._draws = draws
        self._any = min(sum(chances), 1.0)
        self._prizes = terms.prizes.prizes
        self._up_to = list(accumulate(chances))[:-1]
        self._seats = _seat_chances(float(terms.pace.tokens_per_hand))
        self._balances = Balances().after(movements.opening(terms.money))
        self._tokens = 0
        self._awards = [0] * len(chances)
        self._paid = self._largest = self._by_house = 0
        self._topped_up = [0, 0]
        self._next = self._draw_next()

    def read_meter(self, moment: int) -> Cents:
        """Play until so many tokens; the jackpot's reading then."""
        while self._next <= moment:
            self._go_to(self._next)
            self._award()
            self._next = self._tokens + self._draw_next()
        self._go_to(moment)
        return self._balances.jackpot_cents

    def result(self, meters: tuple[Cents, ...]) -> PlayedRun:
        by_reserve, by_house = self._topped_up
        return PlayedRun(
            meters,
            tuple(self._awards),
            Cents(self._paid),
            Cents(self._largest),
            Units(by_reserve),
            Units(by_house),
            Cents(self._by_house),
        )

    def _draw_next(self) -> int:
        """The tokens up to the next that wins, that one among them."""
        if self._any >= 1:
            return 1
        return 1 + int(log(1 - self._draws.random()) / log1p(-self._any))

    def _go_to(self, tokens: int) -> None:
        self._balances = book_tokens(self._terms, self._balances, tokens - self._tokens)
        self._tokens = tokens

    def _award(self) -> None:
        place = bisect_right(self._up_to, self._draws.random() * self._any)
        others = bisect_right(self._seats, self._draws.random())
        award = compute_award(self._prizes[place], 1, self._balances.jackpot_cents, others)
        by_jackpot, by_house = to_units(award.by_jackpot), to_units(award.by_house)
        self._awards[place] += 1
        self._paid += award.paid
        self._by_house += award.by_house
        self._largest = max(self._largest, award.paid)
        pending = movements.award_pending(IDENTITY, by_jackpot, by_house=by_house)
        final = movements.award_final(IDENTITY, Units(by_jackpot + by_house))
        self._balances = self._balances.after(pending).after(final)
        if award.whole:
            self._begin_again()

    def _begin_again(self) -> None:
        before = self._balances
        again = movements.reseed(IDENTITY, before, self._terms.money.base)
        if again is not None:
            self._balances = before.after(again)
            self._topped_up[0] += before.reserve - self._balances.reserve
            self._topped_up[1] += before.house - self._balances.house


def _seat_chances(tokens_per_hand: float) -> list[float]:
    """Up to which draw a hand has 0, 1, ... 5 other seats; beyond the last it has 6."""
    most = MOST_SEATS - 1
    taken = (tokens_per_hand - 1) / most
    return list(accumulate(_binomial(most, taken)))[:-1]


def _binomial(most: int, taken: float) -> Iterator[float]:
    for seats in range(most + 1):
        yield comb(most, seats) * taken**seats * (1 - taken) ** (most - seats)


DAY_H, MONTH_H, YEAR_H = 24, 30 * 24, 365 * 24
"""Hours of play."""

STEPS = 120
"""Points of the band over the whole time."""

LOW, HALF, HIGH = 5, 50, 95
"""Per cent of the runs."""


class Band(Struct, frozen=True):
    """A figure that 5, 50 and 95 % of the runs keep below, or reach."""

    low: int
    median: int
    high: int


class SimulatedRuns(Struct, frozen=True):
    """How the play is simulated: so many runs of so many hours, drawn from a seed."""

    runs: int
    hours: int
    seed: int


class Outlook(Struct, frozen=True):
    """What is forecast. `meters`: hours and the band of the meter then, in cents.

    `awards`: of each prize, in all runs together. `by_reserve`, `by_house`: what they put into the
    jackpot when it began again from its base, in units.
    """

    averages: Averages
    simulated: SimulatedRuns
    meters: tuple[tuple[int, Band], ...]
    awards: tuple[int, ...]
    paid: Band
    largest: Band
    by_reserve: Band
    by_house: Band
    prizes_by_house: Band

    def meter_after(self, hours: int) -> Band:
        """The band of the meter after a day, a month, or the whole time."""
        return dict(self.meters)[hours]


def make_outlook(
    terms: ForecastTerms, simulated: SimulatedRuns, report: Callable[[int], None]
) -> Outlook:
    """Play the runs one after the other; `report` is told how many are done.

    Raises Refused.
    """
    averages = Averages(terms)
    hours = sorted(
        {simulated.hours * step // STEPS for step in range(STEPS + 1)} | {DAY_H, MONTH_H}
    )
    moments = [hour * terms.pace.tokens_per_hour for hour in hours]
    played: list[PlayedRun] = []
    for run in range(simulated.runs):
        played.append(play_run(terms, Random(f"{simulated.seed}/{run}"), moments))
        report(run + 1)
    return Outlook(
        averages,
        simulated,
        tuple(
            (hour, find_band([run.meters[place] for run in played]))
            for place, hour in enumerate(hours)
        ),
        tuple(map(sum, zip(*(run.awards for run in played), strict=True))),
        *(
            find_band([getattr(run, figure) for run in played])
            for figure in ("paid", "largest", "by_reserve", "by_house", "prizes_by_house")
        ),
    )


def find_band(figures: Sequence[int]) -> Band:
    """The figures at 5, 50 and 95 % of their rank."""
    ranked = sorted(figures)
    low, median, high = (
        ranked[max(0, -(-len(ranked) * part // 100) - 1)] for part in (LOW, HALF, HIGH)
    )
    return Band(low, median, high)
