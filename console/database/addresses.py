"""Where a house's database is, and who comes to it. Without the driver: the service knows these."""

from msgspec import Struct


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
