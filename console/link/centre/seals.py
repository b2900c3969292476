"""Seals of the centre's books, and the days before one, which may leave the database and come back.

docs/reference/link-rules.md, 5.6. Of a detached day each epoch keeps its first call, its last two
(a table may not have heard the last answer), and its last opening with that round's tokens: a
hello, a repeated call, and what comes late ask for no other. Acts and what they moved stay.
"""

import gzip
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field
from psycopg import Connection, sql
from psycopg.types.json import Jsonb

from jackpot.failures import Refused

_SINCE = {
    "link.entry AS e": "link.entry_since() AS e",
    "link.act AS a ON a.jackpot_id = j.id": "link.act_since() AS a ON a.jackpot_id = j.id",
    "link.movement AS b": "link.movement_since() AS b",
    "link.movement AS r": "link.movement_since() AS r",
    "link.winner AS v": "link.winner_since() AS v",
    "link.member_balance AS t": "link.member_balance_since() AS t",
}
"""What a check reads of what is later than a seal; under another name it reads all."""

_GOING = """
CREATE TEMP TABLE opened ON COMMIT DROP AS
SELECT o.member, o.epoch, max(o.n) AS last,
    max(o.n) FILTER (WHERE o.call ->> 'call' = 'open') AS n
FROM link.sealed_member AS s
JOIN link.entry AS o ON o.member = s.member AND (o.epoch, o.n) <= (s.epoch, s.n)
WHERE s.seal = {seal} GROUP BY o.member, o.epoch;
CREATE TEMP TABLE going_entry ON COMMIT DROP AS
SELECT e.* FROM opened AS k JOIN link.entry AS e ON e.member = k.member AND e.epoch = k.epoch
WHERE e.n > 1 AND e.n < k.last - 1 AND e.n IS DISTINCT FROM k.n;
CREATE TEMP TABLE going_movement ON COMMIT DROP AS
SELECT v.* FROM link.sealed_jackpot AS s
JOIN link.movement AS v ON v.jackpot_id = s.jackpot_id AND v.number <= s.movement AND v.act IS NULL
WHERE s.seal = {seal} AND substring(v.identity FROM '^.*/round-[0-9]+/') NOT IN (
    SELECT format('%s/round-%s/', e.member, e.call ->> 'round')
    FROM opened AS k
    JOIN link.entry AS e ON e.member = k.member AND e.epoch = k.epoch AND e.n = k.n
);
ANALYZE going_entry;
ANALYZE going_movement
"""
_DELETE = """
SET LOCAL session_replication_role = replica;
DELETE FROM link.entry AS e USING going_entry AS g
WHERE e.member = g.member AND e.epoch = g.epoch AND e.n = g.n;
DELETE FROM link.movement AS v USING going_movement AS g WHERE v.number = g.number;
SET LOCAL session_replication_role = origin
"""
_TABLES = ("entry", "movement")
_SEALED = """
SELECT s.jackpot_id, s.act, b.number, b.hash,
    a.kind = 'seal' AND a.details ->> 'digest' = link.digest_seal(s.seal, s.jackpot_id)
FROM link.sealed_jackpot AS s
LEFT JOIN link.act AS a ON a.jackpot_id = s.jackpot_id AND a.number = s.act
LEFT JOIN LATERAL (
    SELECT number, hash FROM link.act AS l
    WHERE l.jackpot_id = s.jackpot_id AND l.number < s.act ORDER BY number DESC LIMIT 1
) AS b ON true
WHERE s.seal = %s
"""
_OPEN_REJOINS = """
SELECT count(*) FROM link.proposal AS p
WHERE p.what = 'rejoin' AND p.approves IS NULL AND p.expires > clock_timestamp()
    AND NOT EXISTS (SELECT FROM link.proposal AS a WHERE a.approves = p.number)
"""


class AuditBase(Struct, frozen=True):
    """Where an audit begins: after this seal; 0: with the first call.

    `hashes`: of each table's last call before it, and `heads` its epoch and number; `acts`: of each
    jackpot the act before the seal's, number and hash.
    """

    seal: int = 0
    hashes: Mapping[str, bytes] = field(default_factory=dict)
    heads: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    acts: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)

    def word(self, check: str) -> str:
        """The check, of what is later than the seal."""
        for whole, since in _SINCE.items() if self.seal else ():
            check = check.replace(whole, since)
        return check


FROM_THE_BEGINNING = AuditBase()


def make_seal(connection: Connection) -> int:
    """Seal all linked jackpots; the seal's number. Raises psycopg.Error."""
    return int(_one(connection, "SELECT link.make_seal()"))


def find_last_seal(connection: Connection) -> int:
    """The number of the last seal; 0: there is none. Raises psycopg.Error."""
    return int(_one(connection, "SELECT coalesce(max(number), 0) FROM link.seal"))


def find_detached(connection: Connection) -> int:
    """The seal up to which days are detached; 0: all are here. Raises psycopg.Error."""
    if _one(connection, "SELECT to_regproc('link.find_detached') IS NULL"):
        return 0  # a schema without seals
    query = "SELECT coalesce(max(link.find_detached(id)), 0) FROM link.jackpot"
    return int(_one(connection, query))


