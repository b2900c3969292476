"""The centre's chains, checked anew from what it holds (docs/link-rules.md, 2.5)."""

from collections.abc import Iterator
from hashlib import sha256

from psycopg import Connection

ENTRIES = """
SELECT member, epoch, n, act, hash, jsonb_build_array(member, epoch, n, act, call, answer)::text
FROM link.entry ORDER BY member, epoch, n
"""
ACTS = """
SELECT number, hash, link.write_act(jackpot_id, number, kind, member, details)
FROM link.act WHERE jackpot_id = %s ORDER BY number
"""
HEADS = """
SELECT DISTINCT ON (e.member) e.member || ':' || encode(e.hash, 'hex')
FROM link.entry AS e JOIN link.member AS m ON m.name = e.member
WHERE m.jackpot_id = %s AND e.act < %s ORDER BY e.member, e.epoch DESC, e.n DESC
"""


def find_broken_links(connection: Connection) -> list[str]:
    """What does not follow from what is before it, each with its place; nothing if all does.

    Raises psycopg.Error.
    """
    jackpots = connection.execute("SELECT id FROM link.jackpot ORDER BY id").fetchall()
    broken = list(_check_entries(connection))
    for (jackpot,) in jackpots:
        broken.extend(_check_acts(connection, jackpot))
    return broken


def _check_entries(connection: Connection) -> Iterator[str]:
    heads: dict[str, bytes] = {}
    for member, epoch, n, _, found, text in connection.execute(ENTRIES):
        if sha256(heads.get(member, b"") + text.encode()).digest() != found:
            yield f"entry {member}/{epoch}/{n}: its hash is another"
        heads[member] = found
    rows = connection.execute("SELECT name, hash FROM link.member ORDER BY name").fetchall()
    for member, head in rows:
        if heads.get(member, b"") != head:
            yield f"member {member}: its last entry is another"


def _check_acts(connection: Connection, jackpot: str) -> Iterator[str]:
    last = b""
    number = 0
    for number, found, text in connection.execute(ACTS, (jackpot,)).fetchall():
        heads = ",".join(row[0] for row in connection.execute(HEADS, (jackpot, number)))
        if sha256(last + heads.encode() + text.encode()).digest() != found:
            yield f"act {jackpot}/{number}: its hash is another"
        last = found
    head = connection.execute("SELECT act, hash FROM link.jackpot WHERE id = %s", (jackpot,))
    if head.fetchone() != (number, last):
        yield f"jackpot {jackpot}: its last act is another"
