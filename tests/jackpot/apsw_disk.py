"""SQLite on a disk of ours: every call it makes to a file passes here, and may be refused.

The ledger is opened through `apsw`, another SQLite, whose virtual file system is written in
Python. What passes is done to real files. `Disk.before_call` may refuse a call, and
`Disk.after_call` follows it. Shared memory (`-shm`) is memory, not a file, and does not pass here.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw

R = TypeVar("R")

_NUMBERS = count(1)

_JOURNALS = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL


class Kind(Enum):
    """What SQLite asks of the disk."""

    OPEN = "open"
    READ = "read"
    WRITE = "write"
    SYNC = "sync"
    TRUNCATE = "truncate"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Call:
    """One call; `names`: it also puts the folder's names on the disk."""

    kind: Kind
    file: str
    offset: int = 0
    data: bytes = b""
    size: int = 0
    names: bool = False
    creates: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """What SQLite is told instead: a result code. `written` bytes of a write are done before."""

    code: int
    written: int = 0
    loses: bool = False
    """A failing sync: what it should have kept will never be on the disk."""
    keeps: bool = False
    """A failing sync: all of it is on the disk nevertheless."""

    def error(self) -> apsw.Error:
        """As apsw wants to be told."""
        error = apsw.exception_for(self.code)
        assert isinstance(error, apsw.Error)
        return error


_DEAD = Failure(apsw.SQLITE_IOERR)


class Disk:
    """Where SQLite's files are; this one does all that is asked."""

    def __init__(self) -> None:
        self.lives = 0
        """Changed when the process is killed: nothing that was open before does anything."""
        self._files = _Files(self)

    def before_call(self, _call: Call) -> Failure | None:
        """Called before each call."""
        return None

    def after_call(self, call: Call) -> None:
        """Called after each call that was done."""

    def on_failure(self, call: Call, failure: Failure) -> None:
        """Called after each call that was not."""

    def on_commit(self, select: Callable[[str], "Rows"]) -> None:
        """Called after each commit that returned: a COMMIT, or an insert that is one by itself."""

    def connect(self, path: Path | str) -> sqlite3.Connection:
        """As `jackpot.ledger.schema.connect`; it has the few methods that the ledger uses."""
        connection = _as_sqlite3(lambda: apsw.Connection(str(path), vfs=self._files.name))
        connection.set_busy_timeout(1_000)
        return cast(sqlite3.Connection, ApswConnection(connection, self.on_commit))


