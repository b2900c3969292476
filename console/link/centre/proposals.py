"""What needs two people: one operator proposes, another approves; what both see before.

docs/reference/link-rules.md, 7.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import dict_row

from console.rules.link import Awaited, Terms
from jackpot.failures import Refused
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents
from jackpot.money.prizes import EURO, CombinationName


class JackpotAccounts(Struct, frozen=True):
    """A jackpot's accounts, its own and all its tables', in units; and who plays for it."""

    jackpot: str
    balances: Balances
    tables: tuple[str, ...]


class PendingPart(Struct, frozen=True):
    """A table's part of an award. `winners` of this table; `others`: tables in it besides.

    `envy`: what each of its `seats` gets that envy goes to, from the jackpot.
    `in_doubt`: a recovery left the table out, and two operators are to say what became of it.
    """

    table: str
    jackpot: str
    identity: str
    award: int
    combination: str
    reading: Cents
    each: Cents
    winners: int
    in_doubt: bool
    others: tuple[str, ...]
    seats: int
    envy: Cents

    @property
    def total(self) -> Cents:
        """Prizes and envy together."""
        return Cents(self.each * self.winners + self.envy * self.seats)


class TableRound(Struct, frozen=True):
    """A table's round at the centre; None: none is open. `held`: awards that wait for it."""

    table: str
    jackpot: str
    epoch: int
    round: int | None
    stakes: int
    winners: int
    held: tuple[int, ...]


class LateClaim(Struct, frozen=True):
    """A claim that was refused because its round was over, and that has no award yet.

    `others`: the seats that envy goes to, as it told them.
    """

    identity: str
    combination: CombinationName
    winners: int
    others: int


class RefusedCall(Struct, frozen=True):
    """A call that did not fit the terms, as its JSON."""

    n: int
    call: str


class JackpotSettings(Struct, frozen=True):
    """What all tables of a jackpot have in common. `base` in cents."""

    terms: Terms
    base: Cents
    tie: str


class WaitingTable(Struct, frozen=True):
    """A table whose call names terms, or a prize, that the centre does not know."""

    table: str
    jackpot: str
    awaits: Awaited


class Newcomer(Struct, frozen=True):
    """A table that joined since the backup, by so many answers that it holds."""

    table: str
    answered: int


_ACCOUNTS = """
SELECT id AS jackpot, jsonb_build_object(
    'tray', tray + (sums ->> 'tray')::bigint, 'jackpot', jackpot + (sums ->> 'jackpot')::bigint,
    'reserve', reserve + (sums ->> 'reserve')::bigint, 'house', house + (sums ->> 'house')::bigint,
    'pending', pending + (sums ->> 'pending')::bigint, 'paid', paid + (sums ->> 'paid')::bigint
) AS balances, sums -> 'tables' AS tables
FROM link.jackpot, LATERAL (
    SELECT jsonb_build_object(
        'tray', coalesce(sum(b.tray), 0), 'jackpot', coalesce(sum(b.jackpot), 0),
        'reserve', coalesce(sum(b.reserve), 0), 'house', coalesce(sum(b.house), 0),
        'pending', coalesce(sum(b.pending), 0), 'paid', coalesce(sum(b.paid), 0),
        'tables', coalesce(jsonb_agg(m.name ORDER BY m.name) FILTER (WHERE m.joined), '[]')
    ) AS sums
    FROM link.member AS m JOIN link.member_balance AS b ON b.member = m.name
    WHERE m.jackpot_id = id
) AS members
WHERE id = %s
"""

_PARTS = """
SELECT w.member AS table, w.jackpot_id AS jackpot, w.identity, w.award, a.combination, a.reading,
    a.each, w.winners, w.state = 'in-doubt' AS in_doubt, ARRAY(
        SELECT o.member FROM link.winner AS o
        WHERE o.jackpot_id = w.jackpot_id AND o.award = w.award AND o.member <> w.member
            AND o.state <> 'cancelled' ORDER BY o.place
    ) AS others, coalesce((to_jsonb(w) ->> 'others')::integer, 0) AS seats,
    coalesce((to_jsonb(w) ->> 'envy')::bigint, 0) AS envy
FROM link.winner AS w
JOIN link.award AS a ON a.jackpot_id = w.jackpot_id AND a.number = w.award
WHERE w.member = %s AND w.state NOT IN ('final', 'cancelled') ORDER BY w.place
"""

_ROUND = """
SELECT m.name AS table, m.jackpot_id AS jackpot, m.epoch, m.open_round AS round, m.stakes,
    m.winners, ARRAY(
        SELECT h.award FROM link.hold AS h WHERE h.member = m.name ORDER BY h.award
    ) AS held
FROM link.member AS m WHERE m.name = %s
"""

_LATE_CLAIMS = """
SELECT DISTINCT ON (e.call ->> 'identity')
    e.call ->> 'identity' AS identity, e.call ->> 'combination' AS combination,
    (e.call ->> 'winners')::integer AS winners,
    coalesce((e.call ->> 'others')::integer, 0) AS others
FROM link.entry AS e
WHERE e.member = %s AND e.call ->> 'call' = 'claim' AND e.answer ->> 'refusal' = 'ROUND_CLOSED'
    AND NOT EXISTS (
        SELECT FROM link.winner AS w
        WHERE w.member = e.member AND w.identity = e.call ->> 'identity'
    )
ORDER BY e.call ->> 'identity', e.epoch DESC, e.n DESC
"""

