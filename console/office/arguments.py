"""The arguments of `banco report`, `declare`, `enrol` and `diag`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from console.office.ledger.arguments import LedgerCommand
from console.service.supervision.command_parser import whole_number

CONFIG_HELP = "the table's configuration (/etc/banco/table.toml)"


def add_report(command: LedgerCommand) -> None:
    """Add `report`, the night's bordereau."""
    text, example = "the night's bordereau", "banco report --format pdf --out night.pdf"
    report = command(name="report", text=text, example=example)
    table = report.add_mutually_exclusive_group()
    table.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="a ledger's folder")
    _add_config_or_sim(table)
    which = report.add_mutually_exclusive_group()
    which.add_argument("--night", metavar="DATE", help="the night that began on it: 2026-11-20")
    which.add_argument("--rounds", metavar="A-B", help="these rounds, such as 3-17")
    which.add_argument("--last", action="store_true", help="the last night that is closed")
    report.add_argument("--format", choices=("text", "json", "pdf"), default="text")
    report.add_argument("--out", metavar="FILE", type=Path, help="write it there, not here")
    add_language(report)


def add_declare(command: LedgerCommand) -> None:
    """Add `declare`, for the floor manager."""
    text = "the floor manager declares, by name and PIN"
    example = "banco declare hand-void 3 returned --as anna"
    declare = command(name="declare", text=text, example=example)
    add_table(declare)
    declare.add_argument(
        "--as", metavar="NAME", dest="who", help="who declares; asked if not given"
    )
    declare.add_argument("--yes", action="store_true", help="declare it without asking once more")
    add_language(declare)
    declare.add_argument("words", metavar="WORD", nargs="+", help="such as: last-hands 3")


def add_enrol(command: LedgerCommand) -> None:
    """Add `enrol`, for who runs the table."""
    text = "enrol somebody for the table's line, or give a new PIN"
    enrol = command(name="enrol", text=text, example="banco enrol anna --duty technician")
    enrol.add_argument("name", metavar="NAME", nargs="?", help="a to z, 0 to 9 and -")
    enrol.add_argument(
        "--duty",
        action="append",
        choices=("technician", "floor-manager", "cashier"),
        help="what for; may be given twice; without it, who is enrolled keeps the duties",
    )
    instead = enrol.add_mutually_exclusive_group()
    instead.add_argument("--remove", action="store_true", help="NAME is no longer enrolled")
    instead.add_argument("--list", action="store_true", help="print who is enrolled, and for what")
    where = enrol.add_mutually_exclusive_group()
    where.add_argument(
        "--file", metavar="FILE", type=Path, help="the file of people (/etc/banco/people.toml)"
    )
    where.add_argument("--sim", action="store_true", help="that of the simulation")


def add_diag(command: LedgerCommand) -> None:
    """Add `diag`, the technician's line."""
    text = "the technician's line, on this terminal or on a port"
    diag = command(name="diag", text=text, example="banco diag --port /dev/ttyUSB0 --baud 9600")
    add_table(diag)
    diag.add_argument("--ledger", metavar="FOLDER", type=Path, help="where the ledger lies")
    where = diag.add_mutually_exclusive_group()
    where.add_argument("--port", metavar="DEVICE", help="serve a serial port, for ever")
    where.add_argument(
        "--pty",
        action="store_true",
        help="serve a pseudo-terminal, whose path is printed, for ever",
    )
    diag.add_argument(
        "--baud",
        type=whole_number,
        choices=(9600, 19200, 38400, 57600, 115200),
        default=115200,
        help="the port's speed (115200), 8N1",
    )
    diag.add_argument(
        "--dsr",
        action="store_true",
        help="with --port: nobody is there while the cable's DSR is off",
    )
    add_language(diag)


def add_table(command: ArgumentParser) -> None:
    """Add the options that choose a table's line."""
    table = command.add_mutually_exclusive_group()
    _add_config_or_sim(table)
    table.add_argument("--socket", metavar="PATH", type=Path, help="the table's local line")


def _add_config_or_sim(table: Any) -> None:
    table.add_argument("--config", metavar="FILE", type=Path, help=CONFIG_HELP)
    table.add_argument("--sim", action="store_true", help="the simulated table: banco run --sim")


def add_language(command: ArgumentParser) -> None:
    """Add the option for the language."""
    command.add_argument("--language", choices=("it", "en"), help="instead of the table's own")
