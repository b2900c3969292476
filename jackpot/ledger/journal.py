"""The journal's records, their canonical bytes and the chain of hashes.

docs/reference/rules.md 11.
"""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from enum import Enum
from hashlib import sha256
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from jackpot.failures import LedgerCorrupt
from jackpot.money.accounts import Account, Balances, Posting, Reason, Transaction
from jackpot.money.amounts import Units
from jackpot.value_mistakes import describe_mistake

JSON: TypeAlias = "bool | int | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""The content of a body as it is read: exact, so without floats."""

Encodable: TypeAlias = "JSON | Enum | Struct | Set[int] | Mapping[str, Encodable]"
"""The content of a body as it is written: values become JSON when the record is encoded."""

SNAPSHOT = "snapshot"
"""The kind of an entry with the whole state; a start reads the journal from the last one."""

WHILE_LOCKED = '"while_locked":true'
"""In the body of acts refused while the ledger could not be written. Such records had the round
that the table knew, which may be smaller than that of the record before."""

GENESIS = bytes(32)
"""The hash to which the first record is chained."""

DIGEST_BYTES = 16
"""The length of a movement's digest: long enough that two movements do not share one by chance."""

_encode = msgspec.json.Encoder(order="sorted").encode


class Entry(Struct, frozen=True):
    """Something to be written: an act, its decisions and the money that it moves.

    `at_ms` is monotonic, in milliseconds; `wall` is a label for people: no amount and no order
    follows it. `round` never decreases.
    """

    kind: str
    round: int
    at_ms: int
    wall: str
    settings_version: int
    body: Mapping[str, Encodable]
    transactions: tuple[Transaction, ...] = ()


class Record(Entry, frozen=True, kw_only=True):
    """A written entry; hashes in hexadecimal.

    It lacks transactions that an earlier record has already.
    """

    body: Mapping[str, JSON]
    seq: int
    boot: int
    previous: str
    hash: str


class Head(Struct, frozen=True):
    """The newest record. A copy of it elsewhere proves that no newest record was removed."""

    seq: int
    hash: str


class JournalRow(NamedTuple):
    """A record without the money that it moves; `body` is JSON text."""

    seq: int
    boot: int
    kind: str
    round: int
    at_ms: int
    wall: str
    settings_version: int
    body: str


class Movement(NamedTuple):
    """A transaction as the journal has it: postings (account, units) in the accounts' order."""

    identity: str
    reason: str
    postings: tuple[tuple[str, int], ...]


_movements = msgspec.json.Decoder(tuple[Movement, ...])


def body_text(body: Mapping[str, Encodable]) -> str:
    """The body's canonical text. Raises TypeError or ValueError if it is not JSON."""
    try:
        return _encode(body).decode()
    except RecursionError as error:
        raise ValueError("a body that contains itself cannot be written as text") from error


def movement_text(movement: Movement) -> bytes:
    """The movement's canonical text."""
    return _encode(movement)


def digest_of(text: bytes) -> bytes:
    """The digest of a movement's text, beside its identity."""
    return sha256(text).digest()[:DIGEST_BYTES]


def money_text(movements: Sequence[bytes]) -> str | None:
    """The text of all movements of a record; None without any."""
    return f"[{b','.join(movements).decode()}]" if movements else None


def movements_in(money: str | None) -> tuple[Movement, ...]:
    """The reverse of `money_text`. Raises ValueError for an invalid text."""
    if money is None:
        return ()
    try:
        movements = _movements.decode(money)
    except msgspec.DecodeError as error:
        raise ValueError(f"what it moves cannot be read: {describe_mistake(error)}") from error
    if not movements:
        raise ValueError("what it moves is nothing")
    return movements


def hash_record(previous: bytes, row: JournalRow, money: str | None) -> bytes:
    """The record's hash: SHA-256 over the hash before it and the whole record."""
    return sha256(previous + text_to_hash(row, money)).digest()


def link_problem(
    row: JournalRow, money: str | None, digest: bytes, seq: int, previous: bytes
) -> str | None:
    """What is wrong with a row as the record `seq` after `previous`: a gap, damage or tampering."""
    if row.seq != seq:
        return f"record {seq} is missing (the next is {row.seq})"
    if hash_record(previous, row, money) != digest:
        return f"record {seq} was changed, or the one before it: its hash does not fit"
    return None


def text_to_hash(row: JournalRow, money: str | None) -> bytes:
    """The whole record as the JSON text to be hashed."""
    return b"[%s,%s]" % (_encode(row), b"[]" if money is None else money.encode())


def movement_of(transaction: Transaction) -> Movement:
    """The transaction as the journal has it."""
    postings = sorted((posting.account.value, posting.amount) for posting in transaction.postings)
    return Movement(transaction.identity, transaction.reason.value, tuple(postings))


def transaction_of(movement: Movement) -> Transaction:
    """The reverse of `movement_of`. Raises ValueError for an invalid transaction."""
    postings = tuple(Posting(Account(name), Units(units)) for name, units in movement.postings)
    return Transaction(movement.identity, Reason(movement.reason), postings)


def record_of(
    row: JournalRow, movements: Iterable[Movement], previous: bytes, digest: bytes
) -> Record:
    """The record of a row and its movements. Raises ValueError if they are invalid."""
    body = _parse_json(row.body)
    if not isinstance(body, dict):
        raise ValueError(f"record {row.seq}: its body is not an object")
    return Record(
        kind=row.kind,
        round=row.round,
        at_ms=row.at_ms,
        wall=row.wall,
        settings_version=row.settings_version,
        body=body,
        transactions=tuple(transaction_of(movement) for movement in movements),
        seq=row.seq,
        boot=row.boot,
        previous=previous.hex(),
        hash=digest.hex(),
    )


def _parse_json(text: str) -> object:
    """The content of JSON text. Raises ValueError if it is invalid or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(f"its JSON is nested too deeply: {error}") from error


def balances_text(balances: Balances) -> str:
    """The balances as text, kept beside the ledger's head."""
    return _encode(balances.to_dict()).decode()


def balances_in(text: str) -> Balances:
    """The reverse of `balances_text`. Raises ValueError for an invalid text."""
    balances = _parse_json(text)
    return Balances.from_dict(balances if isinstance(balances, dict) else {})


def snapshot_balances(record: Record) -> Balances:
    """The balances in a snapshot. Raises LedgerCorrupt if they are missing."""
    balances = record.body.get("balances")
    if record.kind != SNAPSHOT or not isinstance(balances, dict):
        raise LedgerCorrupt(f"record {record.seq}: a snapshot without balances")
    try:
        return Balances.from_dict(balances)
    except ValueError as error:
        raise LedgerCorrupt(f"record {record.seq}: {error}") from error


class Recovered(Struct, frozen=True):
    """An opened ledger: the state is `snapshot` with the changes of `tail` applied.

    A new ledger has boot 0 and seq 0. `snapshot` is the body of the last snapshot, if there is one;
    `tail` are the records after it, oldest first.
    """

    boot: int
    seq: int
    hash: str
    balances: Balances
    snapshot: dict[str, JSON] | None
    snapshot_seq: int
    tail: list[Record]

    @property
    def head(self) -> Head:
        """The newest record."""
        return Head(self.seq, self.hash)
