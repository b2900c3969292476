"""How a program of ours connects to one host of a house's database."""

from psycopg.conninfo import make_conninfo

from console.database.addresses import Credentials, DatabaseLogin, ServerAddress

CONNECT_S = 2
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
