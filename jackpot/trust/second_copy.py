"""The ledger's second copy: another ledger, in another folder, on another medium (decision 0003).

It gets the first copy's records unchanged, a page in one transaction with one sync. It is always a
beginning of the first copy: only committed records are copied, and each must be chained to the one
before.
"""

import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.folder import CLAIM, FolderClaim, hand_over, sync_folder
from jackpot.ledger.journal import Head, balances_text
from jackpot.ledger.open_files import OpenFiles
from jackpot.ledger.reading import Stored, hash_before, head_of, select_stored_after
from jackpot.ledger.recovery import recover
from jackpot.ledger.schema import (
    FAILURES,
    FILE,
    FILES,
    Connect,
    connect,
    has_ledger,
    one_instant,
    open_database,
)
from jackpot.ledger.tables import INSERT_IDENTITY, INSERT_RECORD
from jackpot.money.accounts import Balances
from jackpot.trust.counterpart import (
    Compared,
    CounterpartLost,
    CounterpartReplaced,
    Noted,
    describe_lag,
)

log = logging.getLogger(__name__)

PAGE = 256
"""The most records copied in one transaction."""

_CHECKPOINT_PAGES = 500
"""A shorter log than the ledger's: it grows for a shorter time, and a file that grows writes more.

SQLite says nothing if it cannot empty the log. Then the log grows on, and nothing is lost."""

_MOVE_META = "UPDATE meta SET seq = ?, hash = ?, balances = ? WHERE seq = ? AND hash = ?"