_REFUSED = """
SELECT n, call::text AS call FROM link.entry
WHERE member = %s AND answer ->> 'refusal' = 'NOT_THE_TERMS' ORDER BY epoch DESC, n DESC LIMIT 1
"""

_ASKED = "SELECT asked FROM link.member WHERE name = %s AND asked IS NOT NULL"

_SETTINGS = """
SELECT jsonb_strip_nulls(jsonb_build_object(
    'game', game, 'token', token, 'to_jackpot', to_jackpot, 'to_reserve', to_reserve,
    'prizes', prizes, 'prize_file', to_jsonb(j) -> 'prize_file'
)) AS terms, base, tie
FROM link.jackpot AS j WHERE id = %s
"""

_CURRENCY = f"""
SELECT coalesce(to_jsonb(j) -> 'prize_file' ->> 'currency', '{EURO}') AS currency
FROM link.jackpot AS j WHERE id = %s
"""

_WAITING = """
SELECT name AS table, jackpot_id AS jackpot, awaits FROM link.member
WHERE awaits IS NOT NULL AND NOT ended ORDER BY jackpot_id, name
"""

_NEWCOMERS = """
SELECT w.name AS table, w.answered FROM link.newcomer AS w
WHERE w.jackpot_id = %s AND NOT EXISTS (
    SELECT FROM link.member AS m WHERE m.name = w.name AND (m.recovering OR m.ended)
) ORDER BY w.name
"""

_TELLERS = """
SELECT name FROM link.member WHERE jackpot_id = %s AND NOT ended AND (joined OR n = 0) ORDER BY name
"""


def read_accounts(connection: Connection, jackpot: str) -> JackpotAccounts:
    """A jackpot's accounts. Raises Refused, psycopg.Error."""
    return msgspec.convert(_read_one(connection, _ACCOUNTS, "jackpot", jackpot), JackpotAccounts)


def read_tellers(connection: Connection, jackpot: str) -> tuple[str, ...]:
    """Tables that tell a centre that was set back, as it knows them. Raises psycopg.Error."""
    return tuple(name for (name,) in connection.execute(_TELLERS, (jackpot,)).fetchall())


def read_newcomers(connection: Connection, jackpot: str) -> tuple[Newcomer, ...]:
    """Tables that joined since the backup, and that two operators have not let in yet.

    Raises psycopg.Error.
    """
    return msgspec.convert(_read(connection, _NEWCOMERS, jackpot), tuple[Newcomer, ...])


def read_waiting(connection: Connection) -> list[WaitingTable]:
    """All tables that wait for settings. Raises psycopg.Error."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return msgspec.convert(cursor.execute(_WAITING).fetchall(), list[WaitingTable])


def read_live_parts(connection: Connection, table: str) -> list[PendingPart]:
    """The table's parts of awards that are pending. Raises psycopg.Error."""
    return msgspec.convert(_read(connection, _PARTS, table), list[PendingPart])


def read_round(connection: Connection, table: str) -> TableRound:
    """The table's round. Raises Refused, psycopg.Error."""
    return msgspec.convert(_read_one(connection, _ROUND, "table", table), TableRound)


def read_late_claims(connection: Connection, table: str) -> list[LateClaim]:
    """The table's claims that came too late, each as it was last made. Raises psycopg.Error."""
    return msgspec.convert(_read(connection, _LATE_CLAIMS, table), list[LateClaim])


def read_refused(connection: Connection, table: str) -> RefusedCall | None:
    """The table's last call that did not fit the terms. Raises psycopg.Error."""
    return next(iter(msgspec.convert(_read(connection, _REFUSED, table), list[RefusedCall])), None)


def read_asked(connection: Connection, table: str) -> dict[str, int]:
    """The balances with which the table asks to join. Raises Refused, psycopg.Error."""
    rows = _read(connection, _ASKED, table)
    if not rows:
        raise Refused(f"{table} does not ask to join with money of its own")
    balances: dict[str, int] = rows[0]["asked"]
    return balances


def read_settings(connection: Connection, jackpot: str) -> JackpotSettings:
    """What the jackpot's tables have in common. Raises Refused, psycopg.Error."""
    return msgspec.convert(_read_one(connection, _SETTINGS, "jackpot", jackpot), JackpotSettings)


def read_currency(connection: Connection, jackpot: str) -> str:
    """Of all amounts of the jackpot. Raises Refused, psycopg.Error."""
    currency: str = _read_one(connection, _CURRENCY, "jackpot", jackpot)["currency"]
    return currency


def _read(connection: Connection, query: str, name: str) -> list[dict[str, Any]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query.encode(), (name,)).fetchall()


def _read_one(connection: Connection, query: str, kind: str, name: str) -> dict[str, Any]:
    rows = _read(connection, query, name)
    if not rows:
        raise Refused(f"the centre has no {kind} {name}")
    return rows[0]


