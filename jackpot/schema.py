"""The ledger's database file, and how a connection to it is set up."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.folder import hand_over, write_again
from jackpot.tables import VERSION, check_tables, make_new
from jackpot.version_one import VERSION_ONE, bring_up

FILE = "ledger.db"
LOG_FILE = f"{FILE}-wal"
"""The write-ahead log: what was committed last is in it alone."""

LOCK_WAIT_S = 1
"""The longest wait for a reader that is just opening the database."""

# The ledger brings its log into the database with each snapshot, and hears of a failure. Where none
# is written, SQLite does so after 6 MB. The log then keeps at most 8 MB of the disk.
_CHECKPOINT_PAGES = 1_500
_LOG_LIMIT_BYTES = 8_000_000

_NO_TEXT = "Could not decode to UTF-8"
"""How Python's own part of sqlite3 complains, without a code, of bytes that are no text."""

_NOT_OF_THE_FILE = frozenset(
    (
        *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_ABORT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED),
        *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_NOLFS),
        *(sqlite3.SQLITE_AUTH, sqlite3.SQLITE_RANGE),
    )
)
"""Primary result codes that blame the disk, the system, another process or the caller.

Every statement is fixed, and right for a ledger. So any other code (SQLITE_CORRUPT, but also
SQLITE_ERROR or SQLITE_TOOBIG) says that the file does not hold what was written to it.
"""

FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What a disk or a damaged file raises; SQLite may quote a damaged page in its complaint."""

_NO_ROOM_FOR_READERS = frozenset((sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE))

_PRIMARY = 0xFF
"""The part of SQLite's code that says what failed; the rest says where."""

_NOT_OPENED = frozenset((sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))

Connect = Callable[[Path], sqlite3.Connection]


@contextmanager
def told_as(done: str) -> Iterator[None]:
    """Turn the disk's errors into ours: the ledger cannot be opened, read, closed (`done`).

    Raises LedgerCorrupt for a file that is damaged or no database, else LedgerUnavailable.
    """
    try:
        yield
    except FAILURES as error:
        if _is_damage(error):
            raise LedgerCorrupt(f"the ledger's file is damaged: {error}") from error
        raise LedgerUnavailable(f"the ledger cannot be {done}: {error}") from error


def _is_damage(error: sqlite3.Error | OSError | UnicodeDecodeError) -> bool:
    if isinstance(error, UnicodeDecodeError) or _NO_TEXT in str(error):
        return True
    code = getattr(error, "sqlite_errorcode", None)  # an extended one; a simulated disk gives none
    return code is not None and code & 0xFF not in _NOT_OF_THE_FILE


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for writing, from any one thread at a time."""
    return sqlite3.connect(path, timeout=LOCK_WAIT_S, check_same_thread=False)


def has_ledger(folder: Path) -> bool:
    """Whether there is a ledger's file with something in it. Raises OSError."""
    try:
        return (folder / FILE).stat().st_size > 0
    except FileNotFoundError:
        return False


def connect_for_reading(folder: Path) -> sqlite3.Connection:
    """Open the folder's ledger for reading, beside a service that writes it.

    One of version 1, that no service has opened since, is left as it is: a temporary copy of it is
    read, brought to the tables of today. Raises LedgerUnavailable; LedgerCorrupt also where it is
    empty: nobody has begun a ledger there.
    """
    with told_as("read"), _unopened_explained(folder), ExitStack() as undo:
        address = f"{(folder / FILE).absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=LOCK_WAIT_S)
        undo.callback(connection.close)
        connection.isolation_level = None
        if not has_ledger(folder):  # SQLite may delete the log of an empty file
            raise LedgerCorrupt(f"{FILE} is empty")
        version = _version(connection)
        if version == VERSION_ONE:
            return _brought_up(connection)
        if version != VERSION:
            raise _of_version(version)
        check_tables(connection)
        undo.pop_all()
    return connection


@contextmanager
def _unopened_explained(folder: Path) -> Iterator[None]:
    """SQLite does not say why it cannot open a file. Raises LedgerUnavailable, which does."""
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
        f"SQLite makes an index beside {FILE}, and this user may not write in its folder; "
        "read it as the service's user, or read a copy of the folder"
    )


def _brought_up(older: sqlite3.Connection) -> sqlite3.Connection:
    with ExitStack() as undo:
        copy = sqlite3.connect("", isolation_level=None)
        undo.callback(copy.close)
        older.backup(copy)
        if _version(copy) == VERSION_ONE:  # a service may just have brought it up
            copy.execute("BEGIN")
            bring_up(copy)
            copy.execute("COMMIT")
        undo.pop_all()
    return copy