def begin_at(connection: Connection, seal: int) -> AuditBase:
    """The base of an audit: all later queries of the transaction see what is later than the seal.

    Raises Refused, also if there is no such seal, or days are missing, and psycopg.Error.
    """
    detached = find_detached(connection)
    if seal < detached:
        raise Refused(f"days before seal {detached} are detached: attach them first")
    if not seal:
        return FROM_THE_BEGINNING
    jackpots = connection.execute(_SEALED.encode(), (seal,)).fetchall()
    if not jackpots:
        raise Refused(f"there is no seal {seal}; the last is {find_last_seal(connection)}")
    for jackpot, act, _, _, right in jackpots:
        if not right:
            raise Refused(f"seal {seal} of {jackpot} is not what act {act} fixed")
    members = connection.execute(
        "SELECT member, epoch, n, hash FROM link.sealed_member WHERE seal = %s", (seal,)
    ).fetchall()
    connection.execute("SELECT set_config('link.since', %s, true)", (str(seal),))
    return AuditBase(
        seal,
        {member: found for member, _, _, found in members},
        {member: (epoch, n) for member, epoch, n, _ in members},
        {jackpot: (before or 0, found or b"") for jackpot, _, before, found, _ in jackpots},
    )


def detach(connection: Connection, seal: int, folder: Path) -> dict[str, int]:
    """Write the days before a seal to two files, and delete them; how many rows of each table.

    They are read back and compared before anything is deleted. The connection's role must be a
    superuser. Raises Refused, also while a rejoin is proposed, OSError, psycopg.Error.
    """
    with connection.transaction():
        connection.execute(sql.SQL(_GOING).format(seal=sql.Literal(seal)))
        rows, digests = {}, {}
        for table in _TABLES:
            file = _file(folder, seal, table)
            _write(connection, table, file)
            rows[table] = _compare(connection, table, file)
            digests[table] = sha256(file.read_bytes()).hexdigest()
        connection.execute(_DELETE.encode())
        _lock(connection)
        if _one(connection, _OPEN_REJOINS):
            raise Refused("a rejoin is proposed: its list would miss what is detached now")
        _record(connection, seal, "detach", digests)
    return rows


def attach(connection: Connection, seal: int, folder: Path) -> dict[str, int]:
    """Put the days of a seal back; how many rows of each table. As `detach`.

    Raises Refused, also if they are not detached, OSError, psycopg.Error.
    """
    with connection.transaction():
        recorded = connection.execute(
            "SELECT kind, details -> 'digests' FROM link.act WHERE kind IN ('detach', 'attach')"
            " AND (details ->> 'seal')::bigint = %s ORDER BY jackpot_id, number DESC LIMIT 1",
            (seal,),
        ).fetchone()
        if recorded is None or recorded[0] != "detach":
            raise Refused(f"the days before seal {seal} are not detached")
        rows = {}
        for table in _TABLES:
            file = _file(folder, seal, table)
            if sha256(file.read_bytes()).hexdigest() != recorded[1][table]:
                raise Refused(f"{file} is not what was detached")
            rows[table] = _read(connection, f"link.{table}", file)
        _lock(connection)
        _record(connection, seal, "attach", recorded[1])
    return rows


def _file(folder: Path, seal: int, table: str) -> Path:
    return folder / f"seal-{seal}.{table}.gz"


def _lock(connection: Connection) -> None:
    """All jackpots, only now: what is before a seal does not change, and tables play on."""
    connection.execute(
        "SELECT link.lock_jackpots(ARRAY(SELECT id FROM link.jackpot WHERE NOT"
        " link.is_tournament(id)))"
    )


def _write(connection: Connection, table: str, file: Path) -> None:
    with (
        gzip.open(file, "xb", compresslevel=6) as out,
        connection.cursor().copy(f"COPY going_{table} TO STDOUT".encode()) as copy,
    ):
        for block in copy:
            out.write(block)


def _compare(connection: Connection, table: str, file: Path) -> int:
    """Read the file back, beside what is to be deleted. Raises Refused."""
    connection.execute(f"CREATE TEMP TABLE read_back (LIKE going_{table}) ON COMMIT DROP".encode())
    rows = _read(connection, "read_back", file)
    differ = _one(
        connection,
        f"SELECT count(*) FROM (SELECT * FROM going_{table} EXCEPT ALL SELECT * FROM read_back) x",
    )
    if differ or rows != _one(connection, f"SELECT count(*) FROM going_{table}"):
        raise Refused(f"{file} does not hold what it was given")
    connection.execute("DROP TABLE read_back")
    return rows


def _read(connection: Connection, into: str, file: Path) -> int:
    cursor = connection.cursor()
    with gzip.open(file) as content, cursor.copy(f"COPY {into} FROM STDIN".encode()) as copy:
        for block in _blocks(content):
            copy.write(block)
    return cursor.rowcount


def _blocks(content: gzip.GzipFile) -> Iterator[bytes]:
    while block := content.read(1 << 16):
        yield block


def _record(connection: Connection, seal: int, what: str, digests: Mapping[str, str]) -> None:
    connection.execute(
        "SELECT link.record_detachment(%s, %s, %s)", (seal, what, Jsonb(dict(digests)))
    )


def _one(connection: Connection, query: str) -> int:
    row = connection.execute(query.encode()).fetchone()
    assert row is not None
    number: int = row[0]
    return number
