"""A server's standbys: its copies, as a primary sees them, and the list that an answer waits for.

docs/reference/link-rules.md, section 5.
"""

import re

from msgspec import Struct
from psycopg import Connection, sql

from jackpot.failures import Refused

_LIST = re.compile(r'(?:ANY|FIRST) [1-9][0-9]* \([\w"*-]+(?:, ?[\w"*-]+)*\)')
_WITHIN_S = 5
_LOOK_EVERY_S = 0.05


def check_standbys(standbys: str) -> str:
    """The list as it may be set. Raises ValueError."""
    if not _LIST.fullmatch(standbys):
        raise ValueError(f"{standbys!r} is not a list of standbys such as 'ANY 1 (standby1)'")
    return standbys


def read_standbys(connection: Connection) -> str:
    """The server's list, whoever has set it. Raises psycopg.Error."""
    row = connection.execute("SELECT current_setting('synchronous_standby_names')").fetchone()
    return str(row[0]) if row else ""


def do_not_wait(connection: Connection) -> None:
    """Let this session's commits wait for no standby: of a server that has none, none would end.

    The one exception to rule 5.1. It writes `alone` or `recover`, by operators who know that no
    standby may be left; no table takes that for an answer, and lost, it is said again. Raises
    psycopg.Error.
    """
    connection.execute("SET synchronous_commit = local")


def set_standbys(superuser: Connection, standbys: str) -> None:
    """Set the server's list; "": it answers alone. Raises Refused, psycopg.Error."""
    superuser.execute(
        sql.SQL("ALTER SYSTEM SET synchronous_standby_names = {}").format(sql.Literal(standbys))
    )
    superuser.execute("SELECT pg_reload_conf()")
    for _ in range(int(_WITHIN_S / _LOOK_EVERY_S)):
        if read_standbys(superuser) == standbys:
            return
        superuser.execute("SELECT pg_sleep(%s)", (_LOOK_EVERY_S,))
    raise Refused(
        f"the server's synchronous_standby_names still is {read_standbys(superuser)!r}; is it set "
        "on the server's command line?"
    )


class StandbyCopy(Struct, frozen=True):
    """A standby that is connected. `state`: streaming, catchup; `sync`: quorum, sync, async."""

    name: str
    state: str
    sync: str

    @property
    def in_sync(self) -> bool:
        """Whether an answer may wait for it, and not for another."""
        return self.state == "streaming" and self.sync in ("quorum", "sync")


def read_copies(connection: Connection) -> tuple[StandbyCopy, ...]:
    """All standbys that are connected, by name. Raises psycopg.Error."""
    rows = connection.execute(
        "SELECT application_name, state, sync_state FROM pg_stat_replication "
        "ORDER BY application_name, pid"
    )
    return tuple(StandbyCopy(*row) for row in rows)


def make_slot(connection: Connection, name: str) -> None:
    """Keep WAL for this standby from now on; a slot that is there is made anew.

    Raises psycopg.Error, also if the standby is connected.
    """
    connection.execute(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s",
        (name,),
    )
    connection.execute("SELECT pg_create_physical_replication_slot(%s, true)", (name,))
