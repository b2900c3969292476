"""A ledger as it was written up to schema version 1, brought to the tables of today.

There every transaction and every posting had a row of its own. The chain stays what it was: what
was hashed of a record is hashed today. Nothing is taken over that does not verify.
"""

import sqlite3
from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter

from jackpot.accounts import Balances
from jackpot.columns import rows_of
from jackpot.failures import LedgerCorrupt
from jackpot.journal import (
    GENESIS,
    SNAPSHOT,
    Movement,
    Row,
    digest_of,
    link_problem,
    money_text,
    movement_text,
    record_of,
    snapshot_balances,
)
from jackpot.tables import INSERT_IDENTITY, INSERT_RECORD, insert_meta, make_tables

VERSION_ONE = 1

_PAGE = 1_000
_CACHE_KIB = 64_000
"""While it is brought up: the identities do not come in their order."""
_USUAL_CACHE_KIB = 2_000

_OLD = ("journal", "transfer", "posting", "balance", "meta")
_RECORDS = """
    SELECT seq, boot, kind, round, at_ms, wall, settings_version, body, hash
    FROM old_journal ORDER BY seq"""
_MONEY = """
    SELECT seq, position, identity, reason, account, amount
    FROM old_transfer LEFT JOIN old_posting USING (seq, position)
    ORDER BY seq, position, account"""

_KINDS = (int, int, str, int, int, str, int, str, bytes)

Joined = tuple[Row, tuple[Movement, ...], bytes]
Values = tuple[int | str | bytes | None, ...]


def bring_up(connection: sqlite3.Connection) -> None:
    """Write the tables of today in place of those of version 1, in the transaction that is open.

    Raises LedgerCorrupt where the whole ledger does not verify, sqlite3.Error.
    """
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    for index in ("journal_snapshot", "journal_round"):
        connection.execute(f"DROP INDEX IF EXISTS {index}")
    for table in _OLD:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    make_tables(connection)
    taken = _Taken()
    joined = _joined(connection)
    try:
        while page := list(islice(joined, _PAGE)):
            records, identities = taken.over(page)
            connection.executemany(INSERT_RECORD, records)
            connection.executemany(INSERT_IDENTITY, identities)
    except sqlite3.IntegrityError as error:
        raise LedgerCorrupt(f"a transaction is there twice: {error}") from error
    _compare_ends(connection, taken)
    insert_meta(connection, taken.seq, taken.hash, taken.balances)
    for table in _OLD:
        connection.execute(f"DROP TABLE old_{table}")
    connection.execute(f"PRAGMA cache_size = -{_USUAL_CACHE_KIB}")


class _Taken:
    """What was taken over so far: the last record, the balances, how many postings."""

    def __init__(self) -> None:
        self.seq = 0
        self.hash = GENESIS
        self.balances = Balances()
        self.postings = 0

    def over(self, page: list[Joined]) -> tuple[list[Values], list[Values]]:
        """The rows of `journal` and of `identity` for these records. Raises LedgerCorrupt."""
        records: list[Values] = []
        identities: list[Values] = []
        for row, movements, digest in page:
            texts = [movement_text(movement) for movement in movements]
            money = money_text(texts)
            problem = link_problem(row, money, digest, self.seq + 1, self.hash)
            if problem is not None:
                raise LedgerCorrupt(problem)
            self._follow(row, movements, digest)
            records.append((*row, money, digest))
            for movement, text in zip(movements, texts, strict=True):
                identities.append((movement.identity, row.seq, digest_of(text)))
        return records, identities

    def _follow(self, row: Row, movements: tuple[Movement, ...], digest: bytes) -> None:
        try:
            record = record_of(row, movements, self.hash, digest)
        except ValueError as error:
            raise LedgerCorrupt(f"record {row.seq}: {error}") from error
        for transaction in record.transactions:
            self.balances = self.balances.after(transaction)
            self.postings += len(transaction.postings)
        if row.kind == SNAPSHOT and snapshot_balances(record) != self.balances:
            raise LedgerCorrupt(
                f"record {row.seq}: the snapshot's balances are not the postings' sum"
            )
        self.seq, self.hash = row.seq, digest


def _joined(connection: sqlite3.Connection) -> Iterator[Joined]:
    """Every record with the money it moves. Raises LedgerCorrupt for money without a record."""
    money = _money(connection)
    moved = next(money, None)
    rows = rows_of(connection.execute(_RECORDS), _KINDS, "a record")
    for *columns, digest in rows:
        row = Row(*columns)
        movements: tuple[Movement, ...] = ()
        if moved is not None and moved[0] == row.seq:
            movements, moved = moved[1], next(money, None)
        yield row, movements, digest
    if moved is not None:
        raise LedgerCorrupt(f"record {moved[0]}: money moved that belongs to no record")


def _money(connection: sqlite3.Connection) -> Iterator[tuple[int, tuple[Movement, ...]]]:
    for seq, of_record in groupby(connection.execute(_MONEY), key=itemgetter(0)):
        movements = []
        for (_, identity, reason), rows in groupby(of_record, key=itemgetter(1, 2, 3)):
            postings = tuple((row[4], row[5]) for row in rows if row[4] is not None)
            movements.append(Movement(identity, reason, postings))
        yield seq, tuple(movements)


def _compare_ends(connection: sqlite3.Connection, taken: _Taken) -> None:
    """Hold what else the old tables say against it. Raises LedgerCorrupt."""
    (postings,) = connection.execute("SELECT count(*) FROM old_posting").fetchone()
    if postings != taken.postings:
        raise LedgerCorrupt("postings are there that belong to no transaction")
    head = connection.execute("SELECT seq, hash FROM old_meta").fetchone()
    if head is None:
        raise LedgerCorrupt("it does not say which record was the last")
    if head != (taken.seq, taken.hash):
        raise LedgerCorrupt(f"the last record is {taken.seq}, but {head[0]} was committed")
    cached = dict(connection.execute("SELECT account, amount FROM old_balance").fetchall())
    if cached != taken.balances.to_dict():
        raise LedgerCorrupt(f"the table of balances says {cached}, the postings {taken.balances}")
