"""A whole forecast: the averages, and what many runs of the table came to."""

from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

from console.office.forecast.simulated_play import PlayedRun, play_run
from jackpot.money.expected import Averages, ForecastTerms

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
