"""Reads the centre again and again, and writes nothing (docs/link-rules.md, section 7)."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Generic, TypeVar

import psycopg
from psycopg import Connection

from console.link.centre.connect import CentreUnusable
from console.link.centre.conninfo import write_conninfo
from console.link.courier_messages import CentreAddress, CourierOpening

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
        hosts: tuple[CentreAddress, ...],
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

        Raises CentreUnusable.
        """
        try:
            if self._connection is None:
                self._connection = self._connect()
            return self._read(self._connection)
        except psycopg.Error as error:
            self.close()
            raise CentreUnusable(str(error).strip()) from error

    def cut(self) -> None:
        """From another thread: the answer is not waited for any longer; no cancel is sent."""
        with self._lock:
            if self._connection is None or self._connection.closed:
                return
            with suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as own:
                own.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; the next reading makes another."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _connect(self) -> Connection:
        """Connect to the first host that will do. Raises psycopg.Error: the last one's."""
        failure = psycopg.OperationalError("no host")
        for target in self._targets:
            for at in self._hosts:
                conninfo = write_conninfo(
                    self._opening, at, target=target, application="banco room", settings=SETTINGS
                )
                try:
                    return psycopg.connect(conninfo, autocommit=True)
                except psycopg.OperationalError as error:
                    failure = error
        raise failure
