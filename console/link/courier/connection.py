"""A member's connection to one host of the centre (docs/reference/link-rules.md, section 1)."""

import psycopg

from console.database.addresses import ServerAddress
from console.database.conninfo import CONNECT_S, write_conninfo
from console.link.centre.clock_calls import ClockCalls
from console.link.centre.postgres_calls import PostgresCalls
from console.link.courier_messages import (
    CourierOpening,
)


class CentreConnection:
    """One connection, autocommit: each call is a transaction of its own."""

    def __init__(self, opening: CourierOpening, at: ServerAddress) -> None:
        """Connect to a primary. Raises psycopg.Error."""
        self.at = at
        self._connection = psycopg.connect(_conninfo(opening, at), autocommit=True)
        self.calls = PostgresCalls(self._connection)
        self.clock = ClockCalls(self._connection)

    def close(self) -> None:
        """Close it; no cancel is sent."""
        self._connection.close()


def _conninfo(opening: CourierOpening, at: ServerAddress) -> str:
    """While no standby answers, couriers that ended leave sessions behind, which wait for a lock.

    With the check they end, too; one that waits for the standby does not look.
    """
    return write_conninfo(
        opening,
        at,
        target="read-write",
        application="banco courier",
        settings=f"-c client_connection_check_interval={CONNECT_S}s",
    )
