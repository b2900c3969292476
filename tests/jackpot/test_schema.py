"""Which of SQLite's errors blame the ledger's file, and which the disk or the system."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.ledger.ledger import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.schema import connect, convert_disk_errors, one_instant
from tests.jackpot.money import an_evening, damage, entry, open_ledger

Do = Callable[[sqlite3.Connection], object]


def too_long(ledger: sqlite3.Connection) -> object:
    ledger.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 40)
    return ledger.execute("SELECT body || wall || wall FROM journal").fetchall()


def refuse_to_write(ledger: sqlite3.Connection) -> object:
    ledger.execute("PRAGMA query_only = ON")
    return ledger.execute("DELETE FROM meta")


def fill_the_disk(ledger: sqlite3.Connection) -> object:
    ledger.execute("PRAGMA max_page_count = 1")
    return ledger.execute("UPDATE journal SET body = hex(zeroblob(100000))")


def interrupt(ledger: sqlite3.Connection) -> object:
    ledger.set_progress_handler(lambda: 1, 1)
    return ledger.execute("SELECT count(*) FROM journal, journal")


OF_THE_FILE: dict[str, Do] = {
    "SQLITE_TOOBIG": too_long,
    "SQLITE_ERROR": lambda ledger: ledger.execute("SELECT no_such_column FROM journal"),
    "SQLITE_CONSTRAINT_PRIMARYKEY": lambda ledger: ledger.execute(
        "INSERT INTO identity SELECT * FROM identity"
    ),
    "SQLITE_MISMATCH": lambda ledger: ledger.execute("UPDATE journal SET seq = 'x'"),
}
OF_THE_DISK: dict[str, Do] = {
    "SQLITE_READONLY": refuse_to_write,
    "SQLITE_FULL": fill_the_disk,
    "SQLITE_INTERRUPT": interrupt,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    an_evening(tmp_path)
    return tmp_path


def convert_error(folder: Path, do: Do) -> tuple[type[Exception], str]:
    """What becomes of the error, and SQLite's name of it."""
    raised: pytest.ExceptionInfo[Exception]
    with (
        closing(connect(folder / "ledger.db")) as ledger,
        pytest.raises((LedgerCorrupt, LedgerUnavailable)) as raised,
        convert_disk_errors("read"),
    ):
        do(ledger)
    cause = raised.value.__cause__
    assert isinstance(cause, sqlite3.Error)
    return raised.type, cause.sqlite_errorname


@pytest.mark.parametrize("name", OF_THE_FILE)
def test_an_error_that_no_sound_file_causes_is_damage(folder: Path, name: str) -> None:
    assert convert_error(folder, OF_THE_FILE[name]) == (LedgerCorrupt, name)


@pytest.mark.parametrize("name", OF_THE_DISK)
def test_an_error_of_the_disk_is_none(folder: Path, name: str) -> None:
    assert convert_error(folder, OF_THE_DISK[name]) == (LedgerUnavailable, name)


def test_a_commit_that_meets_damage_says_so(folder: Path) -> None:
    with closing(open_ledger(folder)) as ledger:
        damage(folder, "DROP TABLE journal")
        with pytest.raises(LedgerCorrupt, match="no such table"):
            ledger.commit([entry()])
        with pytest.raises(LedgerUnavailable, match="nothing more is written"):
            ledger.commit([entry()])


def test_a_ledger_that_somebody_else_has_locked_is_not_damaged(folder: Path) -> None:
    with closing(connect(folder / "ledger.db")) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerUnavailable, match="locked"), one_instant(folder) as ledger:
            ledger.execute("SELECT * FROM meta")
