"""`banco ledger key`, `export`, `check-export`: make keys, write a signed file, check one."""

import sqlite3
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path

from console.configuration.places import ledger_in
from console.line.access.people import PeopleUnreadable
from console.office.export.archive import archive_records
from console.office.export.questions import ExportRefused, new_passphrase, private_key
from console.office.export.table_name import table_of, visible
from console.office.ledger.arguments import parse_record_or_time
from console.office.ledger.exit_status import FAILED, IN_ORDER, UNUSABLE, print_balances
from console.office.ledger.signed import describe_heads
from console.office.questions import NoAnswer
from console.rules.records import UnreadableRecord
from console.service.clock import wall_clock
from console.service.supervision.process_end import describe_failure
from jackpot.failures import Failure
from jackpot.trust.export import ExportRange, export
from jackpot.trust.export_check import CheckedExport, check_export
from jackpot.trust.signing import load_public, make_pair, public_file


def answer(options: Namespace) -> int:
    """Answer `banco ledger key`, `export`, `check-export`, `archive`; the status."""
    try:
        return ANSWERS[options.reading](options)
    except NoAnswer:
        print("not done: no passphrase was given", file=sys.stderr)
    except (Failure, OSError, PeopleUnreadable, UnreadableRecord, sqlite3.Error) as error:
        print(f"not to be done: {visible(describe_failure(error))}", file=sys.stderr)
    except KeyboardInterrupt:
        print("not done", file=sys.stderr)
        raise
    return UNUSABLE


def _key(options: Namespace) -> int:
    file: Path = options.file
    if options.show:
        print(load_public(file).fingerprint)
        return IN_ORDER
    public = make_pair(file, new_passphrase() if options.passphrase else "")
    print(f"private key {file}: for the person who signs, and for nobody else")
    print(f"public key  {public_file(file)}: for everybody who checks")
    print(f"fingerprint {public.fingerprint}")
    return IN_ORDER


def _export(options: Namespace) -> int:
    folder = ledger_in(options.folder)
    stretch = ExportRange(_limit("--from", options.first), _limit("--to", options.last))
    table = table_of(folder)
    written = export(
        folder,
        options.out,
        private_key(options.key),
        table=table,
        written=wall_clock(),
        stretch=stretch,
    )
    print(f"{options.out}: table {table}, records {written.first} to {written.head.seq}")
    print(f"the last is {written.head.seq} {written.head.hash}")
    print_balances(written.balances)
    return IN_ORDER


def _check(options: Namespace) -> int:
    key = load_public(options.key)
    table_key = load_public(options.table_key) if options.table_key is not None else None
    checked = check_export(options.file, key, table_key)
    for line in _describe_export(checked):
        print(line)
    print_balances(checked.balances)
    if checked.heads is not None:
        for line in describe_heads(checked.heads):
            print(visible(line))
    if not checked.sound:
        for problem in checked.problems:
            print(f"NOT IN ORDER: {visible(problem)}")
        return FAILED
    print(f"signed with the key {key.fingerprint}")
    print("the signature, the chain, the postings and the balances are in order")
    return IN_ORDER


def _describe_export(checked: CheckedExport) -> list[str]:
    header = checked.header
    whole = "from the ledger's first record on" if header.first == 1 else "a part of the ledger"
    return [
        visible(f"table {header.table}, written {header.written}, {whole}"),
        f"records {header.first} to {checked.head.seq}, {checked.records} of them",
        visible(f"before the first is {header.first - 1} {header.previous}"),
        f"the last is {checked.head.seq} {checked.head.hash}",
    ]


def _limit(option: str, text: str | None) -> int | str | None:
    limit = parse_record_or_time(text) if text is not None else None
    if text is not None and limit is None:
        raise ExportRefused(
            f"{option} {text}: write a record's number, or a day such as 2026-11-20, or a time in "
            "UTC such as 2026-11-20T18:30"
        )
    return limit


ANSWERS: Mapping[str, Callable[[Namespace], int]] = {
    "key": _key,
    "export": _export,
    "check-export": _check,
    "archive": archive_records,
}
