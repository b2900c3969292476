"""`--centre`: how a command reaches the centre's database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Protocol


class LedgerCommand(Protocol):
    """Adds a command to a family."""

    def __call__(self, *, name: str, text: str, example: str) -> ArgumentParser:
        """Add it, with what it does and an example; returns its parser."""


def add_audited(audit: ArgumentParser) -> None:
    """Add what an audit of a database is compared with: ledgers and signed exports."""
    audit.add_argument("ledgers", metavar="LEDGER", nargs="*", type=Path, help="a ledger's folder")
    audit.add_argument(
        "--export",
        dest="exports",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="a signed export; may be given several times",
    )
    audit.add_argument("--json", action="store_true", help="print one JSON object")


def add_centre(command: ArgumentParser, name: str) -> None:
    """Add `--centre`; `name`: the command, which answers it."""
    command.add_argument(
        "--centre",
        metavar="CONNECTION",
        default="",
        help="the database, as psql takes it (PGHOST, PGDATABASE and the like)",
    )
    command.set_defaults(link=name)
