"""Reads the centre again and again, and writes nothing.

docs/reference/link-rules.md, section 7.
"""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

import psycopg
from psycopg import Connection

from console.database.addresses import ServerAddress
from console.database.first_host import connect_to_first, cut_connection
from console.database.server_messages import describe_error
from console.link.courier_messages import (
    CourierOpening,
)
from jackpot.failures import Unavailable

STATEMENT_MS = 2000
"""The server gives a reading up by itself."""

SETTINGS = f"-c statement_timeout={STATEMENT_MS} -c default_transaction_read_only=on"

ANY_PRIMARY = ("primary",)
STANDBY_FIRST = ("standby", "any")
"""libpq's target_session_attrs, in the order in which all hosts are tried with each.

Not "read-write": that asks for a session that may write, and ours may not."""

Reading = TypeVar("Reading")


class CentreReader(Generic[Reading]):
    """One connection, made again after an error. One thread reads; another may end a reading."""

    def __init__(
        self,
        opening: CourierOpening,
        hosts: tuple[ServerAddress, ...],
        targets: tuple[str, ...],
        read: Callable[[Connection], Reading],
    ) -> None:
        """`hosts`: in order of preference; `targets`: ANY_PRIMARY or STANDBY_FIRST."""
        self._opening = opening
        self._hosts = hosts
        self._targets = targets
        self._read = read
        self._connection: Connection | None = None
        self._lock = Lock()

    def read(self) -> Reading:
        """Read once. Blocks: no longer than 2 s for each host and target, and then for one answer.

        Raises Unavailable.
        """
        try:
            if self._connection is None:
                self._connection = connect_to_first(
                    self._opening,
                    self._hosts,
                    self._targets,
                    application="banco room",
                    settings=SETTINGS,
                )
            return self._read(self._connection)
        except psycopg.Error as error:
            self.close()
            raise Unavailable(describe_error(error)) from error

    def cut(self) -> None:
        """From another thread: the answer is not waited for any longer; no cancel is sent."""
        with self._lock:
            if self._connection is not None:
                cut_connection(self._connection)

    def close(self) -> None:
        """Close the connection; the next reading makes another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None
