"""A member's connection to one host of the centre (docs/link-rules.md, section 1)."""

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import Diagnostic

from console.link.courier_messages import CONNECT_S, CentreAddress, CourierOpening, Credentials

SURE = frozenset({"DEBUG", "LOG", "INFO", "NOTICE"})
"""Remarks that say nothing against an answer."""

LONGEST_REMARK = 300


class NotAnswered(Exception):
    """The centre has not answered; what was asked may have been done."""


class CentreConnection:
    """One connection, autocommit: each call is a transaction of its own."""

    def __init__(self, opening: CourierOpening, at: CentreAddress) -> None:
        """Connect to a primary. Raises NotAnswered."""
        self.at = at
        self._remark = ""
        try:
            self._connection = psycopg.connect(
                _conninfo(opening, at), autocommit=True, prepare_threshold=None
            )
        except psycopg.Error as error:
            raise NotAnswered(_in_words(error)) from error
        self._connection.add_notice_handler(self._on_notice)

    def ask(self, function: str, request: bytes) -> bytes:
        """Call a function of the centre; JSON in, JSON out. Raises NotAnswered.

        An answer with a warning is none: the standby may not have it.
        """
        query = sql.SQL("SELECT {}(%s::jsonb)::text").format(sql.Identifier("link", function))
        self._remark = ""
        try:
            row = self._connection.execute(query, (request.decode(),)).fetchone()
        except psycopg.Error as error:
            raise NotAnswered(_in_words(error)) from error
        if self._remark:
            raise NotAnswered(f"the centre answers with a warning: {self._remark}")
        if row is None or not isinstance(row[0], str):
            raise NotAnswered(f"link.{function} has answered nothing")
        return row[0].encode()

    def close(self) -> None:
        """Close it; no cancel is sent."""
        self._connection.close()

    def _on_notice(self, notice: Diagnostic) -> None:
        if notice.severity_nonlocalized not in SURE:
            self._remark = (notice.message_primary or "without words")[:LONGEST_REMARK]


def _conninfo(opening: CourierOpening, at: CentreAddress) -> str:
    return make_conninfo(
        "",
        host=at.host,
        port=at.port,
        dbname=opening.database,
        user=opening.role,
        target_session_attrs="read-write",
        connect_timeout=CONNECT_S,
        tcp_user_timeout=3000,
        gssencmode="disable",
        application_name="banco courier",
        **_encryption(opening.credentials),
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


def _in_words(error: psycopg.Error) -> str:
    """The error on one line."""
    return " ".join(str(error).split())[:LONGEST_REMARK] or type(error).__name__
