"""Databases with the centre's schema: to empty one is far quicker than to make one."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from psycopg import sql

from tests.console.link.servers import Server

KEPT = "migration"


class DatabasePool:
    """Lends empty databases of one server."""

    def __init__(self, server: Server, template: str) -> None:
        self._server = server
        self._template = template
        self._free: list[str] = []
        self._numbers = count(1)

    @contextmanager
    def lend(self) -> Iterator[str]:
        """A database with the schema and nothing in it; nobody is connected to it at the end."""
        name = self._free.pop() if self._free else self._make()
        yield name
        self._empty(name)
        self._free.append(name)

    def _make(self) -> str:
        name = f"centre_{next(self._numbers)}"
        self._server.make_database(name, self._template)
        return name

    def _empty(self, name: str) -> None:
        """Delete all rows; as a replica, which is asked by no trigger."""
        with self._server.connect(database=name) as connection:
            connection.execute("SET session_replication_role = replica")
            tables = connection.execute(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname <> %s "
                "AND relnamespace = 'link'::regnamespace",
                (KEPT,),
            ).fetchall()
            for (table,) in tables:
                connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier("link", table)))
