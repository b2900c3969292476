"""Exports records to a signed file for auditors, even while a service writes.

The ledger is read a page at a time: no read lasts long, and the memory needed does not grow.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from jackpot.failures import LedgerCorrupt, Refused
from jackpot.ledger.anchor import Anchor, anchor_of
from jackpot.ledger.export_lines import (
    FORMAT,
    LONGEST_LINE_BYTES,
    VERSION,
    ExportEnd,
    ExportHeader,
    ExportSignature,
    Signer,
    line_of,
    record_line,
)
from jackpot.ledger.folder import sync_folder
from jackpot.ledger.journal import SNAPSHOT, Head, Record, snapshot_balances
from jackpot.ledger.reading import Stored, hash_before, head_of, read_cached_balances
from jackpot.ledger.schema import connect_for_reading, convert_disk_errors
from jackpot.money.accounts import Balances
from jackpot.named_files import name_in_errors
from jackpot.trust.second_copy import read_next_page

BLOCK: Final = 10_000
"""Records searched for a wall-clock label in one read."""

_SNAPSHOT_BEFORE = "SELECT max(seq) FROM journal WHERE kind = 'snapshot' AND seq < ?"
_FIRST_SINCE = "SELECT min(seq) FROM journal WHERE seq > ? AND seq <= ? AND wall >= ?"
_LAST_UNTIL = """
    SELECT max(seq) FROM journal WHERE seq > ? AND seq <= ? AND substr(wall, 1, ?) <= ?"""


class ExportRange(Struct, frozen=True):
    """Which records, both bounds inclusive: a number, or the beginning of a wall-clock label.

    As the first bound, a label means the first record with it or a later one; as the last bound,
    the last record with it or an earlier one. None: the ledger's own first or last record.
    """

    first: int | str | None = None
    last: int | str | None = None


class ExportResult(Struct, frozen=True):
    """What was written."""

    first: int
    head: Head
    balances: Balances
    records: int


def export(
    folder: Path, out: Path, key: Signer, *, table: str, written: str, stretch: ExportRange
) -> ExportResult:
    """Write the records to a new signed file, which gets its name only when it is complete.

    `written` is a wall-clock label, `table` the table's name. Each record must fit the one before,
    each snapshot the postings; otherwise nothing is signed. Raises Refused, LedgerCorrupt,
    LedgerUnavailable, OSError.
    """
    if out.exists():
        raise Refused(f"{out} is there already; an export is never overwritten")
    part = out.with_name(f"{out.name}.part")
    with ExitStack() as undo:
        connection = undo.enter_context(closing(connect_for_reading(folder)))
        with convert_disk_errors("read"):
            newest = _newest(connection)
            source = _Source(connection, newest, *_numbers(connection, stretch, newest))
        header = ExportHeader(
            FORMAT,
            VERSION,
            table,
            written,
            source.first,
            source.last,
            source.here.hash,
            source.balances.to_dict(),
        )
        with name_in_errors(part), _create(part) as file:
            undo.callback(part.unlink, missing_ok=True)
            _write(file, header, source, key)
        part.replace(out)
    sync_folder(out.absolute().parent)
    records = source.last - source.first + 1
    return ExportResult(source.first, source.here, source.balances, records)


def _create(part: Path) -> BinaryIO:
    try:
        return part.open("xb")
    except FileExistsError as error:
        raise Refused(
            f"{part} is there already; if it was left by an export that was cut short, remove it"
        ) from error


def _write(file: BinaryIO, header: ExportHeader, source: "_Source", key: Signer) -> None:
    digest = sha256()
    for line in _lines(header, source):
        if len(line) > LONGEST_LINE_BYTES:
            raise Refused(f"record {source.here.seq + 1} is longer than a line may be")
        digest.update(line)
        file.write(line)
    signature = key.sign(digest.digest()).hex()
    file.write(line_of(ExportSignature(signature, key.fingerprint, digest.hexdigest())))
    file.flush()
    os.fsync(file.fileno())


def _lines(header: ExportHeader, source: "_Source") -> Iterator[bytes]:
    yield line_of(header)
    while source.here.seq < source.last:
        with convert_disk_errors("read"):
            page = source.page()
        for stored in page:
            yield record_line(stored)
            source.pass_over(stored)
    source.agrees()
    count = source.last - source.first + 1
    yield line_of(ExportEnd(count, source.here.seq, source.here.hash, source.balances.to_dict()))


class _LedgerEnd(Struct, frozen=True):
    """The head and the balances when the export began.

    `anchor`: where the ledger begins.
    """

    head: Head
    balances: Balances
    anchor: Anchor


def _newest(connection: sqlite3.Connection) -> _LedgerEnd:
    connection.execute("BEGIN")  # one instant, whatever is written meanwhile
    seq, digest = head_of(connection)
    balances = read_cached_balances(connection)
    anchor = anchor_of(connection)
    connection.execute("COMMIT")
    return _LedgerEnd(Head(seq, digest.hex()), balances, anchor)


class _Source:
    """The records to export, verified as they are read; `here`: the newest one read."""

    def __init__(
        self, connection: sqlite3.Connection, newest: _LedgerEnd, first: int, last: int
    ) -> None:
        """Read what comes before the first record. Raises LedgerCorrupt."""
        self._connection = connection
        self._newest = newest
        self.first = first
        self.last = last
        (snapshot,) = connection.execute(_SNAPSHOT_BEFORE, (first,)).fetchone()
        start = snapshot or newest.anchor.seq + 1
        self.here = Head(start - 1, hash_before(connection, start).hex())
        self.balances = newest.anchor.balances
        self._adding_up = start == newest.anchor.seq + 1
        while self.here.seq < first - 1:
            for stored in read_next_page(connection, self.here, first - 1):
                self.pass_over(stored)

    def page(self) -> list[Stored]:
        """The next records, each chained to the one before. Raises LedgerCorrupt."""
        return read_next_page(self._connection, self.here, self.last)

    def pass_over(self, stored: Stored) -> None:
        """Add the record to the balances. Raises LedgerCorrupt."""
        record = stored.record(bytes.fromhex(self.here.hash))
        for transaction in record.transactions:
            self.balances = self.balances.after(transaction)
        if record.kind == SNAPSHOT:
            self._at_snapshot(record)
        self.here = Head(record.seq, record.hash)

    def agrees(self) -> None:
        """Check head and balances against the ledger's, if this is its end.

        Raises LedgerCorrupt.
        """
        if self.last != self._newest.head.seq:
            return
        if self.here != self._newest.head:
            raise LedgerCorrupt(f"record {self.last} is not the one that was committed last")
        if self.balances != self._newest.balances:
            cached = self._newest.balances
            raise LedgerCorrupt(
                f"the table of balances says {cached}, the postings {self.balances}"
            )

    def _at_snapshot(self, record: Record) -> None:
        stated = snapshot_balances(record)
        if not self._adding_up:
            self.balances, self._adding_up = stated, True
        elif stated != self.balances:
            raise LedgerCorrupt(
                f"record {record.seq}: the snapshot's balances are not the postings' sum"
            )


def _numbers(
    connection: sqlite3.Connection, stretch: ExportRange, there: _LedgerEnd
) -> tuple[int, int]:
    """The first and the last number. Raises Refused."""
    oldest, newest = there.anchor.seq + 1, there.head.seq
    if newest == 0:
        raise Refused("the ledger has no record yet")
    first = _first(connection, stretch.first, oldest, newest)
    last = _last(connection, stretch.last, oldest, newest)
    if not oldest <= first <= last <= newest:
        archived = "; those before are in the archive" if oldest > 1 else ""
        raise Refused(
            f"no records {first} to {last}: the ledger has {oldest} to {newest}{archived}"
        )
    return first, last


def _first(
    connection: sqlite3.Connection, bound: int | str | None, oldest: int, newest: int
) -> int:
    if not isinstance(bound, str):
        return oldest if bound is None else bound
    for after in range(oldest - 1, newest, BLOCK):
        (found,) = connection.execute(_FIRST_SINCE, (after, after + BLOCK, bound)).fetchone()
        if found is not None:
            return int(found)
    raise Refused(f"no record is of {bound} or later")


def _last(connection: sqlite3.Connection, bound: int | str | None, oldest: int, newest: int) -> int:
    if not isinstance(bound, str):
        return newest if bound is None else bound
    for upto in range(newest, oldest - 1, -BLOCK):
        values = (upto - BLOCK, upto, len(bound), bound)
        (found,) = connection.execute(_LAST_UNTIL, values).fetchone()
        if found is not None:
            return int(found)
    raise Refused(f"no record is of {bound} or earlier")
