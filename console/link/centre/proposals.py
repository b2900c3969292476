"""What needs two people: one operator proposes, another approves.

docs/reference/link-rules.md, 7.
"""

from datetime import datetime, timedelta
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.rows import dict_row

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