SHOWN_EXPIRED = timedelta(days=7)
"""How long an expired proposal is shown."""


class TwoPeopleAct(Enum):
    """What is proposed; the values are those of the schema."""

    CORRECT = "correct"
    TRANSFER = "transfer"
    AWARD = "award"
    FINISH = "finish"
    CANCEL = "cancel"
    ROUND_OVER = "round-over"
    JOIN = "join"
    REJOIN = "rejoin"
    RECOVER = "recover"
    SETTINGS = "settings"
    ALONE = "alone"
    WIN = "win"


class ProposalRefusal(Enum):
    """Why an approval did nothing."""

    ROUNDS_OPEN = "ROUNDS_OPEN"
    ROUND_CLOSED = "ROUND_CLOSED"
    NOT_PAUSED = "NOT_PAUSED"
    NOT_WON = "NOT_WON"
    NOT_COVERED = "NOT_COVERED"
    AWARD_PENDING = "AWARD_PENDING"
    AWARD_FINAL = "AWARD_FINAL"
    NOBODY_ELIGIBLE = "NOBODY_ELIGIBLE"
    NOT_JOINED = "NOT_JOINED"
    EPOCH_ENDED = "EPOCH_ENDED"
    LIST_OUTDATED = "LIST_OUTDATED"
    NOT_THE_TERMS = "NOT_THE_TERMS"
    RECOVERING = "RECOVERING"
    NOT_PROPOSED = "NOT_PROPOSED"
    SAME_PERSON = "SAME_PERSON"
    APPROVED_ALREADY = "APPROVED_ALREADY"
    EXPIRED = "EXPIRED"
    DAY_OVER = "DAY_OVER"
    DAY_NOT_BEGUN = "DAY_NOT_BEGUN"
    WON_TODAY = "WON_TODAY"
    FEE_NOT_PAID = "FEE_NOT_PAID"
    LEVEL_NOT_REACHED = "LEVEL_NOT_REACHED"


class ProposalText(Struct, frozen=True):
    """What is asked. `jackpot` None: of the whole centre."""

    jackpot: str | None
    what: TwoPeopleAct
    arguments: dict[str, Any]


class Proposal(Struct, frozen=True):
    """What an operator has asked. `approver` None: nobody has approved it."""

    number: int
    text: ProposalText
    proposer: str
    at: datetime
    expires: datetime
    expired: bool
    approver: str | None


_PROPOSALS = """
SELECT p.number, p.proposer, p.at, p.expires, a.approver,
    p.expires < clock_timestamp()
        OR EXISTS (SELECT FROM link.expiry AS e WHERE e.proposal = p.number) AS expired,
    jsonb_build_object('jackpot', p.jackpot_id, 'what', p.what, 'arguments', p.arguments) AS text
FROM link.proposal AS p LEFT JOIN link.proposal AS a ON a.approves = p.number
WHERE p.approves IS NULL
"""
_ONE = f"{_PROPOSALS} AND p.number = %s"
_OPEN = (
    f"{_PROPOSALS} AND a.number IS NULL AND p.expires > clock_timestamp() - %s ORDER BY p.number"
)


def propose(connection: Connection, text: ProposalText) -> int:
    """Ask for it; the proposal's number. Raises psycopg.Error, also for what is wrong with it."""
    row = connection.execute(
        "SELECT link.propose(%s, %s, %s::jsonb)",
        (text.jackpot, text.what.value, msgspec.json.encode(text.arguments).decode()),
    ).fetchone()
    return int(row[0]) if row else 0


def approve(connection: Connection, number: int, text: ProposalText) -> ProposalRefusal | None:
    """Do what was proposed, if it is this. Raises psycopg.Error."""
    row = connection.execute(
        "SELECT link.approve(%s, %s, %s::jsonb)",
        (number, text.what.value, msgspec.json.encode(text.arguments).decode()),
    ).fetchone()
    return ProposalRefusal(row[0]) if row and row[0] is not None else None


def begin_next_jackpot(connection: Connection, jackpot: str) -> ProposalRefusal | None:
    """Put into force what two people approved for the next jackpot. Raises psycopg.Error."""
    row = connection.execute("SELECT link.begin_next_jackpot(%s)", (jackpot,)).fetchone()
    return ProposalRefusal(row[0]) if row and row[0] is not None else None


def read_proposal(connection: Connection, number: int) -> Proposal | None:
    """One proposal; None if there is none. Raises psycopg.Error."""
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(_ONE.encode(), (number,)).fetchone()
    return msgspec.convert(row, Proposal) if row else None


def note_expired(connection: Connection) -> None:
    """Put on record what the clock says to be over by now. Raises psycopg.Error.

    It does not wait for the standby: to look must be possible without one.
    """
    with connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = local")
        connection.execute("SELECT link.note_expired()")


def read_open_proposals(connection: Connection) -> tuple[Proposal, ...]:
    """Those that nobody has approved, and those that expired lately. Raises psycopg.Error."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(_OPEN.encode(), (SHOWN_EXPIRED,)).fetchall()
    return msgspec.convert(rows, tuple[Proposal, ...])
