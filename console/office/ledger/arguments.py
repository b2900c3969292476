"""The arguments of `banco ledger verify`, `rebuild`, `show`, `replay`; imports nothing heavy."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from pathlib import Path
from typing import Protocol

from console.service.supervision.command_parser import whole_number
from jackpot.foreign_text import quote

LABEL = re.compile(
    r"\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d{1,6})?)?)?([+]00:00)?)?)?)?", re.ASCII
)
"""The beginning of a wall-clock label, in UTC."""

_YEAR = re.compile(r"(19|20)[0-9]{2}")
_NUMBER = re.compile(r"[0-9]{1,15}")

FIRST = "0001-01-01T00:00:00"
"""Completes such a beginning to a whole label."""

FORMATS = ("table", "json", "csv")
MOST_SHOWN = 1000


class LedgerCommand(Protocol):
    """Adds a command to `banco ledger`."""

    def __call__(self, *, name: str, text: str, example: str) -> ArgumentParser:
        """Add it, with what it does and an example; returns its parser."""


def add_readings(command: LedgerCommand) -> None:
    """Add the commands that read a ledger."""
    for name, text, example in (
        ("verify", "verify the whole chain of records", "banco ledger verify /var/lib/banco"),
        ("rebuild", "rebuild every account from the record", "banco ledger rebuild FOLDER"),
        ("show", "print the records", "banco ledger show --round 17 FOLDER"),
        ("replay", "play a round again, act by act", "banco ledger replay 17 FOLDER"),
    ):
        reading = command(name=name, text=text, example=example)
        if name == "replay":
            _add_replay(reading)
        reading.add_argument("folder", metavar="FOLDER", type=Path, help="the ledger's folder")
        reading.set_defaults(reading=name)
        if name == "show":
            _add_selection(reading)
        if name == "verify":
            _add_archives(reading)
            _add_signed(reading)


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


def _add_replay(replay: ArgumentParser) -> None:
    replay.add_argument("round", metavar="ROUND", type=whole_number, help="the round's number")
    replay.add_argument(
        "--json", action="store_true", help="one JSON object for each act, as banco play prints"
    )
    replay.add_argument(
        "--language", choices=("it", "en"), default="it", help="of the words and the display (it)"
    )


def _add_archives(verify: ArgumentParser) -> None:
    verify.add_argument(
        "--archive",
        metavar="FILE",
        action="append",
        type=Path,
        help="check this file of its archive, too; of several, the oldest first",
    )
    verify.add_argument(
        "--key", metavar="FILE", type=Path, help="the house's public key, for the archive"
    )


def _add_signed(verify: ArgumentParser) -> None:
    verify.add_argument(
        "--table-key",
        metavar="FILE",
        type=Path,
        help="the table's public key: check what it has signed, too",
    )
    verify.add_argument("--seal", metavar="FILE", type=Path, help="the seal, for --table-key")
    verify.add_argument(
        "--nights",
        metavar="FILE",
        type=Path,
        help="the file of nights beside the seal, for --table-key",
    )


def _add_selection(show: ArgumentParser) -> None:
    show.add_argument("--since", metavar="TIME", type=_label, help="such as 2026-11-20T21:30 (UTC)")
    show.add_argument("--until", metavar="TIME", type=_label, help="inclusive: all of 2026-11-20")
    show.add_argument("--round", type=whole_number, metavar="N", help="only this round")
    show.add_argument(
        "--kind", metavar="KIND", action="append", help="such as button; may be given several times"
    )
    show.add_argument("--refused", action="store_true", help="only what was refused")
    show.add_argument("--money", action="store_true", help="only what moves money")
    show.add_argument(
        "--after", type=whole_number, default=0, metavar="SEQ", help="only later records"
    )
    show.add_argument(
        "--limit",
        type=whole_number,
        default=MOST_SHOWN,
        metavar="N",
        help=f"at most so many ({MOST_SHOWN}); 0: all",
    )
    shape = show.add_mutually_exclusive_group()
    shape.add_argument("--format", choices=FORMATS, default="table", help="how (table)")
    shape.add_argument(
        "--json", action="store_const", dest="format", const="json", help="--format json"
    )


def label_in(text: str) -> str | None:
    """The text as the beginning of a wall-clock label; None if it is not one of a real time."""
    label = text.strip().replace(" ", "T").removesuffix("+00:00")
    if not LABEL.fullmatch(label):
        return None
    try:
        datetime.fromisoformat(label + FIRST[len(label) :])
    except ValueError:
        return None
    return label


def parse_record_or_time(text: str, *, years: bool = False) -> int | str | None:
    """A record's number, or the beginning of a wall-clock label; None for anything else.

    `years`: 2026 is a year, not a record.
    """
    if _NUMBER.fullmatch(text) and not (years and _YEAR.fullmatch(text)):
        return int(text)
    return label_in(text)


def _label(text: str) -> str:
    label = label_in(text)
    if label is None:
        raise ArgumentTypeError(f"not a time such as 2026-11-20T21:30 (UTC): {quote(text)}")
    return label
