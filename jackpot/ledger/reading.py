"""Reads stored records, and says what is wrong with them."""

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.anchor import anchor_of
from jackpot.ledger.columns import one_row, rows_of
from jackpot.ledger.journal import (
    WHILE_LOCKED,
    JournalRow,
    Movement,
    Record,
    balances_in,
    digest_of,
    link_problem,
    movement_text,
    movements_in,
    record_of,
    transaction_of,
)
from jackpot.ledger.schema import connect_for_reading, convert_disk_errors, one_instant
from jackpot.money.accounts import Balances, Transaction

_COLUMNS = "seq, boot, kind, round, at_ms, wall, settings_version, body, money, hash"
_KINDS = (int, int, str, int, int, str, int, str)
_MOVED = "SELECT seq, money FROM journal WHERE seq > ? AND money IS NOT NULL ORDER BY seq"
_ENDS = "SELECT (SELECT min(seq) FROM journal), (SELECT max(seq) FROM journal)"
_NEXT_ROUND = """
    SELECT seq, round FROM journal WHERE seq >= ? AND instr(body, ?) = 0 ORDER BY seq LIMIT 1"""
_KNOWN = """
    SELECT identity.identity, identity.seq, identity.digest
    FROM json_each(?) AS wanted CROSS JOIN identity ON identity.identity = wanted.value"""


class Stored(Struct, frozen=True):
    """A record as stored, not trusted yet; `money`: the text of its movements."""

    row: JournalRow
    money: str | None
    hash: bytes

    def problem(self, seq: int, previous: bytes) -> str | None:
        """What is wrong with it as the record `seq` after the hash `previous`."""
        return link_problem(self.row, self.money, self.hash, seq, previous)

    def movements(self) -> tuple[Movement, ...]:
        """Its movements. Raises LedgerCorrupt if they cannot be read."""
        try:
            return movements_in(self.money)
        except ValueError as error:
            raise LedgerCorrupt(f"record {self.row.seq}: {error}") from error

    def transactions(self) -> tuple[Transaction, ...]:
        """Its movements as transactions. Raises LedgerCorrupt if they are invalid."""
        try:
            return tuple(transaction_of(movement) for movement in self.movements())
        except ValueError as error:
            raise LedgerCorrupt(f"record {self.row.seq}: {error}") from error

    def identities(self) -> list[tuple[str, int, bytes]]:
        """The rows of its movements in the table `identity`. Raises LedgerCorrupt."""
        return [
            (movement.identity, self.row.seq, digest_of(movement_text(movement)))
            for movement in self.movements()
        ]

    def record(self, previous: bytes) -> Record:
        """The record. Raises LedgerCorrupt if it is invalid, even with a correct hash."""
        movements = self.movements()
        try:
            return record_of(self.row, movements, previous, self.hash)
        except ValueError as error:
            raise LedgerCorrupt(f"record {self.row.seq}: {error}") from error


def select_all_stored(connection: sqlite3.Connection) -> Iterator[Stored]:
    """Every stored record in order, even one with an invalid number."""
    return select_stored(connection, "TRUE ORDER BY seq", ())


def select_stored_after(connection: sqlite3.Connection, last: int) -> Iterator[Stored]:
    """The stored records after the sequence number `last`."""
    return select_stored(connection, "seq > ? ORDER BY seq", (last,))


def hash_before(connection: sqlite3.Connection, seq: int) -> bytes:
    """The hash to which the record `seq` is chained.

    Raises LedgerCorrupt if that record is missing.
    """
    found = connection.execute("SELECT hash FROM journal WHERE seq = ?", (seq - 1,)).fetchone()
    if found is not None:
        return _hash_in(found[0], f"record {seq - 1}")
    anchor = anchor_of(connection)
    if anchor.seq == seq - 1:
        return anchor.hash
    why = "in the archive" if seq - 1 < anchor.seq else "missing"
    raise LedgerCorrupt(f"record {seq - 1} is {why}")


