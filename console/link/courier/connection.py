"""A member's connection to one host of the centre (docs/link-rules.md, section 1)."""

import psycopg
from psycopg.conninfo import make_conninfo

from console.link.centre.postgres_calls import PostgresCalls
from console.link.courier_messages import CONNECT_S, CentreAddress, CourierOpening, Credentials


class CentreConnection:
    """One connection, autocommit: each call is a transaction of its own."""

    def __init__(self, opening: CourierOpening, at: CentreAddress) -> None:
        """Connect to a primary. Raises psycopg.Error."""
        self.at = at
        self._connection = psycopg.connect(_conninfo(opening, at), autocommit=True)
        self.calls = PostgresCalls(self._connection)

    def close(self) -> None:
        """Close it; no cancel is sent."""
        self._connection.close()


def _conninfo(opening: CourierOpening, at: CentreAddress) -> str:
    """While no standby answers, couriers that ended leave sessions behind, which wait for a lock.

    With the check they end, too; one that waits for the standby does not look.
    """
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
        options=f"-c client_connection_check_interval={CONNECT_S}s",
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
