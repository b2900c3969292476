"""The records of a ledger, or of a signed export, for the audit of a linked jackpot."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from console.configuration.places import ledger_in
from console.office.ledger.verify import find_replay_problems
from console.office.table_of_ledger import table_of, visible
from jackpot.ledger.export_lines import (
    LONGEST_LINE_BYTES,
    RECORD_BEGINS,
    Verifier,
    read_record,
)
from jackpot.ledger.journal import GENESIS, Head, Record, record_of
from jackpot.ledger.ledger import read_records, verify
from jackpot.named_files import open_regular
from jackpot.trust.export_check import check_export


class AuditSource(Struct, frozen=True):
    """A ledger or an export, verified. `whole`: a ledger, which goes up to now."""

    place: str
    table: str
    whole: bool
    first: int
    head: Head
    problems: tuple[str, ...]
    path: Path


def open_ledger(path: Path) -> AuditSource:
    """Verify a ledger. Raises LedgerUnavailable, LedgerCorrupt."""
    folder = ledger_in(path)
    report = verify(folder)
    problems = (*report.problems, *(find_replay_problems(folder) if report.sound else ()))
    first = report.anchor.seq + 1
    return AuditSource(str(path), table_of(folder), True, first, report.head, problems, folder)


def open_export(path: Path, key: Verifier) -> AuditSource:
    """Check an export. Raises Refused, OSError."""
    checked = check_export(path, key)
    header = checked.header
    problems = tuple(visible(problem) for problem in checked.problems)
    table = visible(header.table)
    return AuditSource(str(path), table, False, header.first, checked.head, problems, path)


def read_source(source: AuditSource) -> Iterator[Record]:
    """Its records, oldest first. Raises LedgerUnavailable, LedgerCorrupt, OSError, ValueError."""
    if source.whole:
        with closing(read_records(source.path, limit=-1)) as records:
            yield from records
        return
    with open_regular(source.path) as file:
        while line := file.readline(LONGEST_LINE_BYTES):
            if line.startswith(RECORD_BEGINS):
                yield _read_line(line)


def _read_line(line: bytes) -> Record:
    read = read_record(line)
    return record_of(read.row, read.movements, GENESIS, bytes.fromhex(read.hash))
