"""Reading stored records and saying what is wrong with them."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from jackpot.accounts import Account, Balances, Reason
from jackpot.amounts import Units
from jackpot.failures import LedgerCorrupt
from jackpot.journal import GENESIS, Movement, Record, Row, chained, record_of
from jackpot.schema import connect_for_reading, one_instant, told_as

_COLUMNS = "seq, boot, kind, round, at_ms, wall, settings_version, body, hash"
_MOVEMENTS = """
    SELECT position, identity, reason, account, amount
    FROM transfer LEFT JOIN posting USING (seq, position)
    WHERE seq = ? ORDER BY position, account"""

_MOVED = """
    SELECT reason, count(*), coalesce(sum(amount), 0) FROM transfer
    LEFT JOIN posting ON posting.seq = transfer.seq
        AND posting.position = transfer.position AND posting.account = :paid
    WHERE transfer.seq > :seq GROUP BY reason"""

# Money that belongs to no record, or to no transaction: the chain cannot see it.
_STRAYS = """
    SELECT seq FROM transfer WHERE seq >= :first
        AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.seq = transfer.seq)
    UNION SELECT seq FROM posting WHERE seq >= :first
        AND NOT EXISTS (SELECT 1 FROM transfer
            WHERE transfer.seq = posting.seq AND transfer.position = posting.position)
    ORDER BY seq"""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it lies on the disk, not yet believed."""

    row: Row
    movements: tuple[Movement, ...]
    hash: bytes

    def problem(self, seq: int, previous: bytes) -> str | None:
        """What is wrong with it as the record `seq` after the hash `previous`."""
        if self.row.seq != seq:
            return f"record {seq} is missing (the next is {self.row.seq})"
        if chained(previous, self.row, self.movements) != self.hash:
            return f"record {seq} was changed, or the one before it: its hash does not fit"
        return None

    def record(self, previous: bytes) -> Record:
        """The record. Raises LedgerCorrupt if it is none, although its hash may fit."""
        try:
            return record_of(self.row, self.movements, previous, self.hash)
        except ValueError as error:
            raise LedgerCorrupt(f"record {self.row.seq}: {error}") from error


def stored_from(connection: sqlite3.Connection, first: int) -> Iterator[Stored]:
    """The stored records from sequence number `first` on."""
    return stored_where(connection, "seq >= ? ORDER BY seq", (first,))


def hash_before(connection: sqlite3.Connection, seq: int) -> bytes:
    """The hash the record `seq` is chained to. Raises LedgerCorrupt if its record is missing."""
    if seq <= 1:
        return GENESIS
    found = connection.execute("SELECT hash FROM journal WHERE seq = ?", (seq - 1,)).fetchone()
    if found is None:
        raise LedgerCorrupt(f"record {seq - 1} is missing")
    return bytes(found[0])


def movements_at(connection: sqlite3.Connection, seq: int) -> tuple[Movement, ...]:
    """The transactions of one record as the tables have them."""
    rows = connection.execute(_MOVEMENTS, (seq,)).fetchall()
    movements = []
    for (_, identity, reason), group in groupby(rows, key=lambda row: row[:3]):
        postings = tuple((row[3], row[4]) for row in group if row[3] is not None)
        movements.append(Movement(identity, reason, postings))
    return tuple(movements)


def head_of(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """Sequence number and hash of what was committed last. Raises LedgerCorrupt without one."""
    found = connection.execute("SELECT seq, hash FROM meta").fetchone()
    if found is None:
        raise LedgerCorrupt("it does not say which record was the last")
    return found[0], bytes(found[1])


def cached_balances(connection: sqlite3.Connection) -> Balances:
    """The table of balances. Raises LedgerCorrupt unless it names exactly the accounts."""
    try:
        return Balances.from_dict(dict(connection.execute("SELECT account, amount FROM balance")))
    except ValueError as error:
        raise LedgerCorrupt(f"the table of balances: {error}") from error


def strays_from(connection: sqlite3.Connection, first: int) -> list[int]:
    """Sequence numbers, from `first` on, of money that belongs to no record."""
    return [seq for (seq,) in connection.execute(_STRAYS, {"first": first})]


def read_records(
    folder: Path,
    *,
    round: int | None = None,
    kind: str | None = None,
    containing: str | None = None,
    after: int = 0,
    limit: int = 1_000,
) -> Generator[Record, None, None]:
    """Records after a sequence number, oldest first, at most `limit`; a service may be writing.

    `containing`: only those whose body's text has this in it. They are shown as they lie there;
    `verify` says whether to believe them. Raises LedgerUnavailable, and LedgerCorrupt at what is no
    record.
    """
    wanted = [
        ("seq > ?", after),
        ("round = ?", round),
        ("kind = ?", kind),
        ("instr(body, ?)", containing),
    ]
    conditions = [(condition, value) for condition, value in wanted if value is not None]
    where = " AND ".join(condition for condition, _ in conditions)
    values = [value for _, value in conditions]
    return records_where(folder, f"{where} ORDER BY seq LIMIT ?", (*values, limit))


def newest_record(
    folder: Path, *, kind: str | None = None, before: int | None = None
) -> Record | None:
    """The last record, or the last of a kind, or before a number; None if there is none.

    Raises LedgerUnavailable, and LedgerCorrupt if it is no record.
    """
    asked = {"kind = ?": kind, "seq < ?": before}
    wanted = {condition: value for condition, value in asked.items() if value is not None}
    where = " AND ".join(wanted) or "TRUE"
    newest = f"{where} ORDER BY seq DESC LIMIT 1"
    with closing(records_where(folder, newest, tuple(wanted.values()))) as found:
        return next(found, None)


def moved_since(folder: Path, seq: int) -> dict[Reason, tuple[int, Units]]:
    """How many transactions of each reason came after a record, and what they put into `paid`.

    Raises LedgerUnavailable, and LedgerCorrupt for a reason that is none.
    """
    with closing(connect_for_reading(folder)) as connection, told_as("read"):
        found = connection.execute(_MOVED, {"seq": seq, "paid": Account.PAID.value}).fetchall()
    try:
        return {Reason(reason): (count, Units(paid)) for reason, count, paid in found}
    except ValueError as error:
        raise LedgerCorrupt(f"a transaction after record {seq}: {error}") from error


def records_where(
    folder: Path, where: str, values: Sequence[int | str | None]
) -> Generator[Record, None, None]:
    """The records of a folder's ledger for which a condition holds, of one instant.

    Raises LedgerUnavailable, and LedgerCorrupt at what is no record.
    """
    with one_instant(folder) as connection:
        for stored in stored_where(connection, where, values):
            yield stored.record(hash_before(connection, stored.row.seq))


def stored_where(
    connection: sqlite3.Connection, where: str, values: Sequence[int | str | None]
) -> Iterator[Stored]:
    """The stored records for which a condition holds; it may say in what order and how many."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM journal WHERE {where}", values)
    for *columns, digest in rows:
        yield Stored(Row(*columns), movements_at(connection, columns[0]), bytes(digest))
