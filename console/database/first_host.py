"""A program's connection to the first of several hosts that will do, and how it is given up."""

import os
import socket
from collections.abc import Sequence
from contextlib import suppress

import psycopg
from psycopg import Connection

from console.database.addresses import DatabaseLogin, ServerAddress
from console.database.conninfo import write_conninfo


def connect_to_first(
    login: DatabaseLogin,
    hosts: Sequence[ServerAddress],
    targets: Sequence[str],
    *,
    application: str,
    settings: str,
) -> Connection:
    """Connect, autocommit. `targets`: libpq's target_session_attrs, each tried with all hosts.

    Blocks no longer than CONNECT_S for each host and target. Raises psycopg.Error: the last one's.
    """
    failure = psycopg.OperationalError("no host")
    for target in targets:
        for at in hosts:
            conninfo = write_conninfo(
                login, at, target=target, application=application, settings=settings
            )
            try:
                return psycopg.connect(conninfo, autocommit=True)
            except psycopg.OperationalError as error:
                failure = error
    raise failure


def cut_connection(connection: Connection) -> None:
    """From another thread: its answer is not waited for any longer; no cancel is sent."""
    if connection.closed:
        return
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as own:
        own.shutdown(socket.SHUT_RDWR)