class SecondCopy:
    """The second copy of the ledger in a folder."""

    name = "copy"

    def __init__(
        self, first: Path, folder: Path, *, connect: Connect = connect, durable: bool = True
    ) -> None:
        """`folder` must exist, because its medium may not be mounted."""
        self._first = first
        self._folder = folder
        self._connect = connect
        self._durable = durable
        self._open: OpenCopy | None = None
        self._claim: FolderClaim | None = None
        self._files = OpenFiles(folder, ())
        self._may_begin = False

    def compare(self) -> Compared:
        """Open the copy, and compare: the ledger must contain all of it.

        It is made for a new ledger, or after `begin_anew`. Raises LedgerCorrupt that names both and
        their difference, CounterpartReplaced, CounterpartLost.
        """
        may_begin, self._may_begin = self._may_begin, False
        self.close()
        made = not self._find_copy()
        with self._read_first() as first:
            if made and head_of(first)[0] > 0 and not may_begin:
                raise CounterpartReplaced(f"there is no second copy in {self._folder}")
        with self._read_first() as first, self._convert_to_lost("cannot be opened"):
            opened = self._open_copy(first)
            if self._folder.stat().st_dev == self._first.stat().st_dev:
                log.warning("the second copy in %s is on the ledger's own medium", self._folder)
        self._open = opened
        with self._read_first() as first:
            if find_oldest(first) > opened.head.seq + 1:
                raise CounterpartLost(
                    f"the second copy in {self._folder} ends at record {opened.head.seq}, before "
                    "what the ledger still has: banco ledger repair makes it anew"
                )
            why = describe_parting(first, self._first, opened, self._folder)
            anew = made and head_of(first)[0] > 0
            lag = "" if made or why is not None else describe_lag(first, opened.head.seq)
        if why is not None:
            raise LedgerCorrupt(why)
        older = f"the second copy in {self._folder}: {lag}" if lag else ""
        return Compared(opened.head.seq, anew=anew, older=older)

    def begin_anew(self) -> None:
        """Let the next comparison make it, whatever the ledger has."""
        self._may_begin = True

    def newest(self) -> int:
        """The number of its newest record; 0: none. Raises CounterpartLost."""
        if not self._find_copy():
            return 0
        with self._convert_to_lost("cannot be read"), one_instant(self._folder) as copy:
            return head_of(copy)[0]

    def follow(self, noted: Noted) -> int:
        """Copy one page of the records up to this one; returns the number of its newest record.

        Raises LedgerCorrupt if the ledger's records do not fit; CounterpartReplaced;
        CounterpartLost.
        """
        if self._open is None:
            raise CounterpartLost(f"the second copy in {self._folder} is not open")
        here = self._open.head
        if noted.head.seq <= here.seq:
            return here.seq
        with self._read_first() as first:
            page = read_next_page(first, here, noted.head.seq)
        with self._convert_to_lost("cannot be written"):
            self._open.write(page)
        self._check_files()
        return self._open.head.seq

    def close(self) -> None:
        """Close the database and release the folder. Raises CounterpartLost."""
        opened, self._open = self._open, None
        claim, self._claim = self._claim, None
        with self._convert_to_lost("cannot be closed"), ExitStack() as both:
            if claim is not None:
                both.callback(claim.release)
            if opened is not None:
                both.callback(opened.connection.close)

    def _check_files(self) -> None:
        """Raise CounterpartReplaced for other files in the folder, CounterpartLost without it."""
        try:
            self._files.check()
        except LedgerCorrupt as error:
            self._find_copy()
            raise CounterpartReplaced(f"the second copy in {self._folder}: {error}") from error
        except OSError as error:
            raise CounterpartLost(
                f"the second copy in {self._folder} is not there: {error}"
            ) from error

    def _find_copy(self) -> bool:
        """Whether the folder has a copy. A medium that was pulled answers with an I/O error."""
        with self._convert_to_lost("cannot be read"):
            if not self._folder.is_dir():
                raise CounterpartLost(f"the second copy's folder {self._folder} is not there")
            return has_ledger(self._folder)

    def _open_copy(self, first: sqlite3.Connection) -> "OpenCopy":
        with ExitStack() as undo:
            claim = FolderClaim(self._folder)
            undo.callback(claim.release)
            path = self._folder / FILE
            new = not has_ledger(self._folder)
            if new and find_oldest(first) > 1:  # archived records cannot be copied one by one
                copy_whole(first, path)
            connection = open_database(self._connect, path, durable=self._durable, new=True)
            undo.callback(connection.close)
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            found = recover(connection)
            opened = OpenCopy(connection, found.head, found.balances)
            if new and self._durable:
                sync_folder(self._folder)
            self._files = OpenFiles(self._folder, (*FILES, CLAIM))
            undo.pop_all()
        self._claim = claim
        return opened

    @contextmanager
    def _convert_to_lost(self, how: str) -> Iterator[None]:
        """Raise errors of the medium as CounterpartLost: the ledger is sound, and play goes on."""
        try:
            yield
        except (*FAILURES, LedgerUnavailable, LedgerCorrupt) as error:
            raise CounterpartLost(f"the second copy in {self._folder} {how}: {error}") from error

    @contextmanager
    def _read_first(self) -> Iterator[sqlite3.Connection]:
        try:
            with one_instant(self._first) as first:
                yield first
        except LedgerUnavailable as error:
            raise CounterpartLost(
                f"the ledger cannot be read for its second copy: {error}"
            ) from error


class OpenCopy:
    """A copy of a ledger that is open for writing, its newest record and its balances."""

    def __init__(self, connection: sqlite3.Connection, head: Head, balances: Balances) -> None:
        self.connection = connection
        self.head = head
        self._balances = balances

    def write(self, page: Sequence[Stored]) -> None:
        """Append records, all or none.

        Raises sqlite3.Error, CounterpartLost, LedgerCorrupt.
        """
        balances = self._balances
        for stored in page:
            for transaction in stored.transactions():
                balances = balances.after(transaction)
        here = (self.head.seq, bytes.fromhex(self.head.hash))
        last = Head(page[-1].row.seq, page[-1].hash.hex())
        ends = (last.seq, page[-1].hash, balances_text(balances))
        execute, insert = self.connection.execute, self.connection.executemany
        execute("BEGIN IMMEDIATE")
        try:
            insert(INSERT_RECORD, [(*stored.row, stored.money, stored.hash) for stored in page])
            insert(INSERT_IDENTITY, [known for stored in page for known in stored.identities()])
            if execute(_MOVE_META, (*ends, *here)).rowcount != 1:
                raise CounterpartLost("the second copy was written by somebody else")
            execute("COMMIT")
        finally:
            if self.connection.in_transaction:
                execute("ROLLBACK")
        self.head, self._balances = last, balances


