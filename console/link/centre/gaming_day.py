"""What a linked jackpot's books say of one gaming day: what moved, by table and by reason.

When a call came and an act was done are labels of the centre's clock (docs/reference/link-rules.md,
3.15): they say on which day a movement stands, and no hash covers them.
"""

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import dict_row

from console.link.centre.member_books import hold_instant
from jackpot.failures import Refused
from jackpot.money.accounts import Account, Balances
from jackpot.money.amounts import Cents, Units
from jackpot.money.prizes import PrizeTable

ACCOUNTS = tuple(
    Account(name) for name in ("tray", "jackpot", "reserve", "house", "pending", "paid")
)
"""Those of a linked jackpot."""

_SUMS = ", ".join(f"coalesce(sum({one.value}), 0)::bigint AS {one.value}" for one in ACCOUNTS)

_COLUMNS = ", ".join(one.value for one in ACCOUNTS)

_JACKPOT = f"""
SELECT id, game, prize_file, link.is_tournament(id) AS tournament,
    to_jsonb(link.sum_balances(id)) AS balances,
    (SELECT to_jsonb(m) FROM (
        SELECT {_SUMS} FROM (
            SELECT {_COLUMNS} FROM link.movement WHERE jackpot_id = id
                AND (act IS NOT NULL AND reason <> 'join' OR number > coalesce(d.movement, 0))
            UNION ALL
            SELECT {_COLUMNS} FROM link.sealed_member
            WHERE seal = link.find_detached(id) AND jackpot_id = id
        ) AS each
    ) AS m) AS moved,
    (SELECT at FROM link.seal WHERE number = link.find_detached(id)) AS detached
FROM link.jackpot LEFT JOIN LATERAL (
    SELECT movement FROM link.sealed_jackpot
    WHERE seal = link.find_detached(id) AND jackpot_id = id
) AS d ON true
WHERE id = %s
"""
"""All that moved; of detached days, what the seal says that the tables brought."""

_SINCE = f"""
WITH told AS (
    SELECT e.member, e.epoch, t ->> 'identity' AS identity, min(e.at) AS at
    FROM link.entry AS e, jsonb_array_elements(
        CASE jsonb_typeof(e.call -> 'transactions') WHEN 'array' THEN e.call -> 'transactions' END
    ) AS t
    WHERE e.at >= %(begins)s AND e.answer ->> 'refusal' IS NULL
    GROUP BY 1, 2, 3
)
SELECT coalesce(m.member, '') AS table, m.reason, coalesce(a.at, told.at) < %(ends)s AS in_day,
    count(*) FILTER (WHERE m.identity NOT LIKE '%%/envy') AS count, {_SUMS}
FROM link.movement AS m
LEFT JOIN link.act AS a ON a.jackpot_id = m.jackpot_id AND a.number = m.act
LEFT JOIN told ON m.act IS NULL
    AND (told.member, told.epoch, told.identity) = (m.member, m.epoch, m.identity)
WHERE m.jackpot_id = %(jackpot)s AND coalesce(a.at, told.at) >= %(begins)s
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""

_ACTS = f"""
SELECT number, kind, coalesce(member, '') AS table, details, at, encode(hash, 'hex') AS hash,
    (SELECT to_jsonb(m) FROM (
        SELECT {_SUMS} FROM link.movement WHERE jackpot_id = a.jackpot_id AND act = a.number
    ) AS m) AS moved
FROM link.act AS a WHERE jackpot_id = %(jackpot)s AND at < %(ends)s
    AND (at >= %(begins)s OR number = (
        SELECT max(number) FROM link.act WHERE jackpot_id = %(jackpot)s AND at < %(ends)s
    ))
ORDER BY number
"""

_AWARDS = """
SELECT w.number, w.combination, w.winners, w.each, to_jsonb(w) -> 'prize_file' AS prize_file, a.at,
    (SELECT coalesce(sum(m.paid), 0)::bigint FROM link.movement AS m
        WHERE m.jackpot_id = a.jackpot_id AND m.act = a.number) AS paid,
    ARRAY(SELECT p.member FROM link.winner AS p
        WHERE p.jackpot_id = a.jackpot_id AND p.award = w.number AND p.state = 'final'
        ORDER BY p.place) AS tables
