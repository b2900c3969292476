"""Where a house's database is, and who comes to it. Without the driver: the service knows these."""

from msgspec import Struct

from console.configuration.addresses import parse_host
from console.configuration.sections import DatabaseSection

CONNECT_S = 2
"""How long a program of ours waits for a connection to one address."""


class ServerAddress(Struct, frozen=True):
    """A host and its port; of a folder with a local socket, too, the port is part of its name."""

    host: str
    port: int


class Credentials(Struct, frozen=True):
    """Absolute paths of PEM files: one's own certificate and key, the servers' authority."""

    certificate: str
    key: str
    root: str


class DatabaseLogin(Struct, frozen=True):
    """A database and who comes to it. `credentials`: None: without TLS."""

    database: str
    role: str
    credentials: Credentials | None


def hosts_of(section: DatabaseSection) -> tuple[ServerAddress, ...]:
    """The servers that a section names. Raises ValueError."""
    return tuple(ServerAddress(*parse_host(host)) for host in section.hosts)


def credentials_of(section: DatabaseSection) -> Credentials | None:
    """The files of TLS; None where none is named."""
    if section.certificate is None or section.key is None or section.root is None:
        return None
    return Credentials(section.certificate, section.key, section.root)
