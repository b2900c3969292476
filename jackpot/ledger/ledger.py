"""The ledger: a table's journal and accounts, on the disk before anything is shown.

docs/reference/rules.md, sections 4, 7 and 11; the reasons are in docs/dev/decisions/0002-ledger.md.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from jackpot.failures import LedgerCorrupt, LedgerInUse, LedgerUnavailable, Refused
from jackpot.ledger.batch import RecordBatch
from jackpot.ledger.columns import one_row
from jackpot.ledger.folder import CLAIM, FolderClaim, sync_folder
from jackpot.ledger.journal import SNAPSHOT, Entry, Head, Record, Recovered, balances_text
from jackpot.ledger.open_files import OpenFiles
from jackpot.ledger.reading import newest_record, read_records, transactions_since
from jackpot.ledger.recovery import recover
from jackpot.ledger.schema import (
    FAILURES,
    FILE,
    FILES,
    Connect,
    as_ledger_error,
    check_file,
    connect,
    convert_disk_errors,
    has_ledger,
    open_database,
)
from jackpot.ledger.tables import (
    INSERT_IDENTITY,
    INSERT_MOVEMENT,
    INSERT_RECORD,
    OF_ONE_STATEMENT,
)
from jackpot.ledger.verification import Rebuilt, VerificationReport, rebuild, verify
from jackpot.money.accounts import Balances

__all__ = [
    "SNAPSHOT",
    "Connect",
    "Entry",
    "Head",
    "Ledger",
    "LedgerCorrupt",
    "LedgerInUse",
    "LedgerUnavailable",
    "Rebuilt",
    "Record",
    "Recovered",
    "VerificationReport",
    "newest_record",
    "read_records",
    "rebuild",
    "transactions_since",
    "verify",
]

SNAPSHOT_EVERY = 256
"""The number of records after which a snapshot is due, so that a start reads no further back."""

_UPDATE_BALANCES = "UPDATE meta SET balances = ?"
_FIND_IDENTITY = "SELECT digest FROM identity WHERE identity = ?"


class Ledger:
    """A folder's ledger, open for writing. Used by one thread at a time."""

    def __init__(
        self, connection: sqlite3.Connection, claim: FolderClaim, files: OpenFiles
    ) -> None:
        """Use `Ledger.open`."""
        self._connection = connection
        self._files = files
        self._cursor = connection.cursor()  # a new one for each statement takes longer
        self._claim = claim
        self.recovered: Recovered = recover(connection)
        self._balances = self.recovered.balances
        self._seq = self.recovered.seq
        self._hash = bytes.fromhex(self.recovered.hash)
        self._snapshot_seq = self.recovered.snapshot_seq
        self._boot = 0
        self._failure = ""

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        connect: Connect = connect,
        durable: bool = True,
        begun: bool = False,
    ) -> "Ledger":
        """Open or make the ledger in a folder, and verify it from its last snapshot on.

        `connect` opens the database file; `durable=False` leaves out every sync, for virtual time;
        `begun`: the table has begun, so a missing or empty ledger is LedgerCorrupt. Raises
        LedgerCorrupt, LedgerInUse, LedgerUnavailable.
        """
        check_file(folder, "opened")
        with convert_disk_errors("opened"), ExitStack() as undo:
            folder.mkdir(parents=True, exist_ok=True)
            claim = FolderClaim(folder)
            undo.callback(claim.release)
            made = not has_ledger(folder)
            connection = open_database(connect, folder / FILE, durable=durable, new=not begun)
            undo.callback(connection.close)
            connection.execute("PRAGMA temp_store = MEMORY")
            for statement in OF_ONE_STATEMENT:
                connection.execute(statement)
            files = OpenFiles(folder, (*FILES, CLAIM))
            ledger = cls(connection, claim, files)
            if begun and ledger.head.seq == 0:
                raise LedgerCorrupt(f"{FILE} has no record")
            if made and durable:
                sync_folder(folder)
            undo.pop_all()
        return ledger

    @property
    def balances(self) -> Balances:
        """The balances after the last commit."""
        return self._balances

    @property
    def head(self) -> Head:
        """The newest record."""
        return Head(self._seq, self._hash.hex())

    @property
    def wants_snapshot(self) -> bool:
        """Whether an entry of the kind `snapshot` is due."""
        return self._seq - self._snapshot_seq >= SNAPSHOT_EVERY

    def begin(self, boot: int) -> None:
        """Set the number of this start, which every record gets.

        Raises ValueError if it was used before.
        """
        if boot <= max(self.recovered.boot, self._boot):
            raise ValueError(f"boot {boot} comes after boot {self.recovered.boot}, not before it")
        self._boot = boot

    def commit(self, entries: Sequence[Entry]) -> Head:
        """Write the entries, all or none, in one transaction with one sync.

        A transaction with a known identity and the same postings moves nothing again; with other
        postings it raises Refused, and nothing is written. Raises LedgerUnavailable if the
        disk fails, LedgerCorrupt if a file is damaged, was removed or replaced. Then it is unknown
        whether the entries are on the disk, and nothing more is committed until the ledger was
        closed and opened again. A failure after the commit is raised by the next one.
        """
        if self._failure:
            raise LedgerUnavailable(f"nothing more is written: {self._failure}")
        if self._boot == 0:
            raise ValueError("the boot has no number yet: begin first")
        if not entries:
            return self.head
        batch = self._write(entries)
        self._seq, self._hash, self._balances = batch.seq, batch.hash, batch.balances
        if batch.snapshot_seq is not None:
            self._snapshot_seq = batch.snapshot_seq
            self._empty_log()
        return self.head

    def close(self) -> None:
        """Release the folder; everything committed is safe already. Raises LedgerUnavailable."""
        try:
            with convert_disk_errors("closed"):
                self._connection.close()
        finally:
            self._failure = self._failure or "it is closed"
            self._claim.release()

    def _write(self, entries: Sequence[Entry]) -> RecordBatch:
        self._failure = "a commit was interrupted"
        try:
            try:
                batch = self._store(entries, _is_new)
            except sqlite3.IntegrityError:  # a movement that the ledger has already
                self._connection.rollback()
                batch = self._store(entries, self._digest)
            self._files.check()
        except FAILURES as error:  # also a UnicodeDecodeError, which is the file's
            failure = as_ledger_error(error, "written")
            self._failure = str(failure)
            raise failure from error
        except LedgerCorrupt as error:
            self._failure = str(error)
            raise
        except (Refused, TypeError, ValueError):
            self._failure = ""  # of an entry: nothing was begun
            raise
        self._failure = ""
        return batch

    def _empty_log(self) -> None:
        """Move the write-ahead log into the database; committed records are safe either way.

        SQLite does so by itself only when the log is long, and does not report a failure.
        """
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        except (sqlite3.Error, OSError) as error:
            self._failure = f"the log cannot be brought into the ledger: {error}"

    def _digest(self, identity: str) -> bytes | None:
        """The digest of the movement with this identity; None if there is none."""
        rows = self._connection.execute(_FIND_IDENTITY, (identity,))
        found = one_row(rows, (bytes,), f"the transaction {identity}")
        return found[0] if found is not None else None

    def _store(self, entries: Sequence[Entry], known: Callable[[str], bytes | None]) -> RecordBatch:
        """In one transaction: a record that moves money once at most is one statement, which
        commits by itself. `schema.py` sets `synchronous`, so that it is on the disk then.
        """
        batch = RecordBatch(self._boot, self._seq, self._hash, self._balances, known)
        for entry in entries:
            batch.add(entry)
        cursor, identities = self._cursor, batch.identities
        balances = balances_text(batch.balances) if identities else ""
        if len(batch.journal) > 1 or len(identities) > 1:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.executemany(INSERT_RECORD, batch.journal)
            if identities:
                cursor.executemany(INSERT_IDENTITY, identities)
                cursor.execute(_UPDATE_BALANCES, (balances,))
            cursor.execute("COMMIT")
        elif identities:
            identity, _, digest = identities[0]
            cursor.execute(INSERT_MOVEMENT, (*batch.journal[0], identity, digest, balances))
        else:
            cursor.execute(INSERT_RECORD, batch.journal[0])
        return batch


def _is_new(_identity: str) -> bytes | None:
    """Nearly every transaction is: that one is not, its insertion tells."""
