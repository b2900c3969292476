"""The ledger's database file, and how connections to it are opened."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TypeAlias

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.folder import hand_over, write_again
from jackpot.ledger.tables import VERSION, check_tables, make_new
from jackpot.named_files import refuse_pipe

FILE = "ledger.db"
LOG_FILE = f"{FILE}-wal"
"""The write-ahead log: only it has the last commits."""

LOOK_EVERY = 10_000
"""Steps of SQLite's machine, of which a query takes millions a second."""

FILES = (FILE, LOG_FILE, f"{FILE}-shm")
"""All of a database that is open; the last one is the log's index, which its readers share."""

LOCK_WAIT_S = 1
"""The longest wait for a reader that opens the database."""

# The ledger moves its log into the database with each snapshot, and notices a failure. Without
# snapshots SQLite does so after 6 MB. The log then keeps at most 8 MB of the disk.
_CHECKPOINT_PAGES = 1_500
_LOG_LIMIT_BYTES = 8_000_000

_NO_TEXT = "Could not decode to UTF-8"
"""Python's own error, without a code, for bytes that are not text."""

_NOT_OF_THE_FILE = frozenset(
    (
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_ABORT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED),
        *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_NOLFS),
        *(sqlite3.SQLITE_AUTH, sqlite3.SQLITE_RANGE),
    )
)
"""Primary result codes caused by the disk, the system, another process or the caller.

Every statement is fixed and valid for a ledger. So any other code (SQLITE_CORRUPT, but also
SQLITE_ERROR or SQLITE_TOOBIG) means that the file does not hold what was written to it."""

FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
"""The exceptions of a failing disk or a damaged file; SQLite may quote a damaged page in its
message."""

DiskError: TypeAlias = sqlite3.Error | OSError | UnicodeDecodeError

_NO_ROOM_FOR_READERS = frozenset((sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE))

_PRIMARY = 0xFF
"""The bits of SQLite's code that say what failed; the others say where."""

_NOT_OPENED = frozenset((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))

Connect = Callable[[Path], sqlite3.Connection]


@contextmanager
def convert_disk_errors(done: str) -> Iterator[None]:
    """Raise the disk's errors as the ledger's: it cannot be `done` (opened, read, closed).

    Raises LedgerCorrupt for a damaged file or one that is no database, otherwise LedgerUnavailable.
    """
    try:
        yield
    except FAILURES as error:
        raise as_ledger_error(error, done) from error


def as_ledger_error(error: DiskError, done: str) -> LedgerCorrupt | LedgerUnavailable:
    """The disk's error as the ledger's, see `convert_disk_errors`, which each commit does without:
    its context is four more calls."""
    if _is_damage(error):
        return LedgerCorrupt(f"the ledger's file is damaged: {error}")
    return LedgerUnavailable(f"the ledger cannot be {done}: {error}")


def _is_damage(error: DiskError) -> bool:
    if isinstance(error, UnicodeDecodeError) or _NO_TEXT in str(error):
        return True
    code = getattr(error, "sqlite_errorcode", None)  # the extended code; a simulated disk has none
    return code is not None and code & 0xFF not in _NOT_OF_THE_FILE


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for writing, by one thread at a time."""
    return sqlite3.connect(path, timeout=LOCK_WAIT_S, check_same_thread=False)


def has_ledger(folder: Path) -> bool:
    """Whether there is a ledger's file that is not empty. Raises OSError."""
    try:
        return (folder / FILE).stat().st_size > 0
    except FileNotFoundError:
        return False


def check_file(folder: Path, done: str) -> None:
    """Check that SQLite would not wait for ever: it opens a pipe, too. Raises LedgerUnavailable."""
    try:
        refuse_pipe(folder / FILE)
    except OSError as error:
        why = f"{folder / FILE}: {error.strerror}"
        raise LedgerUnavailable(f"the ledger cannot be {done}: {why}") from error


def connect_for_reading(folder: Path) -> sqlite3.Connection:
    """Open the folder's ledger for reading while a service may be writing it.

    Raises LedgerUnavailable; LedgerCorrupt also for an empty file or one of another version.
    """
    check_file(folder, "read")
    with convert_disk_errors("read"), _explain_unopened(folder), ExitStack() as undo:
        is_closed = _is_closed(folder) and not os.access(folder, os.W_OK)
        address = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
        address += "&immutable=1" if is_closed else ""
        connection = sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_S)
        undo.callback(connection.close)
        if is_closed:  # a reading is interrupted as soon as somebody opens the ledger
            connection.set_progress_handler(lambda: not _is_closed(folder), LOOK_EVERY)
        connection.isolation_level = None
        if not has_ledger(folder):  # SQLite may delete the log of an empty file
            raise LedgerCorrupt(f"{FILE} is empty")
        version = _version(connection)
        if version != VERSION:
            raise _unknown_version(version)
        check_tables(connection)
        undo.pop_all()
    return connection