@contextmanager
def one_instant(folder: Path) -> Iterator[sqlite3.Connection]:
    """The folder's ledger as it is now, for reading, whatever is written meanwhile.

    Raises LedgerUnavailable, and LedgerCorrupt for a file that is damaged or no database.
    """
    with closing(connect_for_reading(folder)) as connection, told_as("read"):
        connection.execute("BEGIN")
        yield connection


def file_complaints(connection: sqlite3.Connection, most: int) -> Iterator[str]:
    """What SQLite finds wrong with its own file, at most so many things. Raises sqlite3.Error."""
    for (complaint,) in connection.execute(f"PRAGMA integrity_check({most})"):
        if complaint != "ok":
            yield f"the database file: {complaint}"


def open_database(
    connect: Connect,
    path: Path,
    *,
    durable: bool,
    brought_up: int | None = None,
    new: bool = False,
) -> sqlite3.Connection:
    """Open the file and set the connection up.

    `brought_up`: the most records of version 1 that may be brought to today's tables on the way;
    None: any number. `new`: one that is missing or empty is made. Raises sqlite3.Error, OSError,
    LedgerUnavailable and LedgerCorrupt; nothing stays open then.
    """
    _check_there(path, new=new)
    prepare = partial(_prepared, durable=durable, brought_up=brought_up, new=new)
    if durable:  # what is believed from here on must be on the disk, not in memory alone
        write_again(path.with_name(LOG_FILE))
    try:
        return prepare(_connected(connect, path), alone=False)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) not in _NO_ROOM_FOR_READERS:
            raise
    # A full disk has no room for the index that readers share. Kept in memory it needs none, but
    # nobody reads beside us until the next opening: a locked table must know its state.
    return prepare(_connected(connect, path), alone=True)


def _check_there(path: Path, *, new: bool) -> None:
    """SQLite would make a file that is missing, and delete the log of one that is empty."""
    if has_ledger(path.parent):
        return
    state = f"{path.name} is {'empty' if path.exists() else 'missing'}"
    log = path.with_name(LOG_FILE)
    if log.exists() and log.stat().st_size:
        raise LedgerCorrupt(f"{state}, and its write-ahead log is there")
    if not new:
        raise LedgerCorrupt(state)


def _connected(connect: Connect, path: Path) -> sqlite3.Connection:
    with ExitStack() as undo:
        connection = connect(path)
        undo.callback(connection.close)
        hand_over(path)  # SQLite gives log and index to whom the database belongs
        undo.pop_all()
    return connection


def _prepared(
    connection: sqlite3.Connection,
    *,
    durable: bool,
    brought_up: int | None,
    new: bool,
    alone: bool,
) -> sqlite3.Connection:
    with ExitStack() as undo:
        undo.callback(connection.close)
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _prepare(connection, durable=durable, brought_up=brought_up, new=new)
        undo.pop_all()
    return connection


def _prepare(
    connection: sqlite3.Connection, *, durable: bool, brought_up: int | None, new: bool
) -> None:
    connection.isolation_level = None  # we say BEGIN and COMMIT ourselves
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise LedgerUnavailable(f"this disk cannot keep a write-ahead log (journal mode {mode})")
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT_BYTES}")
    connection.execute("PRAGMA cell_size_check = ON")  # a damaged page is found as it is read
    connection.execute("BEGIN IMMEDIATE")  # a read-only disk is found out here, not at a token
    version = _version(connection)
    if version == 0 and new:
        make_new(connection)
    elif version == VERSION_ONE:
        _check_how_many(connection, brought_up)
        bring_up(connection)
    elif version != VERSION:
        raise _of_version(version)
    check_tables(connection)
    connection.execute("COMMIT")


def _check_how_many(connection: sqlite3.Connection, most: int | None) -> None:
    (last,) = connection.execute("SELECT max(seq) FROM journal").fetchone()
    if most is not None and last is not None and last > most:
        raise LedgerUnavailable(
            f"it is of version {VERSION_ONE} and has {last} records, too many to be brought up at "
            "a start: stop the service, and run banco ledger upgrade"
        )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _of_version(version: int) -> LedgerCorrupt:
    if version == 0:
        return LedgerCorrupt("there are no tables of a ledger in it")
    return LedgerCorrupt(f"it is of version {version}; this program reads version {VERSION}")