FROM link.act AS a JOIN link.award AS w
    ON w.jackpot_id = a.jackpot_id AND w.number = (a.details ->> 'award')::bigint
WHERE a.jackpot_id = %(jackpot)s AND a.kind = 'award-final'
    AND a.at >= %(begins)s AND a.at < %(ends)s
ORDER BY a.number
"""


class DayMovement(Struct, frozen=True):
    """What moved for one reason. `table`: "" for the centre. `count`: how often."""

    table: str
    reason: str
    count: int
    moved: Balances

    @property
    def units(self) -> Mapping[Account, Units]:
        """What each account gained."""
        return {one: self.moved.of(one) for one in ACCOUNTS}


class DayAct(Struct, frozen=True):
    """An act of the day; `table`: whose call it was, "": the operators'."""

    number: int
    kind: str
    table: str
    details: dict[str, object]
    at: datetime
    hash: str
    moved: Balances


class DayAward(Struct, frozen=True):
    """An award that became final. `each` in cents; `paid` in units, with envy."""

    number: int
    combination: str
    winners: int
    each: Cents
    paid: int
    tables: tuple[str, ...]
    at: datetime
    prize_file: PrizeTable | None = None


class GamingDay(Struct, frozen=True):
    """One day of a linked jackpot.

    `last`: the last act before its end; its hash covers every act before and all tables' calls.
    """

    jackpot: str
    game: str
    currency: str
    begins: datetime
    ends: datetime
    opening: Balances
    closing: Balances
    movements: tuple[DayMovement, ...]
    awards: tuple[DayAward, ...]
    acts: tuple[DayAct, ...]
    last: DayAct
    differs: tuple[Account, ...]
    """Accounts whose balance is not what all movements on record lead to."""


def read_gaming_day(
    connection: Connection, jackpot: str, begins: datetime, ends: datetime
) -> GamingDay:
    """The day as of one instant. Raises Refused, psycopg.Error."""
    asked = {"jackpot": jackpot, "begins": begins, "ends": ends}
    with hold_instant(connection):
        rows = connection.cursor(row_factory=dict_row)
        found = rows.execute(_JACKPOT, (jackpot,)).fetchone()
        if found is None:
            raise Refused(f"the centre has no jackpot {jackpot}")
        if found["tournament"]:
            raise Refused(f"{jackpot} is a tournament jackpot: banco tournament status")
        if found["detached"] is not None and begins < found["detached"]:
            raise Refused("the day is detached: banco link attach")
        since = rows.execute(_SINCE, asked).fetchall()
        acts = msgspec.convert(rows.execute(_ACTS, asked).fetchall(), tuple[DayAct, ...])
        awards = rows.execute(_AWARDS, asked).fetchall()
    if not acts:
        raise Refused(f"{jackpot} was begun after {ends.isoformat(timespec='minutes')}")
    balances, moved = (Balances(**found[name]) for name in ("balances", "moved"))
    later = [_movement(row) for row in since if not row["in_day"]]
    own = [_movement(row) for row in since if row["in_day"]]
    closing = _subtract(balances, later)
    return GamingDay(
        jackpot=jackpot,
        game=found["game"],
        currency=(found["prize_file"] or {}).get("currency", "EUR"),
        begins=begins,
        ends=ends,
        opening=_subtract(closing, own),
        closing=closing,
        movements=tuple(own),
        awards=tuple(msgspec.convert(row, DayAward) for row in awards),
        acts=tuple(act for act in acts if act.at >= begins),
        last=acts[-1],
        differs=tuple(one for one in ACCOUNTS if balances.of(one) != moved.of(one)),
    )


def _movement(row: Mapping[str, object]) -> DayMovement:
    moved = msgspec.convert({one.value: row[one.value] for one in ACCOUNTS}, Balances)
    return msgspec.convert({**row, "moved": moved}, DayMovement)


def _subtract(balances: Balances, movements: list[DayMovement]) -> Balances:
    """These balances before the movements."""
    return Balances(
        **{
            one.value: balances.of(one) - sum(each.moved.of(one) for each in movements)
            for one in ACCOUNTS
        }
    )
