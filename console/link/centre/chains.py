"""The centre's chains, checked anew from what it holds (docs/link-rules.md, 2.5)."""

from collections.abc import Generator, Iterator
from contextlib import closing
from hashlib import sha256
from typing import Any

from psycopg import Connection

FETCH_ROWS = 1_000

ENTRIES = """
SELECT member, epoch, n, act, hash, jsonb_build_array(member, epoch, n, act, call, answer)::text
FROM link.entry ORDER BY member, epoch, n
"""
ACTS = """
SELECT number, hash, link.write_act(jackpot_id, number, kind, member, details)
FROM link.act WHERE jackpot_id = %s ORDER BY number
"""
HEADS = """
SELECT e.act, e.member, encode(e.hash, 'hex')
FROM link.entry AS e JOIN link.member AS m ON m.name = e.member
WHERE m.jackpot_id = %s ORDER BY e.act, e.member, e.epoch, e.n
"""
MEMBERS = "SELECT name FROM link.member WHERE jackpot_id = %s ORDER BY name"


def find_broken_links(connection: Connection) -> list[str]:
    """What does not follow from what is before it, each with its place; nothing if all does.

    Raises psycopg.Error.
    """
    with connection.transaction():
        broken = list(_check_entries(connection))
        for (jackpot,) in connection.execute("SELECT id FROM link.jackpot ORDER BY id").fetchall():
            with closing(_stream(connection, "heads", HEADS, jackpot)) as heads:
                broken.extend(_check_acts(connection, jackpot, heads))
    return broken


def _check_entries(connection: Connection) -> Iterator[str]:
    heads: dict[str, bytes] = {}
    for member, epoch, n, _, found, text in _stream(connection, "entries", ENTRIES):
        if sha256(heads.get(member, b"") + text.encode()).digest() != found:
            yield f"entry {member}/{epoch}/{n}: its hash is another"
        heads[member] = found
    rows = connection.execute("SELECT name, hash FROM link.member ORDER BY name").fetchall()
    for member, head in rows:
        if heads.get(member, b"") != head:
            yield f"member {member}: its last entry is another"


def _check_acts(connection: Connection, jackpot: str, heads: Iterator[Any]) -> Iterator[str]:
    names = [name for (name,) in connection.execute(MEMBERS, (jackpot,)).fetchall()]
    covered = _cover_heads(names, heads)
    next(covered)
    last = b""
    number = 0
    for number, found, text in _stream(connection, "acts", ACTS, jackpot):
        if sha256(last + (covered.send(number) + text).encode()).digest() != found:
            yield f"act {jackpot}/{number}: its hash is another"
        last = found
    head = connection.execute("SELECT act, hash FROM link.jackpot WHERE id = %s", (jackpot,))
    if head.fetchone() != (number, last):
        yield f"jackpot {jackpot}: its last act is another"


def _cover_heads(names: list[str], entries: Iterator[Any]) -> Generator[str, int, None]:
    """For each act sent, in their order: every member's head before it, as its hash covers them."""
    heads = dict.fromkeys(names, "")
    following = next(entries, None)
    act = yield ""
    while True:
        while following is not None and following[0] < act:
            heads[following[1]] = f"{following[1]}:{following[2]}"
            following = next(entries, None)
        act = yield ",".join(head for head in heads.values() if head)


def _stream(
    connection: Connection, name: str, query: str, *arguments: str
) -> Generator[Any, None, None]:
    """The rows, a few at a time."""
    with connection.cursor(name) as cursor:
        cursor.itersize = FETCH_ROWS
        yield from cursor.execute(query.encode(), arguments)
