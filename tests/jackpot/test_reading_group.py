"""A user who is in the ledger's group alone reads it, running or stopped, and writes nothing."""

import fcntl
import os
import socket
import sqlite3
import stat
import struct
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from jackpot.failures import LedgerUnavailable
from jackpot.ledger.ledger import Ledger
from jackpot.ledger.reading import newest_record
from jackpot.ledger.schema import connect_for_reading
from jackpot.money.movements import stake
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import SETTINGS, an_evening, entry, open_ledger
from tests.open_folder import make_open_folder

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")

READER, READERS = 64_002, 64_001
"""A user, and the group that may read."""


FOLDER_MODE, UMASK = 0o2750, 0o027
"""As systemd/banco.tmpfiles and systemd/banco.service have them."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A ledger's folder as the table's installation makes it."""
    before = os.umask(UMASK)
    try:
        with make_open_folder() as outer:
            inner = outer / "ledger"
            inner.mkdir()
            os.chown(inner, 0, READERS)
            inner.chmod(FOLDER_MODE)
            yield inner
    finally:
        os.umask(before)


def end_with(work: Callable[[], None]) -> NoReturn:
    """In a process of its own: do it, close nothing, and be no more."""
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def in_child(work: Callable[[], None]) -> None:
    pid = os.fork()
    if pid == 0:
        end_with(work)
    assert os.waitpid(pid, 0)[1] == 0


def become_reader_and(work: Callable[[], None]) -> NoReturn:
    """Be a user who is in the ledger's group only, and do it."""

    def change_user() -> None:
        os.setgroups([])
        os.setgid(READERS)
        os.setuid(READER)
        work()

    end_with(change_user)


def as_reader(work: Callable[[], None]) -> None:
    in_child(lambda: become_reader_and(work))


@contextmanager
def beside(work: Callable[[Callable[[], None]], None]) -> Iterator[None]:
    """The block runs while the reader's `work` waits; then the work goes on to its end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(DEADLINE_S)

        def wait() -> None:
            theirs.send(b"x")
            assert theirs.recv(1)

        pid = os.fork()
        if pid == 0:
            become_reader_and(lambda: work(wait))
        assert ours.recv(1)
        yield
        ours.send(b"x")
        assert os.waitpid(pid, 0)[1] == 0


def last_token(folder: Path) -> object:
    record = newest_record(folder)
    assert record is not None
    return record.body["seat"]


def stake_at(ledger: Ledger, seat: int) -> None:
    ledger.commit([entry(stake(SETTINGS, f"token {seat}"), seat=seat, round=seat)])


def test_it_is_read_while_the_service_writes(folder: Path) -> None:
    an_evening(folder, tokens=4)
    with closing(open_ledger(folder)) as ledger:
        for seat in (5, 6):
            stake_at(ledger, seat)

            def read(seat: int = seat) -> None:
                assert last_token(folder) == seat

            as_reader(read)


def test_it_is_read_after_the_service_was_killed(folder: Path) -> None:
    an_evening(folder, tokens=4)

    def write_and_die() -> None:
        stake_at(open_ledger(folder), 5)

    in_child(write_and_die)
    assert (folder / "ledger.db-wal").stat().st_size > 0
    as_reader(lambda: _is(last_token(folder), 5))


def test_it_is_read_after_the_service_has_stopped(folder: Path) -> None:
    an_evening(folder, tokens=4)
    assert not (folder / "ledger.db-wal").exists()
    as_reader(lambda: _is(last_token(folder), 4))


LONG = """WITH RECURSIVE up(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM up LIMIT 200000)
    SELECT count(*) FROM up"""
"""Some millions of steps."""


def test_a_start_interrupts_the_reading_of_a_stopped_ledger(folder: Path) -> None:
    """It reads without a lock, so pages may change under it"""
    an_evening(folder, tokens=4)

    def read(wait: Callable[[], None]) -> None:
        with closing(connect_for_reading(folder)) as connection:
            assert connection.execute(LONG).fetchone() == (200_000,)
            wait()
            with pytest.raises(sqlite3.OperationalError, match="interrupted"):
                connection.execute(LONG).fetchone()

    with ExitStack() as after_it, beside(read):
        stake_at(after_it.enter_context(closing(open_ledger(folder))), 5)


def test_it_writes_nothing_there(folder: Path) -> None:
    with closing(open_ledger(folder)) as ledger:
        stake_at(ledger, 1)

        def try_to_write() -> None:
            for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm", "new"):
                with pytest.raises(PermissionError):
                    os.open(folder / name, os.O_RDWR | os.O_CREAT)
            with pytest.raises(PermissionError):
                (folder / "ledger.db").unlink()
            with (
                closing(sqlite3.connect(folder / "ledger.db")) as own,
                pytest.raises(sqlite3.OperationalError, match="readonly"),
            ):
                own.execute("DELETE FROM journal")

        as_reader(try_to_write)
        stake_at(ledger, 2)


def test_it_cannot_hold_the_claim_of_the_folder(folder: Path) -> None:
    """Whoever may open that file may lock it, and then no service would start"""
    an_evening(folder)

    def try_to_claim() -> None:
        with pytest.raises(PermissionError):
            os.open(folder / "ledger.owner", os.O_RDONLY)

    as_reader(try_to_claim)
    assert stat.S_IMODE((folder / "ledger.owner").stat().st_mode) == 0o600


WRITE_LOCK = 120
"""The byte of the index that a writer locks (SQLite's wal.c, WAL_WRITE_LOCK)."""


def test_one_that_locks_the_index_is_a_ledger_fault(folder: Path) -> None:
    """Reading is enough for a lock: the table does not write past it, it says so and locks"""

    def hold_lock(wait: Callable[[], None]) -> None:
        index = os.open(folder / "ledger.db-shm", os.O_RDONLY)
        lock = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, WRITE_LOCK, 1, 0)
        fcntl.fcntl(index, fcntl.F_SETLK, lock)
        wait()

    with closing(open_ledger(folder)) as ledger:
        stake_at(ledger, 1)
        with beside(hold_lock), pytest.raises(LedgerUnavailable, match="locked"):
            stake_at(ledger, 2)


LONG_ENTRY = entry(text="x" * 200_000)

CHECKPOINT_BYTES = 1_500 * 4096
"""At this length the log is brought into the ledger, unless somebody still reads before it."""


def test_one_that_reads_without_end_stops_nothing(folder: Path) -> None:
    """The log beside the ledger cannot be emptied while it reads, and grows; afterwards it can"""
    log = folder / "ledger.db-wal"

    def read_on(wait: Callable[[], None]) -> None:
        with closing(connect_for_reading(folder)) as connection:
            connection.execute("BEGIN")
            _is(connection.execute("SELECT count(*) FROM journal").fetchone(), (1,))
            wait()

    with closing(open_ledger(folder)) as ledger:
        stake_at(ledger, 1)
        with beside(read_on):
            for _ in range(35):
                ledger.commit([LONG_ENTRY])
            grown = log.stat().st_size
            assert grown > CHECKPOINT_BYTES
        for _ in range(35):
            ledger.commit([LONG_ENTRY])
        assert log.stat().st_size < grown + 1_000_000


def _is(found: object, wanted: object) -> None:
    assert found == wanted
