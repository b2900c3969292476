"""A disk that fails at the n-th call of a kind, and then for good or only once."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw

from tests.jackpot.apsw_disk import Call, Failure, Kind
from tests.jackpot.recorded_disk import Platter, RecordedDisk

WRITES = frozenset((Kind.WRITE, Kind.TRUNCATE, Kind.DELETE))

_IO_ERRORS = {
    Kind.OPEN: apsw.SQLITE_CANTOPEN,
    Kind.READ: apsw.SQLITE_IOERR_READ,
    Kind.WRITE: apsw.SQLITE_IOERR_WRITE,
    Kind.SYNC: apsw.SQLITE_IOERR_FSYNC,
    Kind.TRUNCATE: apsw.SQLITE_IOERR_TRUNCATE,
    Kind.DELETE: apsw.SQLITE_IOERR_DELETE,
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Which calls fail and how; `lasting`: all of them from then on, until the disk is well."""

    kinds: frozenset[Kind]
    failure: Callable[[Call], Failure]
    lasting: bool


def _io_error(call: Call) -> Failure:
    return Failure(_IO_ERRORS[call.kind])


def _half(code: int) -> Callable[[Call], Failure]:
    return lambda call: Failure(code, written=len(call.data) // 2)


def _sync(*, keeps: bool) -> Callable[[Call], Failure]:
    return lambda _: Failure(apsw.SQLITE_IOERR_FSYNC, keeps=keeps, loses=not keeps)


SYNC_LOST = Trouble(frozenset((Kind.SYNC,)), _sync(keeps=False), lasting=False)
TROUBLES = {
    "full": Trouble(frozenset((Kind.WRITE,)), lambda _: Failure(apsw.SQLITE_FULL), lasting=True),
    "full in the middle of a write": Trouble(
        frozenset((Kind.WRITE,)), _half(apsw.SQLITE_FULL), lasting=True
    ),
    "I/O error": Trouble(frozenset(Kind), _io_error, lasting=True),
    "I/O error, once": Trouble(frozenset(Kind), _io_error, lasting=False),
    "I/O error in the middle of a write, once": Trouble(
        frozenset((Kind.WRITE,)), _half(apsw.SQLITE_IOERR_WRITE), lasting=False
    ),
    "read-only": Trouble(WRITES, lambda _: Failure(apsw.SQLITE_READONLY), lasting=True),
    "a failing sync that kept all": Trouble(
        frozenset((Kind.SYNC,)), _sync(keeps=True), lasting=False
    ),
    "a failing sync that lost all": SYNC_LOST,
    "syncs that fail from then on": Trouble(
        frozenset((Kind.SYNC,)), _sync(keeps=False), lasting=True
    ),
}


class FailingDisk(RecordedDisk):
    """Fails as it is told to; meanwhile it knows what would be left if the power went."""

    def __init__(self) -> None:
        super().__init__()
        self.fired = False
        self._trouble: Trouble | None = None
        self._left = 0
        self._of_file = ""
        self._dead = False
        self._platter = Platter()
        self._taken = 0
        self._left_behind: dict[Path, int] = {}

    def arm(self, trouble: Trouble, at: int, file: str = "") -> None:
        """Fail at the n-th call of these kinds from now on, to this file if one is named."""
        self.fired = False
        self._trouble, self._left, self._of_file = trouble, at, file

    def well(self) -> bool:
        """Mend it; whether it had failed."""
        self._trouble = None
        return self.fired

    def kill(self, folder: Path) -> None:
        """The process is gone: nothing that was open writes, or is tidied up, any more."""
        self.lives += 1
        self._left_behind = {path: _last_written(path) for path in folder.glob("ledger.db*")}

    def connect(self, path: Path | str) -> sqlite3.Connection:
        """As any disk's; what was written since a kill, and not by SQLite, is taken for synced."""
        for file, at in self._left_behind.items():
            if file.exists() and _last_written(file) != at and not file.name.endswith("-shm"):
                self.log.append(Call(Kind.WRITE, file.name, 0, file.read_bytes()))
                self.log.append(Call(Kind.SYNC, file.name))
        self._left_behind.clear()
        return super().connect(path)

    def before_call(self, call: Call) -> Failure | None:
        trouble = self._trouble
        if trouble is None or call.kind not in trouble.kinds:
            return None
        if self._of_file and call.file != self._of_file:
            return None
        self._left -= 1
        if self._left > 0 or (self._left < 0 and not trouble.lasting):
            return None
        self.fired = True
        return trouble.failure(call)

    @property
    def platter(self) -> Platter:
        """What is on the disk for certain, and what is pending."""
        for done in self.log[self._taken :]:
            self._platter.take(done)
        self._taken = len(self.log)
        return self._platter

    def begin_with(self, folder: Path) -> None:
        """Begin with what is in this folder, all of it safe."""
        for path in folder.iterdir():
            self.log.append(Call(Kind.OPEN, path.name, creates=True))
            self.log.append(Call(Kind.WRITE, path.name, 0, path.read_bytes()))
            self.log.append(Call(Kind.SYNC, path.name, names=True))


def _last_written(path: Path) -> int:
    return path.stat().st_mtime_ns