class ApswConnection:
    """An apsw connection as a sqlite3.Connection."""

    def __init__(
        self, connection: apsw.Connection, committed: Callable[[Callable[[str], "Rows"]], None]
    ) -> None:
        self._acknowledge = committed
        self.isolation_level: str | None = None
        self._connection = connection
        self._checkpoint_pages = 0

    def execute(self, sql: str, values: Any = ()) -> "Rows":
        """As sqlite3's; all rows are read at once."""
        alone = sql.startswith("INSERT") and not self.in_transaction
        rows = _as_sqlite3(lambda: self._connection.execute(sql, values).fetchall())
        if sql.startswith("PRAGMA wal_autocheckpoint"):
            self._checkpoint_pages = int(sql.rpartition("=")[2])
            self._connection.set_wal_hook(self._on_commit)
        elif sql == "COMMIT" or alone:
            self._acknowledge(self.execute)
        return Rows(rows, self._connection.changes())

    def cursor(self) -> "ApswConnection":
        """As sqlite3's, as far as the ledger uses one: it executes."""
        return self

    def executemany(self, sql: str, values: Iterable[Any]) -> "Rows":
        """As sqlite3's."""
        _as_sqlite3(lambda: self._connection.executemany(sql, values))
        return Rows([])

    @property
    def in_transaction(self) -> bool:
        """As sqlite3's."""
        return self._connection.in_transaction

    def close(self) -> None:
        """As sqlite3's, which does not hear what a last checkpoint says."""
        try:
            self._connection.close()
        except apsw.IOError:
            self._connection.close()
        except (apsw.FullError, apsw.ReadOnlyError):
            self._connection.close()

    def _on_commit(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """As SQLite's own hook, which does not hear what the checkpoint says either.

        apsw would let COMMIT raise what the file system raised in a checkpoint after it.
        """
        if pages >= self._checkpoint_pages:
            try:
                connection.wal_checkpoint(name, apsw.SQLITE_CHECKPOINT_PASSIVE)
            except apsw.Error:
                return apsw.SQLITE_OK
        return apsw.SQLITE_OK


class Rows:
    """What a statement found, or how many rows it changed."""

    def __init__(self, rows: list[Any], rowcount: int = 0) -> None:
        self._rows = iter(rows)
        self.rowcount = rowcount

    def __iter__(self) -> Iterator[Any]:
        return self._rows

    def fetchone(self) -> Any:
        """The next row, or None."""
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        return list(self._rows)


_DATABASE_ERRORS = (apsw.CorruptError, apsw.NotADBError)


def _as_sqlite3(work: Callable[[], R]) -> R:
    try:
        return work()
    except apsw.Error as error:
        kind = sqlite3.OperationalError
        if isinstance(error, apsw.ConstraintError):
            raise sqlite3.IntegrityError(str(error)) from error
        error_type = sqlite3.DatabaseError if isinstance(error, _DATABASE_ERRORS) else kind
        raised = error_type(str(error))
        raised.sqlite_errorcode = getattr(error, "extendedresult", sqlite3.SQLITE_ERROR)
        raise raised from error


class _Files(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.name = f"banco-test-{next(_NUMBERS)}"
        self._disk = disk
        super().__init__(self.name, "unix")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        if name is None:  # a temporary file of SQLite's own: nothing of it is ever read again
            return apsw.VFSFile("unix", None, flags)
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        creates = bool(flags[0] & apsw.SQLITE_OPEN_CREATE) and not path.exists()
        call = Call(Kind.OPEN, path.name, creates=creates)
        _refuse(self._disk, call)
        file = _File(name, flags, self._disk, path.name)
        self._disk.after_call(call)
        return file

    def xDelete(self, name: str, sync: bool) -> None:
        call = Call(Kind.DELETE, Path(name).name, names=bool(sync))
        _refuse(self._disk, call)
        super().xDelete(name, sync)
        self._disk.after_call(call)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: Disk, file: str) -> None:
        self._disk = disk
        self._life = disk.lives
        self._file = file
        # unix's own file syncs the folder at the first sync of a new journal.
        self._new = bool(flags[0] & _JOURNALS and flags[0] & apsw.SQLITE_OPEN_CREATE)
        super().__init__("unix", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._refuse(Call(Kind.READ, self._file, offset, size=amount))
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        call = Call(Kind.WRITE, self._file, offset, bytes(data))
        failure = self._before_call(call)
        if failure is None:
            super().xWrite(data, offset)
            self._disk.after_call(call)
            return
        written = bytes(data)[: failure.written]
        if written:
            super().xWrite(written, offset)
            self._disk.after_call(Call(Kind.WRITE, self._file, offset, written))
        raise failure.error()

    def xTruncate(self, size: int) -> None:
        call = Call(Kind.TRUNCATE, self._file, size=size)
        self._refuse(call)
        super().xTruncate(size)
        self._disk.after_call(call)

    def xSync(self, flags: int) -> None:
        del flags
        call = Call(Kind.SYNC, self._file, names=self._new)
        self._refuse(call)
        self._new = False
        self._disk.after_call(call)

    def _before_call(self, call: Call) -> Failure | None:
        return self._disk.before_call(call) if self._life == self._disk.lives else _DEAD

    def _refuse(self, call: Call) -> None:
        failure = self._before_call(call)
        if failure is not None:
            self._disk.on_failure(call, failure)
            raise failure.error()


def _refuse(disk: Disk, call: Call) -> None:
    failure = disk.before_call(call)
    if failure is not None:
        disk.on_failure(call, failure)
        raise failure.error()
