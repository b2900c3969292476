"""What is signed of a ledger: heads by the table's own key, exports and archive by the house's.

Keys are made here, records written to a signed file, and one is checked. Needs cryptography (extra
`audit`).
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import asdict

from console.configuration.places import ledger_in
from console.configuration.sections import KeyStoreKind
from console.office.ledger.exit_status import FAILED, IN_ORDER, print_balances, print_problems
from console.office.ledger.labels import parse_record_or_time
from console.office.questions import ask_hidden
from console.office.table_key import TITLES
from console.office.table_of_ledger import table_of, visible
from console.service.clock import wall_clock
from jackpot.failures import KeyUnusable, LedgerUnavailable, Refused
from jackpot.ledger.anchor import Anchor
from jackpot.trust.archive import archive_problems
from jackpot.trust.counterpart import CounterpartLost
from jackpot.trust.export import ExportRange, export
from jackpot.trust.export_check import CheckedExport, check_export
from jackpot.trust.heads_on_record import HeadsReport, check_heads
from jackpot.trust.seal import read_seal
from jackpot.trust.signed_head import SignedHead
from jackpot.trust.signed_nights import read_heads
from jackpot.trust.signing import (
    PrivateKey,
    load_private,
    load_public,
    make_pair,
    public_file,
)


def check_signed(
    folder: Path, key: Path, seal: Path | None, nights: Path | None
) -> tuple[str, ...]:
    """Print how far the ledger is signed; what is wrong. Raises LedgerUnavailable, LedgerCorrupt.

    `key`: the table's public key; `seal` and `nights`: its seal, and the file of nights beside it.
    """
    try:
        others = list(_heads_in(seal, nights))
        report = check_heads(folder, load_public(key), others)
    except (KeyUnusable, OSError, CounterpartLost) as error:
        raise LedgerUnavailable(f"what the table has signed cannot be checked: {error}") from error
    for line in describe_heads(report):
        print(line)
    return report.problems


def describe_heads(report: HeadsReport) -> Iterator[str]:
    """How far a ledger or an export is signed."""
    newest = report.newest
    if newest is not None:
        yield f"signed by the table's key {newest.key}: {report.heads} heads,"
        when = newest.wall or "before the first record"
        yield f"the newest of record {newest.seq}, {when}, with counter {newest.counter}"
    if report.store == KeyStoreKind.FILE.value:
        yield f"the key is in {TITLES[KeyStoreKind.FILE]}"


def _heads_in(seal: Path | None, nights: Path | None) -> Iterator[tuple[str, SignedHead]]:
    """Raises CounterpartLost, OSError."""
    if seal is not None:
        sealed = read_seal(seal)
        if sealed is None:
            raise CounterpartLost(f"there is no seal {seal}")
        yield f"the seal {seal}", SignedHead(**asdict(sealed))
    if nights is not None:
        for number, head in enumerate(read_heads(nights), 1):
            yield f"{nights}, line {number}", head


def check_archive(anchor: Anchor, files: list[Path], key: Path) -> list[str]:
    """What is wrong with an archive's files, or does not fit the ledger. Raises LedgerUnavailable.

    `key`: the house's public key.
    """
    try:
        return list(archive_problems(anchor, files, load_public(key)))
    except (KeyUnusable, Refused, OSError, sqlite3.Error) as error:
        raise LedgerUnavailable(f"the archive cannot be checked: {error}") from error


def make_key_pair(file: Path, *, encrypted: bool) -> int:
    """Make a pair of keys to sign exports with; the exit status.

    Raises Refused, KeyUnusable, OSError.
    """
    public = make_pair(file, new_passphrase() if encrypted else "")
    print(f"private key {file}: for the person who signs, and for nobody else")
    print(f"public key  {public_file(file)}: for everybody who checks")
    print(f"fingerprint {public.fingerprint}")
    return IN_ORDER


def show_fingerprint(file: Path) -> int:
    """Print the fingerprint of a public key; the exit status. Raises KeyUnusable, OSError."""
    print(load_public(file).fingerprint)
    return IN_ORDER


def export_records(folder: Path, out: Path, key: Path, first: str | None, last: str | None) -> int:
    """Write the records of a copy to a signed file; the exit status.

    `first`, `last`: records' numbers or times. Raises Refused, KeyUnusable,
    LedgerUnavailable, LedgerCorrupt, OSError.
    """
    ledger = ledger_in(folder)
    stretch = ExportRange(_limit("--from", first), _limit("--to", last))
    table = table_of(ledger)
    written = export(
        ledger, out, private_key(key), table=table, written=wall_clock(), stretch=stretch
    )
    print(f"{out}: table {table}, records {written.first} to {written.head.seq}")
    print(f"the last is {written.head.seq} {written.head.hash}")
    print_balances(written.balances)
    return IN_ORDER


def check_signed_file(file: Path, house_key: Path, table_key_file: Path | None) -> int:
    """Check an export by the house's public key, and the table's; the exit status.

    Raises Refused, KeyUnusable, OSError.
    """
    key = load_public(house_key)
    table_key = load_public(table_key_file) if table_key_file is not None else None
    checked = check_export(file, key, table_key)
    for line in _describe_export(checked):
        print(line)
    print_balances(checked.balances)
    if checked.heads is not None:
        for line in describe_heads(checked.heads):
            print(visible(line))
    if not checked.sound:
        print_problems(map(visible, checked.problems))
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
        raise Refused(
            f"{option} {text}: write a record's number, or a day such as 2026-11-20, or a time in "
            "UTC such as 2026-11-20T18:30"
        )
    return limit


def private_key(file: Path) -> PrivateKey:
    """The private key; asks for its passphrase if it has one. Raises Refused, KeyUnusable."""
    return load_private(file, lambda: ask_hidden(f"passphrase of {file}: "))


def new_passphrase() -> str:
    """Ask twice for a new passphrase. Raises Refused."""
    passphrase = ask_hidden("passphrase: ")
    if not passphrase:
        raise Refused("an empty passphrase protects nothing; leave out --passphrase for none")
    if ask_hidden("once more: ") != passphrase:
        raise Refused("these are two different passphrases")
    return passphrase
