"""How a program of ours connects to a house's database: to one host, or the first that will do."""

import os
import socket
from collections.abc import Sequence
from contextlib import suppress

import psycopg
from psycopg import Connection
from psycopg.conninfo import make_conninfo

from console.database.addresses import CONNECT_S, Credentials, DatabaseLogin, ServerAddress

SILENT_MS = 3000
"""How long a server may leave what was sent to it unacknowledged."""


def write_conninfo(
    login: DatabaseLogin, at: ServerAddress, *, target: str, application: str, settings: str
) -> str:
    """The connection string. `target`: libpq's target_session_attrs; `settings`: its options."""
    return make_conninfo(
        "",
        host=at.host,
        port=at.port,
        dbname=login.database,
        user=login.role,
        target_session_attrs=target,
        connect_timeout=CONNECT_S,
        tcp_user_timeout=SILENT_MS,
        gssencmode="disable",
        options=settings,
        application_name=application,
        **_encryption(login.credentials),
    )


def _encryption(credentials: Credentials | None) -> dict[str, str]:
    if credentials is None:
        return {"sslmode": "disable"}
    return {
        "sslmode": "verify-full",
        "ssl_min_protocol_version": "TLSv1.3",
        "sslcert": credentials.certificate,
        "sslkey": credentials.key,
        "sslrootcert": credentials.root,
    }


def connect_to_first(
    login: DatabaseLogin,
    hosts: Sequence[ServerAddress],
    targets: Sequence[str],
    *,
    application: str,
    settings: str,
) -> Connection:
    """Connect, autocommit. `targets`: libpq's target_session_attrs, each tried with all hosts.

    Blocks no longer than CONNECT_S for each address and target, and besides as long as the system
    looks the hosts' names up: nothing can cut that. Raises psycopg.Error: the last one's.
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
