"""`banco forecast`: what a table's prizes will cost and bring."""

import os
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from console.bordereau.words import Wording
from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.table_plan import TablePlan
from console.office.forecast.outlook import Band, Outlook, SimulatedRuns, make_outlook
from console.office.forecast.plot import draw_plot
from console.office.forecast.wording import ForecastWording
from console.office.report import CONFIGURATION
from console.rules.settings import Settings, fit_game, prizes_of
from console.service.supervision.process_end import describe_failure
from console.texts import forecast_texts as texts
from console.texts.language import Language
from jackpot.failures import Failure, Refused
from jackpot.money.amounts import UNITS_PER_CENT, format_cents
from jackpot.money.expected import ForecastTerms, Pace
from jackpot.named_files import write_new

DONE, UNUSABLE = 0, 2


class ForecastRequest(Struct, frozen=True):
    """Of which table, how it is played, how long, and where the answer goes.

    Without `config` it is this machine's table. `seed` None: one is drawn, and shown. `plot`: a
    new file for the SVG.
    """

    config: Path | None
    simulated: bool
    tokens_per_hour: int
    hands_per_hour: int
    hours: int
    runs: int
    seed: int | None
    as_json: bool
    plot: Path | None
    language: Language | None


def forecast(request: ForecastRequest) -> int:
    """Answer `banco forecast`; the exit status."""
    try:
        plan = _plan(request)
        say = Wording(request.language or plan.language)
        pace = Pace(request.tokens_per_hour, request.hands_per_hour)
        terms = terms_of(plan.settings(), pace, say)
        if request.plot is not None and os.path.lexists(request.plot):
            raise Refused(f"{request.plot} is there already; a plot never overwrites a file")
        seed = int.from_bytes(os.urandom(4)) if request.seed is None else request.seed
        simulated = SimulatedRuns(request.runs, request.hours, seed)
        outlook = make_outlook(terms, simulated, _progress(request.runs, say))
        if request.plot is not None:
            write_new(request.plot, draw_plot(outlook, say).encode())
    except FileUnusable as error:
        print(error.in_(request.language), file=sys.stderr)
        return UNUSABLE
    except (Failure, OSError, ValueError) as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    wording = ForecastWording(outlook, say)
    print(_json(outlook, wording) if request.as_json else wording.text(), end="")
    return DONE


def terms_of(settings: Settings, pace: Pace, say: Wording) -> ForecastTerms:
    """What a table's settings ask to be forecast. Raises Refused."""
    game = fit_game(settings.game, settings.poker)
    if not game.progressive:
        raise Refused(say(texts.NOT_PROGRESSIVE.fill(settings.game)))
    return ForecastTerms(prizes_of(settings), settings.money, game.packets[0], pace)


def _plan(request: ForecastRequest) -> TablePlan:
    if request.simulated:
        return TablePlan()
    return load_configuration(request.config or CONFIGURATION).plan()


def _progress(runs: int, say: Wording) -> Callable[[int], None]:
    """Says on a terminal how many runs are done; elsewhere nothing."""
    if not sys.stderr.isatty():
        return lambda _: None

    def report(run: int) -> None:
        end = "\n" if run == runs else ""
        print(say(texts.RUNS_DONE.fill(run, runs)), end=end, file=sys.stderr, flush=True)

    return report


def _json(outlook: Outlook, wording: ForecastWording) -> str:
    """One object; amounts in the currency as text, chances as fractions."""
    averages, terms = outlook.averages, outlook.averages.terms
    simulated = outlook.simulated
    answer: dict[str, Any] = {
        "lines": wording.answer_office(),
        "currency": terms.prizes.currency,
        "token": format_cents(terms.money.token),
        "tokens_per_hour": terms.pace.tokens_per_hour,
        "hands_per_hour": terms.pace.hands_per_hour,
        "to_jackpot": _exact(averages.to_jackpot),
        "to_reserve": _exact(averages.to_reserve),
        "prizes_by_house": _exact(averages.pay_by_house()),
        "break_even": _round(averages.find_break_even()),
        "equilibrium": _round(averages.find_equilibrium()),
        "prizes": [
            {
                "combination": prize.combination,
                "chance": str(chance),
                "tokens_between": str(1 / chance),
                "hours_between": str(1 / chance / terms.pace.tokens_per_hour),
                "awards_simulated": awards,
            }
            for prize, chance, awards in zip(
                terms.prizes.prizes, averages.chances, outlook.awards, strict=True
            )
        ],
        "by_meter": [
            {
                "meter": format_cents(meter),
                "paid_back": _exact(averages.pay_back(Fraction(meter)).paid),
                "house_keeps": _exact(averages.token - averages.pay_back(Fraction(meter)).paid),
            }
            for meter in (terms.money.base, terms.money.opening)
        ],
        "simulation": {
            "runs": simulated.runs,
            "hours": simulated.hours,
            "seed": simulated.seed,
            "meter": [{"hours": hours, **_amounts(band)} for hours, band in outlook.meters],
            "largest_award": _amounts(outlook.largest),
            "awards_paid": _amounts(outlook.paid),
            "base_by_reserve": _amounts(outlook.by_reserve, UNITS_PER_CENT),
            "base_by_house": _amounts(outlook.by_house, UNITS_PER_CENT),
            "prizes_by_house": _amounts(outlook.prizes_by_house),
        },
    }
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"


def _amounts(band: Band, per_cent: int = 1) -> dict[str, str]:
    fields = msgspec.structs.asdict(band).items()
    return {name: format_cents(round(Fraction(amount, per_cent))) for name, amount in fields}


def _round(cents: Fraction | None) -> str | None:
    return None if cents is None else format_cents(round(cents))


def _exact(cents: Fraction) -> str:
    """An amount that no rounding changed: a fraction of the currency's units."""
    return str(cents / 100)
