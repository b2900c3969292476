"""Real PostgreSQL servers for tests, which fill it with databases.

docs/reference/link-rules.md, 9.1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from console.simulation.room.postgres_server import SUPERUSER, PostgresServer
from tests.deadlines import DEADLINE_S
from tests.free_port import free_port

QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""For tests that do not try durability."""


class Server(PostgresServer):
    """One cluster that is made at once; `settings` such as "fsync=off"."""

    def __init__(self, folder: Path, *settings: str) -> None:
        named = (setting.partition("=") for setting in settings)
        super().__init__(folder, free_port(), "centre", {name: value for name, _, value in named})
        self.make()

    def connect(self, user: str = SUPERUSER, database: str = "postgres") -> psycopg.Connection:
        """A connection in autocommit. Raises psycopg.OperationalError."""
        return psycopg.connect(self.dsn(user, database), autocommit=True)

    def make_database(self, name: str, template: str = "template1") -> None:
        """A database like the template, which nobody may be connected to."""
        with self.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(template)
                )
            )

    def copy_database(self, name: str, original: str) -> None:
        """A copy of a database, which others may be connected to: they are cut off.

        The courier of a killed table ends when it finds out, on a busy machine too late.
        """
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        with self.connect() as connection:
            connection.execute(allow.format(sql.Identifier(original), sql.SQL("false")))
            connection.execute(
                "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity WHERE datname = %s",
                (int(DEADLINE_S * 1000), original),
            )
            self.make_database(name, original)
            connection.execute(allow.format(sql.Identifier(original), sql.SQL("true")))

    def drop_database(self, name: str) -> None:
        """Drop it, whoever is connected."""
        with self.connect() as connection:
            query = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(query.format(sql.Identifier(name)))


@contextmanager
def run_server(folder: Path, *settings: str) -> Iterator[Server]:
    """A server that ends with the block."""
    server = Server(folder, *settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
