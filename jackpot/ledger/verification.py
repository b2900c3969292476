"""Verifies the whole journal, or adds it up, while a service may be writing it."""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.anchor import (
    ARCHIVED,
    UNARCHIVED,
    Anchor,
    anchor_of,
    digest_archived_identities,
)
from jackpot.ledger.journal import GENESIS, JSON, SNAPSHOT, Head, Record, snapshot_balances
from jackpot.ledger.reading import (
    Stored,
    head_of,
    read_cached_balances,
    select_all_stored,
    select_stored_after,
    unknown_identity,
)
from jackpot.ledger.schema import file_complaints, one_instant
from jackpot.money.accounts import Balances

MOST_PROBLEMS = 50
"""The most problems that are listed."""


class VerificationReport(Struct, frozen=True):
    """The result of a verification.

    Somebody who rewrites the newest records with hashes, balances and head leaves no trace: compare
    `head` with a copy kept elsewhere. `anchor`: the last archived record.
    """

    records: int
    head: Head
    balances: Balances
    problems: tuple[str, ...]
    anchor: Anchor = UNARCHIVED

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class Stated(Struct, frozen=True):
    """Balances stated by the record `seq`, and the sum of all postings up to it."""

    seq: int
    stated: Balances
    rebuilt: Balances


class Rebuilt(Struct, frozen=True):
    """The accounts added up from the postings, and the table of balances (None: unreadable).

    `snapshot`: the balances of the last snapshot. `parted`: the first record whose stated balances
    differ from its postings' sum.
    """

    balances: Balances
    cached: Balances | None
    snapshot: Stated | None = None
    parted: Stated | None = None

    @property
    def agrees(self) -> bool:
        """Whether the table of balances and every record agree with the postings."""
        return self.balances == self.cached and self.parted is None


def verify(folder: Path, each: Callable[[], None] = lambda: None) -> VerificationReport:
    """Verify the whole chain, all postings and identities, the snapshots, balances and head.

    `each` is called before each record; an exception from it ends the verification. Raises
    LedgerUnavailable if the ledger cannot be read, LedgerCorrupt if its file is no database.
    """
    with one_instant(folder) as connection:
        return _Verification(connection, each).report()


def balances_of_snapshot(record: Record) -> Balances | None:
    """The balances of a snapshot; None for another record.

    Raises LedgerCorrupt if they are missing.
    """
    return snapshot_balances(record) if record.kind == SNAPSHOT else None


def rebuild(
    folder: Path, stated: Callable[[Record], Balances | None] = balances_of_snapshot
) -> Rebuilt:
    """Add up every account from the journal's transactions alone.

    `stated`: the balances that a record states, or None. Raises LedgerUnavailable if the ledger
    cannot be read, LedgerCorrupt for an invalid record.
    """
    with one_instant(folder) as connection:
        anchor = anchor_of(connection)
        balances = anchor.balances
        snapshot: Stated | None = None
        parted: Stated | None = None
        for stored in select_stored_after(connection, anchor.seq):
            record = stored.record(GENESIS)
            for transaction in record.transactions:
                balances = balances.after(transaction)
            stated_here = stated(record)
            if stated_here is None:
                continue
            beside = Stated(record.seq, stated_here, balances)
            if record.kind == SNAPSHOT:
                snapshot = beside
            if stated_here != balances:
                parted = parted or beside
        return Rebuilt(balances, _table_of_balances(connection), snapshot, parted)


def _table_of_balances(connection: sqlite3.Connection) -> Balances | None:
    try:
        return read_cached_balances(connection)
    except LedgerCorrupt:
        return None


def _facts_of_archive(record: Record) -> JSON:
    act = record.body.get("act")
    noted = act if isinstance(act, Mapping) else {}
    return {name: noted.get(name) for name in ("last", "hash", "file")}


class _Verification:
    """One pass over the journal."""

    def __init__(self, connection: sqlite3.Connection, each: Callable[[], None]) -> None:
        self._connection = connection
        self._each = each
        self._problems: list[str] = []
        self._anchor = self._read_anchor()
        self._balances = self._anchor.balances
        self._records = 0
        self._moved = 0
        self._archived: JSON = None
        self._head = Head(0, GENESIS.hex())

    def report(self) -> VerificationReport:
        self._verify_chain()
        self._identities()
        self._ends()
        problems = tuple(self._problems[:MOST_PROBLEMS])
        return VerificationReport(self._records, self._head, self._balances, problems, self._anchor)

    def _read_anchor(self) -> Anchor:
        try:
            return anchor_of(self._connection)
        except LedgerCorrupt as error:
            self._add(str(error))
            return UNARCHIVED

    def _verify_chain(self) -> None:
        """Verify the hash chain record by record, and note each record that breaks it."""
        anchor = self._anchor
        seq, previous = anchor.seq, anchor.hash
        for stored in select_all_stored(self._connection):
            self._each()
            seq += 1
            self._records += 1
            problem = stored.problem(seq, previous)
            if problem is not None:
                self._add(problem)
            self._follow(stored, previous)
            # Continue after the damage, so that each bad record is named by itself.
            seq, previous = stored.row.seq, stored.hash
        self._head = Head(seq, previous.hex())
        if seq == 0:
            self._add("it has no record")
        noted = {"last": anchor.seq, "hash": anchor.hash.hex(), "file": anchor.file.hex()}
        if anchor.seq and self._archived != noted:
            self._add(f"that records up to {anchor.seq} are in the archive is not on record")

    def _follow(self, stored: Stored, previous: bytes) -> None:
        try:
            record = stored.record(previous)
            self._moved += len(record.transactions)
            for transaction in record.transactions:
                self._balances = self._balances.after(transaction)
            problem = unknown_identity(self._connection, [stored])
            if problem is not None:
                self._add(problem)
            if record.kind == ARCHIVED:
                self._archived = _facts_of_archive(record)
            if record.kind == SNAPSHOT and snapshot_balances(record) != self._balances:
                self._add(f"record {record.seq}: the snapshot's balances are not the postings' sum")
        except LedgerCorrupt as error:
            self._add(str(error))

    def _identities(self) -> None:
        """Check that only the records' transactions are known."""
        known = "SELECT count(*) FROM identity WHERE seq > ?"
        (count,) = self._connection.execute(known, (self._anchor.seq,)).fetchone()
        if count != self._moved:
            self._add(f"{count} transactions are known, {self._moved} are in the records")
        archived = digest_archived_identities(self._connection, self._anchor.seq)
        if archived != self._anchor.identities:
            self._add("the transactions known of the archive are not those that were archived")

    def _ends(self) -> None:
        try:
            seq, digest = head_of(self._connection)
            if Head(seq, digest.hex()) != self._head:
                self._add(f"the last record is {self._head.seq}, but {seq} was committed")
            cached = read_cached_balances(self._connection)
            if cached != self._balances:
                self._add(f"the table of balances says {cached}, the postings {self._balances}")
        except LedgerCorrupt as error:
            self._add(str(error))
        for complaint in file_complaints(self._connection, 5):
            self._add(complaint)

    def _add(self, problem: str) -> None:
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)
