"""One PostgreSQL server in a folder of its own, as a person would run it."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from console.database.connect import DatabaseUnusable, connect_to
from console.simulation.room.programs import (
    UNPRIVILEGED,
    NoServer,
    run_program,
    start_program,
)

READY_WITHIN_S = 30
LOOK_AGAIN_S = 0.02
SUPERUSER = "postgres"
OWN_SETTINGS = "house.conf"
STANDBY_SIGNAL = "standby.signal"
"""PostgreSQL's own name: with this file a server starts as a standby."""


class PostgresServer:
    """One cluster, on a port of its own on loopback. Its superuser is postgres, by trust.

    `name`: its cluster's name, which is also that of its slot at the primary that it copies.
    """

    def __init__(self, folder: Path, port: int, name: str, settings: Mapping[str, str]) -> None:
        """Nothing is made or started yet. `settings`: PostgreSQL's own names and values."""
        self.name = name
        self.port = port
        self.folder = folder
        self._data = folder / "data"
        self._settings = dict(settings)
        self._process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the cluster, in a folder that is not there yet. Raises NoServer."""
        self._make_folder()
        run_program(
            "initdb", f"--pgdata={self._data}", "--auth=trust", f"--username={SUPERUSER}",
            "--no-sync", "--encoding=UTF8",
        )  # fmt: skip
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write(f"include = '{OWN_SETTINGS}'\n")

    def copy(self, source_port: int) -> None:
        """Make the cluster anew, as a copy of a running server: a base backup. Raises NoServer.

        Started like this it is a primary of its own; a standby only after `follow`.
        """
        if self._data.exists():
            shutil.rmtree(self._data)
        self._make_folder()
        run_program(
            "pg_basebackup", f"--pgdata={self._data}", "--checkpoint=fast", "--wal-method=stream",
            "--no-sync", "--dbname", dsn_of(source_port),
        )  # fmt: skip

    def rewind(self, source_port: int) -> None:
        """Take back what the source never had. This server has ended. Raises NoServer.

        The source is a primary that was promoted from a copy of this one.
        """
        run_program(
            "pg_rewind", f"--target-pgdata={self._data}", "--no-sync",
            "--source-server", dsn_of(source_port),
        )  # fmt: skip

    def follow(self, source_port: int) -> None:
        """At its next start it is a standby of the server at this port, with a slot there."""
        self._settings["primary_conninfo"] = f"{dsn_of(source_port)} application_name={self.name}"
        self._settings["primary_slot_name"] = self.name
        self._write(STANDBY_SIGNAL, "")

    def start(self) -> None:
        """Start it, and wait until it takes connections. Raises NoServer."""
        own = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "cluster_name": self.name,
        }
        lines = (
            f"{name} = '{value.replace(chr(39), chr(39) * 2)}'\n"
            for name, value in {**own, **self._settings}.items()
        )
        self._write(OWN_SETTINGS, "".join(lines))
        with (self.folder / "log").open("ab") as log:
            self._process = start_program("postgres", "-D", str(self._data), output=log.fileno())
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline and not self.ends_within(LOOK_AGAIN_S):
            with suppress(DatabaseUnusable), connect_to(self.dsn()):
                return
        raise NoServer(f"{self.name}: {self.read_log()}")

    @property
    def is_standby(self) -> bool:
        """Whether it starts as a standby."""
        return (self._data / STANDBY_SIGNAL).exists()

    def promote(self) -> None:
        """Make a primary of this standby; wait until it is one. Raises NoServer."""
        run_program("pg_ctl", f"--pgdata={self._data}", "promote")

    def stop(self) -> None:
        """End it, sessions and all; nothing if it has ended."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End all its processes with SIGKILL, as when its machine loses power."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)  # it starts no more of them
            self._signal_children(signal.SIGKILL)
            self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Let it stand still, until `thaw`: it holds its connections and answers nothing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)
            self._signal_children(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        if self._process is not None:
            self._signal_children(signal.SIGCONT)
            self._process.send_signal(signal.SIGCONT)

    def ends_within(self, seconds: float) -> bool:
        """Wait so long, unless it ends; whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            return self._process is None or self._process.wait(seconds) is not None
        return False

    def dsn(self, user: str = SUPERUSER, database: str = "postgres") -> str:
        """How libpq reaches it."""
        return f"{dsn_of(self.port, user)} dbname={database} connect_timeout=5"

    def read_log(self) -> str:
        """What it has logged so far."""
        return (self.folder / "log").read_text("utf-8", "replace")

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        own(self.folder)

    def _write(self, name: str, text: str) -> None:
        path = self._data / name
        path.write_text(text, "utf-8")
        own(path)

    def _signal_children(self, number: signal.Signals) -> None:
        """Each child has a session of its own."""
        assert self._process is not None
        for pid in list_children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(READY_WITHIN_S)
            self._process = None


def dsn_of(port: int, user: str = SUPERUSER) -> str:
    """How libpq reaches a server of the room."""
    return f"host=127.0.0.1 port={port} user={user}"


def list_children(pid: int) -> list[int]:
    """The processes that this one has started, and that have not ended."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1])
            if parent == pid:
                children.append(int(stat.parent.name))
    return children


def own(path: Path) -> None:
    """Give it to the one who runs the servers."""
    if os.geteuid() == 0:
        shutil.chown(path, UNPRIVILEGED)
