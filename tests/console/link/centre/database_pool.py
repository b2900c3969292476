"""Databases with the centre's schema: to empty one is far quicker than to make one.

Connections are kept, too: a new one compiles all functions anew.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from psycopg import Connection, sql
from psycopg.pq import TransactionStatus

from tests.console.link.servers import Server

KEPT = ("migration", "secret")
SUPERUSER = "postgres"
ENDED_WITHIN_MS = 10_000


class LentDatabase:
    """A database, and one connection of each role that came."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self.name = name
        self._connections: dict[str, Connection] = {}

    def connect(self, user: str) -> Connection:
        """The role's connection, in autocommit."""
        there = self._connections.get(user)
        if there is None or there.closed:
            self._lift_bounds(user)
            there = self._connections[user] = self._server.connect(user, self.name)
        return there

    def _lift_bounds(self, user: str) -> None:
        """A kept connection may be idle, and each database of the pool has one of each role."""
        if user != SUPERUSER:
            role = sql.Identifier(user)
            superuser = self.connect(SUPERUSER)
            superuser.execute(sql.SQL("ALTER ROLE {} CONNECTION LIMIT -1").format(role))
            superuser.execute(sql.SQL("ALTER ROLE {} RESET ALL").format(role))

    def dsn(self, user: str) -> str:
        """How libpq reaches it."""
        return self._server.dsn(user, self.name)

    def empty(self) -> None:
        """Delete all rows, as a replica, which is asked by no trigger. End what is in use."""
        for user, connection in list(self._connections.items()):
            if connection.info.transaction_status is not TransactionStatus.IDLE:
                connection.close()
                del self._connections[user]
        superuser = self.connect(SUPERUSER)
        superuser.execute("RESET ROLE")
        self._end_others(superuser)
        superuser.execute("SET session_replication_role = replica")
        tables = superuser.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname <> ALL (%s) "
            "AND relnamespace = 'link'::regnamespace",
            (list(KEPT),),
        ).fetchall()
        for (table,) in tables:
            superuser.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier("link", table)))
        superuser.execute("RESET ALL")

    def _end_others(self, superuser: Connection) -> None:
        """End what a test has left, and wait for it: a killed courier's call would still be made.

        On a busy machine that is in the next test: a hello there fences the table of the same name.
        """
        kept = [one.info.backend_pid for one in self._connections.values() if not one.closed]
        superuser.execute(
            "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity "
            "WHERE datname = %s AND backend_type = 'client backend' AND pid <> ALL (%s)",
            (ENDED_WITHIN_MS, self.name, kept),
        )

    def close(self) -> None:
        """End all connections."""
        for connection in self._connections.values():
            connection.close()


class DatabasePool:
    """Lends empty databases of one server."""

    def __init__(self, server: Server, template: str) -> None:
        self._server = server
        self._template = template
        self._free: list[LentDatabase] = []
        self._numbers = count(1)

    @contextmanager
    def lend(self) -> Iterator[LentDatabase]:
        """A database with the schema and nothing in it."""
        database = self._free.pop() if self._free else self._make()
        yield database
        database.empty()
        self._free.append(database)

    def close(self) -> None:
        """End all connections."""
        for database in self._free:
            database.close()

    def _make(self) -> LentDatabase:
        name = f"centre_{next(self._numbers)}"
        self._server.make_database(name, self._template)
        return LentDatabase(self._server, name)
