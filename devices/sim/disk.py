"""A disk that can be full, and whose power can go: the ledger's folder, and its connections."""

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
"""The statements that a full disk does not refuse; COMMIT only when there is something in it."""

LOCK_WAIT_S = 1
MEGABYTE = 1_000_000

PRIMARY = 0xFF
"""The part of SQLite's code that says what failed; the rest says where."""

SHARED_MEMORY = "*-shm"
"""SQLite's index of the write-ahead log is memory: no power, no index."""


def _disk_full() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    error.sqlite_errorname = "SQLITE_FULL"
    return error


@lru_cache(maxsize=64)
def _verb(sql: str) -> str:
    """The statement's first word; of an empty one, which does nothing, SELECT."""
    words = sql.split(None, 1)
    return words[0].upper().rstrip(";") if words else "SELECT"


class SimulatedDisk:
    """The disk under one folder; `full` is a switch. `failure`: what the real disk last said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.full = False
        self.failure = ""
        self._head = threading.Lock()
        self._copy = folder.with_name(folder.name + ".cut")
        if self._copy.exists():
            self._take_copy()  # killed in the middle of a power cut

    def free_mb(self) -> float:
        """The room on it, in millions of bytes. Raises OSError."""
        if self.full:
            return 0.0
        disk = os.statvfs(self.folder)
        return disk.f_bavail * disk.f_frsize / MEGABYTE

    def connect(self, path: Path | str, **options: Any) -> "DiskConnection":
        """As sqlite3.connect, for any one thread at a time; `path` lies in the folder."""
        options = {"timeout": LOCK_WAIT_S, "check_same_thread": False, **options}
        connection = sqlite3.connect(path, factory=DiskConnection, **options)
        connection.disk = self
        return connection

    def pull_plug(self) -> None:
        """Leave the folder's files as they stand between two statements, as fresh files.

        No shutdown code runs on what was connected; what it still writes goes nowhere.
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
        """Let a statement at the disk; sqlite3.OperationalError if it writes and there is no room.

        The plug is never pulled in the middle of it.
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
        """As sqlite3's."""
        self.connection.run(sql, lambda: super(DiskCursor, self).execute(sql, parameters))
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> "DiskCursor":
        """As sqlite3's."""
        self.connection.disk.run(True, lambda: super(DiskCursor, self).executemany(sql, parameters))
        return self

    def executescript(self, sql_script: str, /) -> "DiskCursor":
        """As sqlite3's."""
        self.connection.run(sql_script, lambda: super(DiskCursor, self).executescript(sql_script))
        return self


class DiskConnection(sqlite3.Connection):
    """A connection to a database on a `SimulatedDisk`."""

    disk: SimulatedDisk

    unsaved = False
    """Whether the open transaction has something to write at its end."""

    def run(self, sql: str, statement: Callable[[], R]) -> R:
        """Let a statement at the disk."""
        word = _verb(sql)
        ends = word in ENDS
        writes = self.unsaved and word != "ROLLBACK" if ends else word not in READS
        result = self.disk.run(writes, statement)
        self.unsaved = not ends and self.in_transaction and (self.unsaved or writes)
        return result

    def cursor(self, factory: Any = DiskCursor) -> Any:
        """As sqlite3's."""
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = (), /) -> DiskCursor:
        """As sqlite3's."""
        return DiskCursor(self).execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> DiskCursor:
        """As sqlite3's."""
        return DiskCursor(self).executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> DiskCursor:
        """As sqlite3's."""
        return DiskCursor(self).executescript(sql_script)

    def commit(self) -> None:
        """As sqlite3's."""
        self.run("COMMIT", super().commit)

    def rollback(self) -> None:
        """As sqlite3's."""
        self.run("ROLLBACK", super().rollback)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> Literal[False]:
        """As sqlite3's, which would commit past the disk."""
        if kind is not None:
            self.rollback()
            return False
        try:
            self.commit()
        except sqlite3.Error:
            self.rollback()
            raise
        return False
