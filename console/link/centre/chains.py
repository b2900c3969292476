"""The centre's chains, checked anew from what it holds (docs/reference/link-rules.md, 2.5)."""

from collections.abc import Generator, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any

from psycopg import Connection

FETCH_ROWS = 1_000

ENTRIES = """
SELECT member, epoch, n, act, hash, jsonb_build_array(member, epoch, n, act, call, answer)::text
FROM link.entry ORDER BY member, epoch, n
"""
ACTS = """
SELECT j.id, j.act, j.hash, a.number, a.hash,
    CASE WHEN a.number IS NOT NULL
        THEN link.write_act(j.id, a.number, a.kind, a.member, a.details) END
FROM link.jackpot AS j LEFT JOIN link.act AS a ON a.jackpot_id = j.id ORDER BY j.id, a.number
"""
HEADS = """
SELECT j.id, e.act, e.member, encode(e.hash, 'hex')
FROM link.jackpot AS j
LEFT JOIN link.member AS m ON m.jackpot_id = j.id
LEFT JOIN link.entry AS e ON e.member = m.name
ORDER BY j.id, e.act, e.member, e.epoch, e.n
"""
MEMBERS = "SELECT jackpot_id, name FROM link.member ORDER BY jackpot_id, name"

_jackpot_of = itemgetter(0)


def find_broken_links(connection: Connection) -> list[str]:
    """What does not follow from what is before it, each with its place; nothing if all does.

    Raises psycopg.Error.
    """
    with connection.transaction():
        return [*_check_entries(connection), *_check_acts(connection)]


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


def _check_acts(connection: Connection) -> Iterator[str]:
    """All jackpots in one pass: each has a row at least among the acts, and among the heads."""
    members: dict[str, list[str]] = {}
    for jackpot, name in connection.execute(MEMBERS).fetchall():
        members.setdefault(jackpot, []).append(name)
    with (
        closing(_stream(connection, "acts", ACTS)) as acts,
        closing(_stream(connection, "heads", HEADS)) as heads,
    ):
        each = zip(groupby(acts, _jackpot_of), groupby(heads, _jackpot_of), strict=True)
        for (jackpot, its_acts), (_, its_heads) in each:
            yield from _check_acts_of(jackpot, members.get(jackpot, []), its_acts, its_heads)


def _check_acts_of(
    jackpot: str, names: list[str], acts: Iterator[Any], heads: Iterator[Any]
) -> Iterator[str]:
    covered = _cover_heads(names, heads)
    next(covered)
    known, last = (0, b""), (0, b"")  # the jackpot's last act, and the one read last: number, hash
    for _, known_number, known_hash, number, found, text in acts:
        known = known_number, known_hash
        if number is not None:
            if sha256(last[1] + (covered.send(number) + text).encode()).digest() != found:
                yield f"act {jackpot}/{number}: its hash is another"
            last = number, found
    if known != last:
        yield f"jackpot {jackpot}: its last act is another"


def _cover_heads(names: list[str], entries: Iterator[Any]) -> Generator[str, int, None]:
    """For each act sent, in their order: every member's head before it, as its hash covers them."""
    heads = dict.fromkeys(names, "")
    following = next(entries, None)
    number = yield ""
    while True:
        while following is not None and following[1] is not None and following[1] < number:
            _, _, member, head = following
            heads[member] = f"{member}:{head}"
            following = next(entries, None)
        number = yield ",".join(head for head in heads.values() if head)


def _stream(connection: Connection, name: str, query: str) -> Generator[Any, None, None]:
    """The rows, a few at a time."""
    with connection.cursor(name) as cursor:
        cursor.itersize = FETCH_ROWS
        yield from cursor.execute(query.encode())
