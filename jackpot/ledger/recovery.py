"""Reads and verifies a ledger from its last snapshot on, when it is opened."""

import sqlite3

from jackpot.failures import LedgerCorrupt, surprises_as_damage
from jackpot.ledger.anchor import anchor_of
from jackpot.ledger.journal import JSON, Head, Record, Recovered, snapshot_balances
from jackpot.ledger.reading import (
    Stored,
    hash_before,
    head_of,
    read_cached_balances,
    select_stored_after,
    unknown_identity,
)
from jackpot.money.accounts import Balances


def recover(connection: sqlite3.Connection) -> Recovered:
    """Read and verify from the last snapshot on, however long the journal is before it.

    Nothing is cut off or repaired: what a power cut left half written, SQLite has dropped. Raises
    sqlite3.Error, and LedgerCorrupt if chain, postings, balances or head do not agree, or if it
    cannot be read.
    """
    with surprises_as_damage():
        return _read_back(connection)


def _read_back(connection: sqlite3.Connection) -> Recovered:
    query = "SELECT max(seq) FROM journal WHERE kind = 'snapshot'"
    (snapshot_seq,) = connection.execute(query).fetchone()
    anchor = anchor_of(connection)
    first = snapshot_seq or anchor.seq + 1
    stored = list(select_stored_after(connection, first - 1))
    records = _verify_chain(stored, first, hash_before(connection, first))
    balances = anchor.balances
    snapshot: dict[str, JSON] | None = None
    tail = records
    if snapshot_seq is not None:
        if not records:  # the index of snapshots has it, the journal has not
            raise LedgerCorrupt(f"record {first}, the last snapshot, is missing")
        snapshot = dict(records[0].body)
        balances = snapshot_balances(records[0])
        tail = records[1:]
    for record in tail:
        for transaction in record.transactions:
            balances = balances.after(transaction)
    newest = records[-1] if records else None
    last = Head(newest.seq, newest.hash) if newest else Head(anchor.seq, anchor.hash.hex())
    _check_head(connection, last, balances)
    problem = unknown_identity(connection, stored)
    if problem is not None:
        raise LedgerCorrupt(problem)
    return Recovered(
        boot=newest.boot if newest else 0,
        seq=last.seq,
        hash=last.hash,
        balances=balances,
        snapshot=snapshot,
        snapshot_seq=snapshot_seq or 0,
        tail=tail,
    )


def _verify_chain(found: list[Stored], first: int, previous: bytes) -> list[Record]:
    records: list[Record] = []
    for seq, stored in enumerate(found, first):
        problem = stored.problem(seq, previous)
        if problem is not None:
            raise LedgerCorrupt(problem)
        records.append(stored.record(previous))
        previous = stored.hash
    return records


def _check_head(connection: sqlite3.Connection, found: Head, balances: Balances) -> None:
    seq, digest = head_of(connection)
    if found != Head(seq, digest.hex()):
        raise LedgerCorrupt(f"the last record is {found.seq}, but {seq} was committed")
    cached = read_cached_balances(connection)
    if cached != balances:
        raise LedgerCorrupt(f"the table of balances says {cached}, the record {balances}")
