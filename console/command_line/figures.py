"""`banco report`, `forecast`, `rake`: figures for the office, of a night, of years, of a pot."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction
from pathlib import Path

from console.command_line.arguments import add_config_or_sim, add_language, read_language
from console.command_line.command import BancoCommand

YEAR_H = 365 * 24
SHORTEST, LONGEST = Fraction(1, 10), 100
MOST_RUNS = 100_000


def _add_report(report: ArgumentParser) -> None:
    table = report.add_mutually_exclusive_group()
    table.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="a ledger's folder")
    add_config_or_sim(table)
    which = report.add_mutually_exclusive_group()
    which.add_argument(
        "--night", metavar="DATE", help="the night that began on this day: 2026-11-20"
    )
    which.add_argument("--rounds", metavar="A-B", help="these rounds, such as 3-17")
    which.add_argument("--last", action="store_true", help="the last night that is closed")
    report.add_argument("--format", choices=("text", "json", "pdf"), default="text")
    report.add_argument(
        "--out", metavar="FILE", type=Path, help="write to FILE instead of standard output"
    )
    add_language(report)


def _report(options: Namespace) -> int:
    from console.office.report import ReportRequest, report

    return report(
        ReportRequest(
            folder=options.folder,
            config=options.config,
            simulated=options.sim,
            night=options.night,
            rounds=options.rounds,
            last=options.last,
            format=options.format,
            out=options.out,
            language=read_language(options),
        )
    )


def _add_forecast(forecast: ArgumentParser) -> None:
    table = forecast.add_mutually_exclusive_group()
    add_config_or_sim(table)
    forecast.add_argument("--tokens-per-hour", metavar="N", type=_read_count, default=120)
    forecast.add_argument("--hands-per-hour", metavar="N", type=_read_count, default=45)
    forecast.add_argument(
        "--years",
        metavar="N",
        dest="hours",
        type=_read_years,
        default=YEAR_H,
        help="years of play, day and night, such as 1 or 0.5 (1)",
    )
    forecast.add_argument("--runs", metavar="N", type=_read_count, default=1_000, help="(1000)")
    forecast.add_argument(
        "--seed", metavar="N", type=int, help="the same gives the same figures; without it, any"
    )
    forecast.add_argument("--json", action="store_true", help="print one JSON object")
    forecast.add_argument("--plot", metavar="FILE", type=Path, help="write a plot there, as SVG")
    add_language(forecast)


def _forecast(options: Namespace) -> int:
    from console.office.forecast.command import ForecastRequest, forecast

    return forecast(
        ForecastRequest(
            config=options.config,
            simulated=options.sim,
            tokens_per_hour=options.tokens_per_hour,
            hands_per_hour=options.hands_per_hour,
            hours=options.hours,
            runs=options.runs,
            seed=options.seed,
            as_json=options.json,
            plot=options.plot,
            language=read_language(options),
        )
    )


def _read_count(text: str) -> int:
    """A number of runs, tokens or hands. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_RUNS):
        raise ArgumentTypeError(f"it must be a whole number from 1 to {MOST_RUNS}")
    return int(text)


def _read_years(text: str) -> int:
    """Years as hours of play. Raises ArgumentTypeError."""
    try:
        years = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise ArgumentTypeError("write years such as 1 or 0.5") from error
    if not SHORTEST <= years <= LONGEST:
        raise ArgumentTypeError(f"it must be {float(SHORTEST)} to {LONGEST} years")
    return int(years * YEAR_H)


def _add_rake(rake: ArgumentParser) -> None:
    from console.office.rake import add_question

    rake.add_argument("--json", action="store_true", help="print one JSON object")
    add_question(rake)


def _rake(options: Namespace) -> int:
    from console.office.rake import print_answer, read_question

    return print_answer(read_question(options), as_json=options.json)


COMMANDS = (
    BancoCommand(
        "report",
        "the night's bordereau",
        "banco report --format pdf --out night.pdf",
        _report,
        _add_report,
    ),
    BancoCommand(
        "forecast",
        "what a table's prizes will cost and bring",
        "banco forecast --config table.toml --runs 100 --seed 1 --plot forecast.svg",
        _forecast,
        _add_forecast,
    ),
    BancoCommand(
        "rake",
        "the rake of a hand, pot by pot",
        "banco rake --house sanremo 100 200 1000",
        _rake,
        _add_rake,
    ),
)
