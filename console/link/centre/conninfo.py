"""How a program of ours connects to one host of the centre (docs/link-rules.md, section 1)."""

from psycopg.conninfo import make_conninfo

from console.link.courier_messages import CONNECT_S, CentreAddress, CourierOpening, Credentials


def write_conninfo(
    opening: CourierOpening, at: CentreAddress, *, target: str, application: str, settings: str
) -> str:
    """The connection string. `target`: libpq's target_session_attrs; `settings`: its options."""
    return make_conninfo(
        "",
        host=at.host,
        port=at.port,
        dbname=opening.database,
        user=opening.role,
        target_session_attrs=target,
        connect_timeout=CONNECT_S,
        tcp_user_timeout=3000,
        gssencmode="disable",
        options=settings,
        application_name=application,
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
