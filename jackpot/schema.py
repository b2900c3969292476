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

_NO_ROOM_FOR_READERS = frozenset((sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE))

Connect = Callable[[Path], sqlite3.Connection]


@contextmanager
def told_as(done: str) -> Iterator[None]:
    """Turn the disk's errors into ours: the ledger cannot be opened, read, closed (`done`).

    Raises LedgerCorrupt for a file that is damaged or no database, else LedgerUnavailable.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        code = getattr(error, "sqlite_errorcode", None)  # a simulated disk gives none
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or _NO_TEXT in str(error):
            raise LedgerCorrupt(f"the ledger's file is damaged: {error}") from error
        raise LedgerUnavailable(f"the ledger cannot be {done}: {error}") from error
    except UnicodeDecodeError as error:  # a complaint of SQLite's that quotes a damaged page
        raise LedgerCorrupt(f"the ledger's file is damaged: {error}") from error


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
    with told_as("read"), ExitStack() as undo:
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
