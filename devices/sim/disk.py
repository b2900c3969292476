"""A simulated disk for the ledger's folder: it can be full, and its power can be cut."""

import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

R = TypeVar("R")

READS = ("SELECT", "PRAGMA", "BEGIN", "SAVEPOINT", "EXPLAIN", "ATTACH", "DETACH", "WITH")
ENDS = ("COMMIT", "END", "ROLLBACK")
"""Statements that a full disk does not refuse; COMMIT only if it has something to write."""

LOCK_WAIT_S = 1
MEGABYTE = 1_000_000

PRIMARY = 0xFF
"""The part of SQLite's error code that says what failed; the rest says where."""

SHARED_MEMORY = "*-shm"
"""SQLite's index of the write-ahead log is in memory: it is lost with the power."""


def _disk_full() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    error.sqlite_errorname = "SQLITE_FULL"
    return error


@lru_cache(maxsize=64)
def _verb(sql: str) -> str:
    """The statement's first word; SELECT for an empty one, and for one that makes what is
    temporary, in memory: they write nothing."""
    words = sql.upper().split(None, 2)
    if not words or words[:2] == ["CREATE", "TEMP"]:
        return "SELECT"
    return words[0].rstrip(";")


class SimulatedDisk:
    """The disk of one folder; `full` is a switch. `failure`: the real disk's last error."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.full = False
        self.failure = ""
        self._head = threading.Lock()
        self._copy = folder.with_name(folder.name + ".cut")
        if self._copy.exists():
            self._take_copy()  # killed in the middle of a power cut

    def free_mb(self) -> float:
        """Its free space in MB. Raises OSError."""
        if self.full:
            return 0.0
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize / MEGABYTE

    def connect(self, path: Path | str, **options: Any) -> "DiskConnection":
        """As sqlite3.connect, for one thread at a time; `path` is in the folder."""
        options = {"timeout": LOCK_WAIT_S, "check_same_thread": False, **options}
        connection = sqlite3.connect(path, factory=DiskConnection, **options)
        connection.disk = self
        return connection

    def pull_plug(self) -> None:
        """Cut the power: leave the folder's files as they are between two statements, as new files.

        No shutdown code runs on the connections; what they still write is lost.
        """
        with self._head:
            part = self._copy.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(self.folder, part, ignore=shutil.ignore_patterns(SHARED_MEMORY))
            part.rename(self._copy)
            self._take_copy()

    def _take_copy(self) -> None:
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self._copy.rename(self.folder)

    def run(self, writes: bool, statement: Callable[[], R]) -> R:
        """Run a statement. Raises sqlite3.OperationalError if it writes and the disk is full.

        The power is never cut within it.
        """
        with self._head:
            if writes and self.full:
                raise _disk_full()
            try:
                return statement()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & PRIMARY in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                    self.failure = str(error)
                raise


class DiskCursor(sqlite3.Cursor):
    """A cursor whose statements go through the disk."""

    connection: "DiskConnection"

    def execute(self, sql: str, parameters: Any = (), /) -> "DiskCursor":
        self.connection.run(sql, lambda: super(DiskCursor, self).execute(sql, parameters))
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> "DiskCursor":
        self.connection.disk.run(True, lambda: super(DiskCursor, self).executemany(sql, parameters))
        return self

    def executescript(self, sql_script: str, /) -> "DiskCursor":
        self.connection.run(sql_script, lambda: super(DiskCursor, self).executescript(sql_script))
        return self


class DiskConnection(sqlite3.Connection):
    """A connection to a database on a `SimulatedDisk`."""

    disk: SimulatedDisk

    unsaved = False
    """Whether the open transaction has something to write."""

    def run(self, sql: str, statement: Callable[[], R]) -> R:
        """Run a statement on the disk."""
        word = _verb(sql)
        ends = word in ENDS
        writes = self.unsaved and word != "ROLLBACK" if ends else word not in READS
        result = self.disk.run(writes, statement)
        self.unsaved = not ends and self.in_transaction and (self.unsaved or writes)
        return result

    def cursor(self, factory: Any = DiskCursor) -> Any:
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = (), /) -> DiskCursor:
        return DiskCursor(self).execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> DiskCursor:
        return DiskCursor(self).executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> DiskCursor:
        return DiskCursor(self).executescript(sql_script)

    def commit(self) -> None:
        self.run("COMMIT", super().commit)

    def rollback(self) -> None:
        self.run("ROLLBACK", super().rollback)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> Literal[False]:
        """Commit or roll back through the disk, which sqlite3's own method would not."""
        if kind is not None:
            self.rollback()
            return False
        try:
            self.commit()
        except sqlite3.Error:
            self.rollback()
            raise
        return False
