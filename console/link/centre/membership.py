"""A new jackpot, who may join it, who leaves it; and who tells a table's calls in its place.

docs/reference/link-rules.md, 3.9 and 3.12 to 3.14.
"""

import msgspec
from psycopg import Connection

from console.database.install import read_installed
from console.link.centre.postgres_calls import AnsweringCentre
from console.link.centre.roles import RoleGroup, make_role
from console.link.centre.tournament import TOURNAMENT
from console.link.rejoin_list import KnownMember, MemberEntry
from console.rules.link import Held, RecallAsked, Terms
from jackpot.failures import Refused
from jackpot.money.amounts import WHOLE, Cents
from jackpot.money.prizes import PrizeTable

PRIZE_FILES = 2
"""The schema's version from which on its terms have prize files."""

ENTRIES = """
SELECT jsonb_build_object(
    'epoch', epoch, 'n', n, 'call', call,
    'head', jsonb_build_object('seq', record_seq, 'hash', record_hash)
)
FROM link.entry WHERE member = %s AND record_seq IS NOT NULL ORDER BY epoch, n
"""

KNOWN = """
SELECT jsonb_build_object(
    'n', n, 'hash', encode(hash, 'hex'),
    'record', CASE WHEN record_seq IS NOT NULL THEN
        jsonb_build_object('seq', record_seq, 'hash', record_hash) END
)
FROM link.member WHERE name = %s
"""


def create_jackpot(
    connection: Connection, name: str, terms: Terms, base: Cents, opening: Cents, tie: str
) -> None:
    """Begin a jackpot. `tie`: split or order. Raises Refused, psycopg.Error."""
    check_prize_file(connection, terms)
    connection.execute(
        "SELECT link.create_jackpot(%s, %s::jsonb, %s, %s, %s)",
        (name, msgspec.json.encode(terms).decode(), base, opening, tie),
    )


def check_prize_file(connection: Connection, terms: Terms) -> None:
    """Raises Refused if the terms have a prize file, and the centre's schema has none."""
    installed = len(read_installed(connection, "link"))
    if isinstance(terms.prize_file, PrizeTable) and installed < PRIZE_FILES:
        raise Refused(
            f"the centre has the schema, version {installed}, without prize files: "
            "bring it up to this version with banco link init"
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


def ask_to_leave(connection: Connection, table: str) -> None:
    """Ask a table to leave: it does when it is paused. Raises psycopg.Error for no member."""
    connection.execute("SELECT link.ask_to_leave(%s)", (table,))


def read_entries(connection: Connection, table: str) -> list[MemberEntry]:
    """All that the centre has of a member, in its order. Raises psycopg.Error."""
    rows = connection.execute(ENTRIES, (table,)).fetchall()
    return [msgspec.convert(row[0], MemberEntry) for row in rows]


def read_known(connection: Connection, table: str) -> KnownMember:
    """What the centre knows of a member's journal. Raises psycopg.Error, msgspec.ValidationError.

    For a list it is read first: what is delivered meanwhile makes the list unfit, and not wrong.
    """
    row = connection.execute(KNOWN, (table,)).fetchone()
    return msgspec.convert(row[0] if row else None, KnownMember)


def tell_for(connection: Connection, table: str, held: Held | None) -> RecallAsked:
    """Tell a piece of a table's ledger in its place (3.13); None: that was all.

    Two operators have approved the ledger with `recover`. Raises CentreBars, psycopg.Error,
    AnsweredWithWarning.
    """
    asked = AnsweringCentre(connection).ask("tell_for", {"member": table, "held": held})
    return msgspec.convert(asked, RecallAsked)
