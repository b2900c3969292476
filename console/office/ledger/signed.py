"""What of a ledger is signed: its heads by the table's own key, its archive by the house's."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import asdict

from console.configuration.sections import KeyStoreKind
from console.office.table_key import TITLES
from jackpot.failures import KeyUnusable, LedgerUnavailable, Refused
from jackpot.ledger.anchor import Anchor
from jackpot.trust.archive import archive_problems
from jackpot.trust.counterpart import CounterpartLost
from jackpot.trust.heads_on_record import HeadsReport, check_heads
from jackpot.trust.seal import read_seal
from jackpot.trust.signed_head import SignedHead
from jackpot.trust.signed_nights import read_heads
from jackpot.trust.signing import load_public


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
