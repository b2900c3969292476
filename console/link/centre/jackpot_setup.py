"""A new jackpot, and who may join it (docs/reference/link-rules.md, 3.9 and 3.14)."""

import msgspec
from psycopg import Connection

from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.tournament import TOURNAMENT
from console.rules.link import Terms
from jackpot.money.amounts import WHOLE, Cents


def create_jackpot(
    connection: Connection, name: str, terms: Terms, base: Cents, opening: Cents, tie: str
) -> None:
    """Begin a jackpot. `tie`: split or order. Raises psycopg.Error."""
    connection.execute(
        "SELECT link.create_jackpot(%s, %s::jsonb, %s, %s, %s)",
        (name, msgspec.json.encode(terms).decode(), base, opening, tie),
    )


def create_tournament_jackpot(
    connection: Connection, name: str, fee: Cents, base: Cents, opening: Cents
) -> None:
    """Begin a tournament jackpot (section 6): all of a fee goes in. Raises psycopg.Error."""
    terms = {
        "game": TOURNAMENT,
        "token": fee,
        "to_jackpot": WHOLE,
        "to_reserve": 0,
        "prizes": {"1": WHOLE, "2": WHOLE * 30 // 100},
    }
    connection.execute(
        "SELECT link.create_jackpot(%s, %s::jsonb, %s, %s, 'order')",
        (name, msgspec.json.encode(terms).decode(), base, opening),
    )


def admit_member(connection: Connection, name: str, jackpot: str) -> None:
    """Let a table, or a tournament's cash desk, join: its role has its name, and may log in.

    Raises ValueError if that role is an administrator's or an operator's, and psycopg.Error.
    """
    with connection.transaction():
        group = connection.execute("SELECT link.admit_member(%s, %s)", (name, jackpot)).fetchone()
        if group is not None:
            make_role(connection, name, RoleGroup(group[0]))