def head_of(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """Number and hash of the last committed record. Raises LedgerCorrupt without one."""
    found = connection.execute("SELECT seq, hash FROM meta").fetchone()
    if found is None or not isinstance(found[0], int):
        raise LedgerCorrupt("it does not say which record was the last")
    return int(found[0]), _hash_in(found[1], "what was committed last")


def read_cached_balances(connection: sqlite3.Connection) -> Balances:
    """The table of balances. Raises LedgerCorrupt unless it has exactly the accounts."""
    found = connection.execute("SELECT balances FROM meta").fetchone()
    if found is None or not isinstance(found[0], str):
        raise LedgerCorrupt("it does not say which balances were the last")
    try:
        return balances_in(found[0])
    except ValueError as error:
        raise LedgerCorrupt(f"the table of balances: {error}") from error


def unknown_identity(connection: sqlite3.Connection, stored: Iterable[Stored]) -> str | None:
    """What is wrong with these records' transactions in the table `identity`; None: nothing."""
    wanted = {
        identity: (seq, digest) for one in stored for identity, seq, digest in one.identities()
    }
    rows = connection.execute(_KNOWN, (json.dumps(list(wanted)),))
    known = {identity: (seq, digest) for identity, seq, digest in rows}
    for identity, (seq, digest) in wanted.items():
        if known.get(identity) != (seq, digest):
            return f"record {seq}: the ledger does not know its transaction {identity} as it is"
    return None


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

    `containing`: only those with this text in their body. The records are not verified; `verify`
    does that. Raises LedgerUnavailable, and LedgerCorrupt for an invalid record.
    """
    wanted = [
        ("seq > ?", after),
        ("kind = ?", kind),
        ("instr(body, ?)", containing),
    ]
    conditions = [(condition, value) for condition, value in wanted if value is not None]
    where = " AND ".join(condition for condition, _ in conditions)
    values = [value for _, value in conditions]
    return records_where(folder, f"{where} ORDER BY seq LIMIT ?", (*values, limit), round=round)


def newest_record(
    folder: Path, *, kind: str | tuple[str, ...] = (), before: int | None = None
) -> Record | None:
    """The last record, or the last of a kind or several, or before a number; None: there is none.

    Raises LedgerUnavailable, and LedgerCorrupt if it is invalid.
    """
    kinds = (kind,) if isinstance(kind, str) else kind
    of_kind = " OR ".join(["kind = ?"] * len(kinds))
    wanted = [f"({of_kind})"] if kinds else []
    wanted += ["seq < ?"] if before is not None else []
    newest = f"{' AND '.join(wanted) or 'TRUE'} ORDER BY seq DESC LIMIT 1"
    values: tuple[str | int, ...] = kinds if before is None else (*kinds, before)
    with closing(records_where(folder, newest, values)) as found:
        return next(found, None)


def transactions_since(folder: Path, seq: int) -> Generator[Transaction, None, None]:
    """The transactions after a record, oldest first, read without the records' bodies.

    Raises LedgerUnavailable, and LedgerCorrupt for an invalid one.
    """
    with closing(connect_for_reading(folder)) as connection, convert_disk_errors("read"):
        rows = connection.execute(_MOVED, (seq,))
        for number, money in rows_of(rows, (int, str), "what a record moves"):
            yield from _transactions_in(number, money)


def _transactions_in(seq: int, money: str) -> list[Transaction]:
    try:
        return [transaction_of(movement) for movement in movements_in(money)]
    except ValueError as error:
        raise LedgerCorrupt(f"a transaction of record {seq}: {error}") from error


def records_where(
    folder: Path, where: str, values: Sequence[int | str | None], *, round: int | None = None
) -> Generator[Record, None, None]:
    """The records of a folder's ledger that fulfil a condition, all of one instant.

    `round`: only those of this round. Raises LedgerUnavailable, and LedgerCorrupt for an invalid
    record.
    """
    with one_instant(folder) as connection:
        if round is not None:
            first, last = round_span(connection, round)
            where, values = f"seq BETWEEN ? AND ? AND {where}", (first, last, *values)
        for stored in select_stored(connection, where, values):
            yield stored.record(hash_before(connection, stored.row.seq))


def round_span(connection: sqlite3.Connection, number: int) -> tuple[int, int]:
    """The first and the last record of a round; last < first if it has none.

    Rounds never decrease along the journal, so they are found by bisection. Acts refused while the
    ledger could not be written belong to the round around them.
    """
    low, high = connection.execute(_ENDS).fetchone()
    if low is None:
        return 1, 0
    first = _find_first_of_round(connection, number, low, high + 1)
    return first, _find_first_of_round(connection, number + 1, first, high + 1) - 1


def _find_first_of_round(connection: sqlite3.Connection, number: int, low: int, high: int) -> int:
    """The first record from `low` on of this round or a later one.

    `high` if there is none before it.
    """
    while low < high:
        middle = (low + high) // 2
        rows = connection.execute(_NEXT_ROUND, (middle, WHILE_LOCKED))
        found = one_row(rows, (int, int), "a record's round")
        if found is None or found[1] >= number:
            high = middle
        else:
            low = found[0] + 1
    return low


def select_stored(
    connection: sqlite3.Connection, where: str, values: Sequence[int | str | None]
) -> Iterator[Stored]:
    """The stored records that fulfil a condition, which may include order and limit."""
    rows = connection.execute(f"SELECT {_COLUMNS} FROM journal WHERE {where}", values)
    for found in rows:
        yield _make_stored(*found)


def _make_stored(*values: Any) -> Stored:
    """A stored record from its columns. Raises LedgerCorrupt: a damaged page may hold anything."""
    *columns, money, digest = values
    kinds = tuple(map(type, columns))
    if kinds != _KINDS or type(digest) is not bytes or not isinstance(money, str | None):
        raise LedgerCorrupt(f"record {columns[0]}: its columns do not hold what a record has")
    return Stored(JournalRow(*columns), money, digest)


def wall_of(connection: sqlite3.Connection, seq: int) -> str:
    """The record's wall-clock label; "" if there is no such record. Raises LedgerCorrupt."""
    rows = connection.execute("SELECT wall FROM journal WHERE seq = ?", (seq,))
    found = one_row(rows, (str,), f"the label of record {seq}")
    return found[0] if found is not None else ""


def _hash_in(value: object, whose: str) -> bytes:
    if not isinstance(value, bytes):
        raise LedgerCorrupt(f"{whose} has no hash")
    return value
