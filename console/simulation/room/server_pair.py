"""A primary and its synchronous standby, as in docs/reference/link-rules.md, section 5."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from console.database.connect import connect_to
from console.link.centre.replication import make_slot, read_copies
from console.simulation.room.postgres_server import LOOK_AGAIN_S, PostgresServer
from console.simulation.room.programs import NoServer

NAMES = ("db1", "db2")
IN_SYNC_WITHIN_S = 30
SETTINGS = {
    "synchronous_commit": "on",
    "synchronous_standby_names": f"ANY 1 ({', '.join(NAMES)})",
    "wal_log_hints": "on",  # pg_rewind asks for it, and for WAL since the last common checkpoint
    "wal_keep_size": "256MB",
    "wal_retrieve_retry_interval": "500ms",  # a promotion, too, may wait so long
    "wal_receiver_timeout": "10s",
    "wal_sender_timeout": "10s",
}
"""The same at both servers, so that the standby has them before it is promoted (5.1)."""


class ServerPair:
    """The servers db1 and db2; at first db1 is the primary."""

    def __init__(
        self, folder: Path, ports: tuple[int, int], settings: Mapping[str, str] | None = None
    ) -> None:
        """Nothing is made or started yet. `settings`: more of PostgreSQL's."""
        self.primary, self.standby = (
            PostgresServer(folder / name, port, name, {**SETTINGS, **(settings or {})})
            for name, port in zip(NAMES, ports, strict=True)
        )

    def start(self) -> None:
        """Make and start both; wait until they are in sync. Raises NoServer, psycopg's errors."""
        self.primary.make()
        self.primary.start()
        self.copy_standby()

    def copy_standby(self, through: int | None = None) -> None:
        """Make the standby anew from the primary, start it, and wait until it is in sync.

        `through`: a port that passes on to the primary's. Raises NoServer and DatabaseUnusable.
        """
        self._make_slot()
        self.standby.copy(self.primary.port)
        self._start_standby(through)

    def rewind_standby(self, through: int | None = None) -> None:
        """Make a standby of the old primary, which has ended, and which `promote` replaced."""
        self._make_slot()
        with connect_to(self.primary.dsn()) as connection:
            connection.execute("CHECKPOINT")  # before it, pg_rewind 15 reads the old timeline
        self.standby.rewind(self.primary.port)
        self._start_standby(through)

    def promote(self) -> None:
        """Make the standby the primary. The old one has ended, or nobody reaches it."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def stop(self) -> None:
        """End both; the standby last, so that it has all that the primary answered."""
        self.primary.stop()
        self.standby.stop()

    def wait_until_in_sync(self) -> None:
        """Wait until an answer may wait for the standby. Raises NoServer, DatabaseUnusable."""
        deadline = time.monotonic() + IN_SYNC_WITHIN_S
        with connect_to(self.primary.dsn()) as connection:
            while not any(copy.in_sync for copy in read_copies(connection)):
                if self.standby.ends_within(LOOK_AGAIN_S) or time.monotonic() > deadline:
                    raise NoServer(f"{self.standby.name} is not in sync: {self.standby.read_log()}")

    def _make_slot(self) -> None:
        with connect_to(self.primary.dsn()) as connection:
            make_slot(connection, self.standby.name)

    def _start_standby(self, through: int | None) -> None:
        """What an operator set at the primary for the time without a standby is copied, too."""
        self.standby.follow(through or self.primary.port)
        self.standby.start()
        for server in (self.standby, self.primary):
            with connect_to(server.dsn()) as connection:
                connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
                connection.execute("SELECT pg_reload_conf()")
        self.wait_until_in_sync()


@contextmanager
def run_pair(
    folder: Path, ports: tuple[int, int], settings: Mapping[str, str] | None = None
) -> Iterator[ServerPair]:
    """A pair that ends with the block. Raises NoServer, DatabaseUnusable."""
    pair = ServerPair(folder, ports, settings)
    try:
        pair.start()
        yield pair
    finally:
        pair.stop()