def find_oldest(ledger: sqlite3.Connection) -> int:
    """The oldest record that has not been archived; 1 for an empty ledger."""
    (oldest,) = ledger.execute("SELECT min(seq) FROM journal").fetchone()
    return oldest or head_of(ledger)[0] + 1


def copy_whole(ledger: sqlite3.Connection, file: Path) -> None:
    """Copy a ledger as it is now into a new file, in one step. Raises sqlite3.Error, OSError.

    An old log without its database must not be taken for the new one's.
    """
    made = file.with_name(f"{file.name}.new")
    made.unlink(missing_ok=True)
    with closing(sqlite3.connect(made)) as copy:
        ledger.backup(copy)
    hand_over(made)
    with made.open("rb") as written:
        os.fsync(written.fileno())
    for left in ("-wal", "-shm"):
        file.with_name(f"{file.name}{left}").unlink(missing_ok=True)
    sync_folder(file.parent)
    made.replace(file)


def read_next_page(first: sqlite3.Connection, here: Head, last: int) -> list[Stored]:
    """Read at most a page of records after `here`, up to the record `last`.

    Raises LedgerCorrupt if one is not chained to the one before.
    """
    page = list(islice(select_stored_after(first, here.seq), min(PAGE, last - here.seq)))
    previous = bytes.fromhex(here.hash)
    for seq, stored in enumerate(page, here.seq + 1):
        problem = stored.problem(seq, previous)
        if problem is not None:
            raise LedgerCorrupt(problem)
        previous = stored.hash
    if not page:
        raise LedgerCorrupt(f"record {here.seq + 1} had been committed, and is missing")
    return page


def describe_parting(
    first: sqlite3.Connection, first_folder: Path, second: OpenCopy, folder: Path
) -> str | None:
    """Where the ledger differs from its second copy; None if it has every record of the copy.

    Raises LedgerCorrupt if the ledger lacks a record.
    """
    ends = second.head.seq
    last, _ = head_of(first)
    if ends <= last and hash_before(first, ends + 1).hex() == second.head.hash:
        return None
    begins = find_oldest(second.connection)
    if last < begins - 1:
        return (
            f"the ledger in {first_folder} ends at record {last}; its copy in {folder} has records "
            f"{begins} to {ends}, the earlier ones are in the archive"
        )
    at = find_parting(first, second.connection, min(ends, last))
    if at is not None:
        return f"the ledger in {first_folder} and its copy in {folder} part at record {at}"
    return f"the ledger in {first_folder} ends at record {last}, its copy in {folder} at {ends}"


def find_parting(first: sqlite3.Connection, second: sqlite3.Connection, common: int) -> int | None:
    """The first of the `common` records that differs; None if all are equal.

    Chains that differ once differ from there on, so it is found by bisection. Where archiving has
    taken the first different record from one of them, the result is the last record before the
    oldest one that both have. Raises LedgerCorrupt.
    """
    if hash_before(first, common + 1) == hash_before(second, common + 1):
        return None
    same, other = max(find_oldest(first), find_oldest(second)) - 1, common
    if hash_before(first, same + 1) != hash_before(second, same + 1):
        return same
    while other - same > 1:
        middle = (same + other) // 2
        if hash_before(first, middle + 1) == hash_before(second, middle + 1):
            same = middle
        else:
            other = middle
    return other
