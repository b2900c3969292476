"""What the centre has of one table: its calls, and what its awards moved."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import class_row

from console.link.centre.seals import AuditBase

_canonical = msgspec.json.Encoder(order="sorted").encode

FETCH_ROWS = 1_000


class MemberAtCentre(Struct, frozen=True):
    """A table. `n`: its last call of this epoch; `record_seq`: its last record known there."""

    name: str
    epoch: int
    n: int
    record_seq: int | None
    record_hash: str | None


class CallAtCentre(Struct, frozen=True):
    """A call as it is stored; `hash` in hexadecimal."""

    epoch: int
    n: int
    call: dict[str, Any]
    hash: str


class AwardMovement(Struct, frozen=True):
    """A movement of a table's award, by one act."""

    act: int
    identity: str
    reason: str
    postings: dict[str, int]


_MEMBERS = "SELECT name, epoch, n, record_seq, record_hash FROM link.member"
_CALLS = """
SELECT epoch, n, call, encode(hash, 'hex') AS hash FROM link.entry AS e
WHERE member = %s ORDER BY epoch, n
"""
_MOVEMENTS = """
SELECT act, identity, reason, jsonb_strip_nulls(jsonb_build_object(
    'tray', nullif(tray, 0), 'jackpot', nullif(jackpot, 0), 'reserve', nullif(reserve, 0),
    'house', nullif(house, 0), 'pending', nullif(pending, 0), 'paid', nullif(paid, 0)
)) AS postings
FROM link.movement WHERE member = %s AND act IS NOT NULL AND reason <> 'join' ORDER BY act
"""


def digest_json(content: Any) -> bytes:
    """What two equal contents have in common, however their fields are ordered."""
    return sha256(_canonical(content)).digest()


@contextmanager
def hold_instant(connection: Connection) -> Iterator[None]:
    """Within the block the connection reads the centre as of one instant. Raises psycopg.Error."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def read_members(connection: Connection) -> dict[str, MemberAtCentre]:
    """All tables by name. Raises psycopg.Error."""
    with connection.cursor(row_factory=class_row(MemberAtCentre)) as cursor:
        return {member.name: member for member in cursor.execute(_MEMBERS).fetchall()}


def read_calls(connection: Connection, member: str, since: AuditBase) -> Iterator[CallAtCentre]:
    """The table's calls in their order, within `hold_instant`. Raises psycopg.Error."""
    with connection.cursor("calls", row_factory=class_row(CallAtCentre)) as cursor:
        cursor.itersize = FETCH_ROWS
        yield from cursor.execute(since.word(_CALLS).encode(), (member,))


def read_award_movements(connection: Connection, member: str) -> Iterator[AwardMovement]:
    """What its awards moved, in the order of acts, within `hold_instant`. Raises psycopg.Error."""
    with connection.cursor("movements", row_factory=class_row(AwardMovement)) as cursor:
        cursor.itersize = FETCH_ROWS
        yield from cursor.execute(_MOVEMENTS, (member,))
