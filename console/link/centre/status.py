"""What the centre says of its jackpots, tables, awards and holds, in one read."""

from datetime import datetime

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import dict_row

from console.link.centre.proposals import (
    Newcomer,
    Proposal,
    note_expired,
    read_newcomers,
    read_open_proposals,
)
from console.link.centre.standbys import read_standbys
from console.rules.link import Awaited
from jackpot.money.amounts import Cents, Units
from jackpot.money.awards import Envy
from jackpot.money.prizes import EURO

_JACKPOTS = """
SELECT id AS jackpot, game, tie, floor((
    jackpot
    + (SELECT coalesce(sum(b.jackpot), 0) FROM link.member_balance AS b WHERE b.jackpot_id = id)
) / 10000)::bigint AS amount, base, act,
    to_jsonb(j) -> 'prize_file' ->> 'currency' AS currency,
    nullif(to_jsonb(j) -> 'next_settings', 'null') AS next_settings
FROM link.jackpot AS j ORDER BY id
"""

_TABLES = """
SELECT m.name AS table, m.joined, m.leaving, m.epoch, m.ended, m.doubted, m.forged,
    m.asked IS NOT NULL AS asks, m.recovering, m.awaits, m.n, m.open_round AS round, m.stakes,
    m.winners, p.heard, p.phase, coalesce(p.faults, '[]') AS faults, p.shown
FROM link.member AS m LEFT JOIN link.presence AS p ON p.member = m.name
WHERE m.jackpot_id = %s ORDER BY m.name
"""

_AWARDS = """
SELECT a.number, a.combination, a.reading, a.winners, a.each,
    ARRAY(SELECT w.member FROM link.winner AS w
        WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
        ORDER BY w.place) AS tables,
    ARRAY(SELECT h.member FROM link.hold AS h
        WHERE h.jackpot_id = a.jackpot_id AND h.award = a.number ORDER BY h.member) AS held,
    ARRAY(SELECT w.member FROM link.winner AS w
        WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state = 'in-doubt'
        ORDER BY w.place) AS in_doubt, (
        SELECT jsonb_build_object('seats', to_jsonb(w) -> 'others', 'each', to_jsonb(w) -> 'envy')
        FROM link.winner AS w
        WHERE w.jackpot_id = a.jackpot_id AND w.award = a.number AND w.state <> 'cancelled'
            AND (to_jsonb(w) ->> 'others')::integer > 0 LIMIT 1
    ) AS envy
FROM link.award AS a WHERE a.jackpot_id = %s AND a.state = 'pending' ORDER BY a.number
"""

_SINCE = """
SELECT number AS act, since -> 'joined' AS joined, since -> 'left' AS left,
    since -> 'alone' AS alone
FROM link.act, LATERAL (SELECT details -> 'since' AS since) AS told
WHERE jackpot_id = %s AND kind = 'recover' AND at > clock_timestamp() - interval '7 days'
ORDER BY number
"""

_OF_JACKPOT = {"tables": _TABLES, "awards": _AWARDS, "since": _SINCE}


class TableStatus(Struct, frozen=True):
    """A table at the centre. `heard`: its last beat; None: none yet, as all that a beat says.

    `n`: its last call. `doubted`: it is barred for what it sent (NOT_THE_TERMS). `forged`: it told
    again what the centre never answered, and is doubted for that. `asks`: it asks to join with
    money of its own, and two operators have not let it. `recovering`: it has not told yet what it
    was answered by a centre that was set back since. `awaits`: the terms or the prize that its call
    waits for. `stakes` and `winners`: of the open round. `shown` in cents; None: dashes.
    """

    table: str
    joined: bool
    leaving: bool
    epoch: int
    ended: bool
    doubted: bool
    forged: bool
    asks: bool
    recovering: bool
    awaits: Awaited | None
    n: int
    round: int | None
    stakes: int
    winners: int
    heard: datetime | None
    phase: str | None
    faults: tuple[str, ...]
    shown: Cents | None


class PendingAward(Struct, frozen=True, omit_defaults=True):
    """An award that is pending. `held`: tables whose round may still join it.

    `envy`: what its other seats get, in JSON only where there is some.

    `in_doubt`: tables of which two operators are to say what became of their part.
    """

    number: int
    combination: str
    reading: Cents
    winners: int
    each: Cents
    tables: tuple[str, ...]
    held: tuple[str, ...]
    in_doubt: tuple[str, ...]
    envy: Envy | None = None


class JoinedSince(Struct, frozen=True):
    """A table that told that it had joined since the backup, with these balances."""

    table: str
    brought: dict[str, Units]


class AwardSince(Struct, frozen=True):
    """An award since the backup that one table alone has told of. `amount`: of all its winners."""

    table: str
    award: int
    combination: str
    amount: Cents
    state: str


class ToldSince(Struct, frozen=True):
    """What tables told of what was decided since the backup; `act`: the number of `recover`."""

    act: int
    joined: tuple[JoinedSince, ...]
    left: tuple[str, ...]
    alone: tuple[AwardSince, ...]


class NextSettings(Struct, frozen=True):
    """Settings that wait until the jackpot is won: who has approved them."""

    proposer: str
    approver: str


class JackpotStatus(Struct, frozen=True, omit_defaults=True):
    """A jackpot. `amount` and `base` in cents; `act`: the number of its last act.

    `currency`: in JSON only where its prize file names one.

    `newcomers`: two operators let them in with `recover`. `since`: by a `recover` of this week.
    """

    jackpot: str
    game: str
    tie: str
    amount: Cents
    base: Cents
    act: int
    tables: tuple[TableStatus, ...]
    awards: tuple[PendingAward, ...]
    newcomers: tuple[Newcomer, ...]
    since: tuple[ToldSince, ...]
    currency: str = EURO
    next_settings: NextSettings | None = None


class CentreStatus(Struct, frozen=True):
    """The centre. `schema`: its version. `proposals`: nobody has approved them.

    `standbys`: the server's own synchronous_standby_names; "": it answers from one machine alone.
    """

    schema: int
    standbys: str
    alone: bool
    jackpots: tuple[JackpotStatus, ...]
    proposals: tuple[Proposal, ...]


def read_status(connection: Connection) -> CentreStatus:
    """Read it, as of one instant. Raises psycopg.Error."""
    note_expired(connection)
    with connection.transaction(), connection.cursor(row_factory=dict_row) as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        version = cursor.execute("SELECT count(*) AS schema FROM link.migration").fetchone()
        jackpots = [
            {name: value for name, value in jackpot.items() if value is not None}
            | {
                what: cursor.execute(query.encode(), (jackpot["jackpot"],)).fetchall()
                for what, query in _OF_JACKPOT.items()
            }
            | {"newcomers": read_newcomers(connection, jackpot["jackpot"])}
            for jackpot in cursor.execute(_JACKPOTS).fetchall()
        ]
        proposals = read_open_proposals(connection)
        standbys = read_standbys(connection)
    status = {**(version or {}), "standbys": standbys, "alone": not standbys, "jackpots": jackpots}
    return msgspec.convert({**status, "proposals": proposals}, CentreStatus)
