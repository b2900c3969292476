"""`banco report`: the night's bordereau."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from console.command_line.arguments import add_config_or_sim, add_language, read_language
from console.command_line.command import BancoCommand


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


COMMANDS = (
    BancoCommand(
        "report",
        "the night's bordereau",
        "banco report --format pdf --out night.pdf",
        _report,
        _add_report,
    ),
)