def _is_closed(folder: Path) -> bool:
    """Whether nobody has the ledger open, nor was killed meanwhile: its log is gone.

    SQLite would make an index beside such a ledger, which one who may only read it cannot.
    """
    return not (folder / LOG_FILE).exists()


@contextmanager
def _explain_unopened(folder: Path) -> Iterator[None]:
    """Raise LedgerUnavailable with the reason why SQLite cannot open the file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if (getattr(error, "sqlite_errorcode", 0) & _PRIMARY) not in _NOT_OPENED:
            raise
        raise LedgerUnavailable(f"the ledger cannot be read: {_why_unopened(folder)}") from error


def _why_unopened(folder: Path) -> str:
    try:
        (folder / FILE).open("rb").close()
    except FileNotFoundError:
        what = f"{FILE} in {folder}" if folder.is_dir() else f"folder {folder}"
        return f"there is no {what}"
    except OSError as error:
        return f"{folder / FILE}: {error.strerror}"
    return (
        f"SQLite makes an index beside {FILE} and its log, and this user may not write in its "
        "folder; read it as the service's user, or read a copy of the folder"
    )


@contextmanager
def one_instant(folder: Path) -> Iterator[sqlite3.Connection]:
    """Read the folder's ledger as it is now, whatever is written meanwhile.

    Raises LedgerUnavailable, and LedgerCorrupt for a damaged file or one that is no database.
    """
    with closing(connect_for_reading(folder)) as connection, convert_disk_errors("read"):
        connection.execute("BEGIN")
        yield connection


def file_complaints(connection: sqlite3.Connection, most: int) -> Iterator[str]:
    """At most `most` complaints of SQLite about its file. Raises sqlite3.Error."""
    for (complaint,) in connection.execute(f"PRAGMA integrity_check({most})"):
        if complaint != "ok":
            yield f"the database file: {complaint}"


def open_database(
    connect: Connect, path: Path, *, durable: bool, new: bool = False
) -> sqlite3.Connection:
    """Open the file and set up the connection.

    `new`: make the file if it is missing or empty. Raises sqlite3.Error, OSError, LedgerUnavailable
    and LedgerCorrupt; then nothing stays open.
    """
    _check_there(path, new=new)
    if durable:  # what is read from here on must be on the disk, not only in memory
        write_again(path.with_name(LOG_FILE))
    try:
        return _prepare(_connect_to(connect, path), durable=durable, new=new, alone=False)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) not in _NO_ROOM_FOR_READERS:
            raise
    # A full disk has no space for the index that readers share. Kept in memory it needs none, but
    # nobody reads beside us until the next opening: a locked table must know its state.
    return _prepare(_connect_to(connect, path), durable=durable, new=new, alone=True)


def _check_there(path: Path, *, new: bool) -> None:
    """Check that the file is there. Raises LedgerCorrupt; LedgerUnavailable for a link.

    SQLite would make a missing file, also where a link leads, and delete the log of an empty one.
    """
    if has_ledger(path.parent):
        return
    state = f"{path.name} is {'empty' if path.exists() else 'missing'}"
    log = path.with_name(LOG_FILE)
    if log.exists() and log.stat().st_size:
        raise LedgerCorrupt(f"{state}, and its write-ahead log is there")
    if not new:
        raise LedgerCorrupt(state)
    if path.is_symlink():
        raise LedgerUnavailable(f"{state}, and its name is a link: no ledger is made elsewhere")


def _connect_to(connect: Connect, path: Path) -> sqlite3.Connection:
    with ExitStack() as undo:
        connection = connect(path)
        undo.callback(connection.close)
        hand_over(path)  # SQLite gives log and index to the owner of the database
        undo.pop_all()
    return connection


def _prepare(
    connection: sqlite3.Connection, *, durable: bool, new: bool, alone: bool
) -> sqlite3.Connection:
    with ExitStack() as undo:
        undo.callback(connection.close)
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _set_up(connection, durable=durable)
        _begin_tables(connection, new=new)
        undo.pop_all()
    return connection


def _set_up(connection: sqlite3.Connection, *, durable: bool) -> None:
    """A record half written at a power cut is not there: SQLite drops a torn end of its log."""
    connection.isolation_level = None  # we write BEGIN and COMMIT ourselves
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise LedgerUnavailable(f"this disk cannot keep a write-ahead log (journal mode {mode})")
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT_BYTES}")
    connection.execute("PRAGMA cell_size_check = ON")  # a damaged page is found when it is read


def _begin_tables(connection: sqlite3.Connection, *, new: bool) -> None:
    """Make the tables of a new file, or check those of an old one."""
    connection.execute("BEGIN IMMEDIATE")  # a read-only disk fails here, not at the first token
    version = _version(connection)
    if version == 0 and new:
        make_new(connection)
    elif version != VERSION:
        raise _unknown_version(version)
    check_tables(connection)
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _unknown_version(version: int) -> LedgerCorrupt:
    if version == 0:
        return LedgerCorrupt("there are no tables of a ledger in it")
    return LedgerCorrupt(f"it is of version {version}; this program reads version {VERSION}")
