"""The journal's records, their canonical bytes and the chain of hashes (TABLE.md, section 11)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, TypeAlias

import msgspec

from jackpot.accounts import Account, Posting, Reason, Transaction
from jackpot.amounts import Units

JSON: TypeAlias = "bool | int | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""What a body may hold: exact, so no floats."""

SNAPSHOT = "snapshot"
"""The kind of an entry that holds the whole state; start-up reads the journal from the last one."""

GENESIS = bytes(32)
"""What the first record's hash is chained to."""

_encode = msgspec.json.Encoder(order="deterministic").encode


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be written: an act, a decision, a declaration, and the money it moves.

    `at_ms` is monotonic, in milliseconds; `wall` is a label for people, never compared.
    """

    kind: str
    round: int
    at_ms: int
    wall: str
    settings_version: int
    body: Mapping[str, JSON]
    transactions: tuple[Transaction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Entry):
    """An entry as it was written; hashes in hexadecimal.

    Transactions that an earlier record had brought already are not among this one's.
    """

    seq: int
    boot: int
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """The newest record. Kept elsewhere too, it proves that no newest record was removed."""

    seq: int
    hash: str


class Row(NamedTuple):
    """A record as the table `journal` has it; `body` is JSON text."""

    seq: int
    boot: int
    kind: str
    round: int
    at_ms: int
    wall: str
    settings_version: int
    body: str


class Movement(NamedTuple):
    """A transaction as the tables have it: postings (account, units) in the account's order."""

    identity: str
    reason: str
    postings: tuple[tuple[str, int], ...]


def body_text(body: Mapping[str, JSON]) -> str:
    """The body's canonical text. Raises TypeError or ValueError if it is not JSON."""
    try:
        return _encode(body).decode()
    except RecursionError as error:
        raise ValueError("a body that holds itself has no text") from error


def chained(previous: bytes, row: Row, movements: Sequence[Movement]) -> bytes:
    """The record's hash: SHA-256 over the hash before it and everything the record says."""
    return sha256(previous + hashed_text(row, movements)).digest()


def hashed_text(row: Row, movements: Sequence[Movement]) -> bytes:
    """Everything the record says, as the JSON text its hash is made of."""
    return _encode((row, movements))


def movement_of(transaction: Transaction) -> Movement:
    """The transaction as the tables have it."""
    postings = sorted((posting.account.value, posting.amount) for posting in transaction.postings)
    return Movement(transaction.identity, transaction.reason.value, tuple(postings))


def transaction_of(movement: Movement) -> Transaction:
    """The reverse of `movement_of`. Raises ValueError for what is no transaction."""
    postings = tuple(Posting(Account(name), Units(units)) for name, units in movement.postings)
    return Transaction(movement.identity, Reason(movement.reason), postings)


def record_of(row: Row, movements: Iterable[Movement], previous: bytes, digest: bytes) -> Record:
    """The record a row and its movements stand for. Raises ValueError if they are no record."""
    body = json.loads(row.body)
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
