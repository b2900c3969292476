"""Verifies the whole ledger a page at a time while a service writes it.

`verification.verify` uses one read transaction, which would keep the write-ahead log from being
emptied; here each page has its own. Records are only ever added, so pages read one after another
agree. The database file is checked first, as a whole, because on damaged pages any commit may
overwrite another record.
"""

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct, field

from jackpot.failures import LedgerCorrupt, LedgerUnavailable, surprises_as_damage
from jackpot.ledger.anchor import UNARCHIVED, Anchor, ArchivedIdentities, anchor_of
from jackpot.ledger.journal import GENESIS, SNAPSHOT, WHILE_LOCKED, Head, snapshot_balances
from jackpot.ledger.reading import (
    Stored,
    head_of,
    read_cached_balances,
    select_all_stored,
    select_stored_after,
    unknown_identity,
)
from jackpot.ledger.schema import FILE, file_complaints, one_instant
from jackpot.money.accounts import Balances

_KNOWN = "SELECT count(*) FROM identity WHERE seq > ?"
_SNAPSHOTS = "SELECT count(*) FROM journal INDEXED BY journal_snapshot WHERE kind = 'snapshot'"
_INDEX = "SELECT count(*) FROM sqlite_schema WHERE name = 'journal_snapshot'"


class _Progress(Struct):
    """The result for the records up to `seq`; `file` is the inode they were read from."""

    file: int
    file_is_sound: bool = False
    seq: int = 0
    hash: bytes = GENESIS
    balances: Balances = field(default_factory=Balances)
    transactions: int = 0
    snapshots: int = 0
    round: int = 0
    anchor: Anchor = UNARCHIVED
    ended: ArchivedIdentities | None = None

    def begin_at(self, anchor: Anchor) -> None:
        """Begin after the archived records, which are trusted."""
        self.anchor = anchor
        self.seq, self.hash, self.balances = anchor.seq, anchor.hash, anchor.balances

    def read_following(self, connection: sqlite3.Connection) -> Iterator[Stored]:
        """The records after the last one read; at first, all."""
        if self.seq == self.anchor.seq:
            return select_all_stored(connection)
        return select_stored_after(connection, self.seq)

    def end(self, connection: sqlite3.Connection, most: int) -> bool:
        """After the last record, verify the identities of archived transactions, `most` at a time.

        Returns True if these were the last. Raises LedgerCorrupt.
        """
        if self.ended is None:
            _ends(connection, self)
            self.ended = ArchivedIdentities(self.anchor.seq)
            if self.anchor.seq:
                return False
        if not self.ended.page(connection, most):
            return False
        if self.ended.digest != self.anchor.identities:
            raise LedgerCorrupt("the transactions known of the archive are not those archived")
        return True

    def take(self, stored: Stored) -> None:
        """Verify the next record. Raises LedgerCorrupt."""
        problem = stored.problem(self.seq + 1, self.hash)
        if problem is not None:
            raise LedgerCorrupt(problem)
        for transaction in stored.transactions():
            self.balances = self.balances.after(transaction)
            self.transactions += 1
        row = stored.row
        if WHILE_LOCKED not in row.body:
            if row.round < self.round:
                raise LedgerCorrupt(f"record {row.seq}: round {row.round} comes after {self.round}")
            self.round = row.round
        if row.kind == SNAPSHOT:
            self.snapshots += 1
            if snapshot_balances(stored.record(self.hash)) != self.balances:
                raise LedgerCorrupt(f"record {row.seq}: not the balances that were moved up to it")
        self.seq, self.hash = row.seq, stored.hash


class PagedVerification:
    """One verification of the ledger in a folder.

    It starts again when the file is replaced, or when its first records are archived.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = _Progress(self._file())

    @property
    def at(self) -> int:
        """The last verified record."""
        return self._seen.seq

    def page(self, records: int) -> bool:
        """Verify the file at first, then at most `records` further records in each call.

        Returns True if these were the last, and agree with the head. Raises LedgerCorrupt for
        damage, LedgerUnavailable if it cannot be read.
        """
        if self._seen.file != self._file():
            self._seen = _Progress(self._file())
        with one_instant(self._folder) as connection, surprises_as_damage():
            if not self._seen.file_is_sound:
                for complaint in file_complaints(connection, 1):
                    raise LedgerCorrupt(complaint)
                self._seen.file_is_sound = True
                return False
            anchor = anchor_of(connection)
            if anchor != self._seen.anchor:  # a locked table may have been archived
                self._seen = _Progress(self._seen.file, file_is_sound=True)
                self._seen.begin_at(anchor)
            if self._seen.ended is not None:
                return self._seen.end(connection, records)
            page = list(islice(self._seen.read_following(connection), records))
            for stored in page:
                self._seen.take(stored)
            problem = unknown_identity(connection, page)
            if problem is not None:
                raise LedgerCorrupt(problem)
            return len(page) < records and self._seen.end(connection, records)

    def _file(self) -> int:
        try:
            return (self._folder / FILE).stat().st_ino
        except OSError as error:
            raise LedgerUnavailable(f"the ledger cannot be read: {error}") from error


def _ends(connection: sqlite3.Connection, seen: _Progress) -> None:
    seq, digest = head_of(connection)
    if Head(seq, digest.hex()) != Head(seen.seq, seen.hash.hex()):
        raise LedgerCorrupt(f"the last record is {seen.seq}, but {seq} was committed")
    cached = read_cached_balances(connection)
    if cached != seen.balances:
        raise LedgerCorrupt(f"it states the balances {cached}, moved were {seen.balances}")
    (known,) = connection.execute(_KNOWN, (seen.anchor.seq,)).fetchone()
    if known != seen.transactions:
        raise LedgerCorrupt(f"it knows {known} transactions, its records have {seen.transactions}")
    if connection.execute(_INDEX).fetchone() != (1,):
        raise LedgerCorrupt("it has no index of its snapshots")
    (snapshots,) = connection.execute(_SNAPSHOTS).fetchone()
    if snapshots != seen.snapshots:
        raise LedgerCorrupt(f"it knows {snapshots} snapshots, there are {seen.snapshots}")
