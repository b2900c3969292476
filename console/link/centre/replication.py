"""The centre's copies, as a primary sees them (docs/reference/link-rules.md, section 5)."""

from msgspec import Struct
from psycopg import Connection


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
