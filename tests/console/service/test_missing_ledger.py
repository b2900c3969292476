"""A table that has begun never opens a new ledger by itself.

docs/reference/rules.md 7; decision 0003.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.rules.state import TableState
from console.service.start import state_at_start
from console.service.table_ledger import LOCK_FILE, TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.ledger import newest_record, verify
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.ledger.two_slots import TwoSlots
from jackpot.trust.counterpart import Counterpart
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.console.table import Table, table_in

PLAN = TablePlan()
PLAYED = ("press GAME_OVER", "token 1 2", "press COIN_IN", "expect phase PLAYING")
MENDED = ("key S", "clear LEDGER_CORRUPT", "expect fault none", "key R", "expect phase PLAYING")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The ledger's folder of a table that stands in PLAYING, its service ended in order."""
    with table_in(tmp_path) as table:
        table.play(*PLAYED)
    folder = tmp_path / "ledger"
    assert not (folder / "ledger.db-wal").exists()
    return folder


def missing(folder: Path) -> None:
    (folder / "ledger.db").unlink()


def empty(folder: Path) -> None:
    (folder / "ledger.db").write_bytes(b"")


def without_tables(folder: Path) -> None:
    missing(folder)
    with closing(sqlite3.connect(folder / "ledger.db")) as made:
        made.execute("PRAGMA journal_mode = WAL")


def without_records(folder: Path) -> None:
    missing(folder)
    new = folder.with_name("new")
    with closing(TableLedger(new, begins=True)) as table_ledger:
        table_ledger.open()
    shutil.copy(new / "ledger.db", folder)


def remove_all(folder: Path) -> None:
    missing(folder)
    (folder / LOCK_FILE).unlink()


def keep_older_lock_file(folder: Path) -> None:
    missing(folder)
    TwoSlots(folder / LOCK_FILE).make({"lock": None})


LOSSES = (
    missing,
    empty,
    without_tables,
    without_records,
    remove_all,
    keep_older_lock_file,
)


@pytest.mark.parametrize("lose", LOSSES)
def test_a_ledger_that_is_missing_or_empty_locks_the_table_until_it_is_there_again(
    lose: Callable[[Path], None], folder: Path
) -> None:
    """TABLE 7.20"""
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    lose(folder)
    left = sorted(file.name for file in folder.iterdir())
    size = (folder / "ledger.db").stat().st_size if (folder / "ledger.db").exists() else None
    with table_in(folder.parent) as table:
        table.play("expect fault LEDGER_CORRUPT", "press GAME_OVER", "expect refused LOCKED")
        table.play("expect jackpot 0.00", "power off", "power on", "wait 2s")
        table.play("expect fault LEDGER_CORRUPT", "key S", "clear LEDGER_CORRUPT")
        table.play("expect refused STILL_FAULTY", "expect fault LEDGER_CORRUPT")
        assert ("ledger.db" in left) == (folder / "ledger.db").exists()
        if lose is empty:
            assert (folder / "ledger.db").stat().st_size == size == 0
        shutil.copy(kept / "ledger.db", folder)
        table.play("key R", *MENDED, "expect jackpot 10002.80", "expect seats 1 2")


@pytest.mark.parametrize("parts", [("ledger.db",), ("ledger.db", "ledger.db-wal")])
def test_a_ledger_lost_in_a_cut_of_power_locks_the_table(
    parts: tuple[str, ...], tmp_path: Path
) -> None:
    """TABLE 7.20"""
    with table_in(tmp_path) as table:
        table.play(*PLAYED, "power off")
        assert (tmp_path / "ledger" / "ledger.db-wal").stat().st_size
        for part in parts:
            (tmp_path / "ledger" / part).unlink()
        table.play("power on", "wait 2s", "expect fault LEDGER_CORRUPT")


def test_a_poker_table_whose_ledger_is_lost_is_cleared_with_the_key(tmp_path: Path) -> None:
    """TABLE 7.20: without its ledger it does not know yet that it is one"""
    with table_in(tmp_path, "game texas-holdem") as table:
        table.play("press GAME_OVER", "press HAND", "power off")
        kept = shutil.copytree(tmp_path / "ledger", tmp_path / "kept")
        missing(tmp_path / "ledger")
        table.play("power on", "wait 2s", "expect fault LEDGER_CORRUPT", "key S")
        shutil.copy(kept / "ledger.db", tmp_path / "ledger")
        table.play("clear LEDGER_CORRUPT", "expect fault none", "key R", "expect phase PLAYING")


def test_an_empty_ledger_leaves_its_log_where_it_is(tmp_path: Path) -> None:
    """SQLite would delete what was committed last"""
    with table_in(tmp_path) as table:
        table.play(*PLAYED, "power off")
        empty(tmp_path / "ledger")
        log = (tmp_path / "ledger" / "ledger.db-wal").read_bytes()
        table.play("power on", "wait 2s", "expect fault LEDGER_CORRUPT")
        assert (tmp_path / "ledger" / "ledger.db-wal").read_bytes() == log


def test_a_lock_file_that_is_deleted_locks_until_it_is_cleared_and_is_made_anew(
    folder: Path,
) -> None:
    (folder / LOCK_FILE).unlink()
    with table_in(folder.parent) as table:
        table.play("expect fault LEDGER_FAULT", "press FLUSH", "expect refused LOCKED")
        lock = LockFile(folder / LOCK_FILE).read()
        assert lock is not None
        assert (lock.why, bool(lock.since)) == ("the lock file is missing", True)
        table.play("key S", "clear LEDGER_FAULT", "expect fault none", "key R")
        table.play("expect phase PLAYING", "power off", "power on", "wait 2s", "expect fault none")


def test_deleting_the_lock_of_a_locked_table_unlocks_nothing(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        table.play(*PLAYED, "disk full", "press FLUSH", "expect fault LEDGER_FAULT", "power off")
        (tmp_path / "ledger" / LOCK_FILE).unlink()
        table.play("disk ok", "power on", "wait 2s", "expect fault LEDGER_FAULT")


@pytest.mark.parametrize(
    "content",
    [
        {"lock": {"fault": "LEDGER_FAULT", "why": "disk full", "since": "21:00", "room": 2}},
        {"lock": {"fault": "DISK_FULL", "why": "disk full", "since": "21:00"}},
        {"lock": "LEDGER_FAULT"},
        {"lock": None, "begun": True, "room": 2},
    ],
)
def test_a_lock_file_that_cannot_be_read_is_a_lock(
    content: dict[str, object], folder: Path
) -> None:
    TwoSlots(folder / LOCK_FILE).make(content)
    with table_in(folder.parent) as table:
        table.play("expect fault LEDGER_FAULT", "press FLUSH", "expect refused LOCKED")
        table.play("key S", "clear LEDGER_FAULT", "expect fault none", "key R")
        table.play("expect phase PLAYING")


# A first start


@contextmanager
def a_start(folder: Path, *counterparts: Counterpart) -> Iterator[tuple[TableLedger, TableState]]:
    table_ledger = TableLedger(folder, counterparts=lambda _: counterparts, begins=True)
    with closing(table_ledger):
        yield table_ledger, state_at_start(table_ledger, PLAN.settings(), "21:00")


def test_an_empty_folder_is_that_of_a_new_table(tmp_path: Path) -> None:
    with table_in(tmp_path / "new") as table:
        table.play("expect fault none", "expect jackpot 10000.00")
    assert LockFile(tmp_path / "new" / "ledger" / LOCK_FILE).begun


def only_its_lock_file(folder: Path) -> None:
    LockFile(folder / LOCK_FILE).make()


def an_empty_file(folder: Path) -> None:
    only_its_lock_file(folder)
    empty(folder)


def no_tables(folder: Path) -> None:
    only_its_lock_file(folder)
    (folder / "ledger.db").touch()
    without_tables(folder)


def no_records(folder: Path) -> None:
    with closing(TableLedger(folder, begins=True)) as table_ledger:
        table_ledger.open()


@pytest.mark.parametrize("cut", [only_its_lock_file, an_empty_file, no_tables, no_records])
def test_power_that_goes_in_the_first_start_costs_nothing(
    cut: Callable[[Path], None], tmp_path: Path
) -> None:
    folder = tmp_path / "ledger"
    folder.mkdir()
    cut(folder)
    with table_in(tmp_path) as table:
        table.play("expect fault none", "expect jackpot 10000.00", "press GAME_OVER")
    assert newest_record(folder, kind="settings") is not None


def test_the_first_record_says_that_it_has_begun_even_if_power_goes_before_that_is_noted(
    folder: Path,
) -> None:
    (folder / LOCK_FILE).unlink()
    for file in folder.glob("ledger.*"):
        file.rename(folder.parent / file.name)
    LockFile(folder / LOCK_FILE).make()
    shutil.move(folder.parent / "ledger.db", folder)
    with a_start(folder) as (_, state):
        assert not state.locked
        assert LockFile(folder / LOCK_FILE).begun


def test_a_table_on_a_full_disk_is_new_still_when_there_is_room(tmp_path: Path) -> None:
    with machine_in_virtual_time(PLAN, tmp_path) as machine:
        machine.disk.full = True
        machine.start_controller()
        assert machine.disk.folder.exists()
        machine.close()
        machine.disk.full = False
        table = Table(PLAN, machine)
        table.play("expect fault LEDGER_FAULT", "key S", "clear LEDGER_FAULT", "key R")
        table.play("expect fault none", "expect jackpot 10000.00")


# What the second copy and the seal know


def counterparts(folder: Path) -> tuple[SecondCopy, SealFile]:
    media = folder.parent / "media"
    return SecondCopy(folder, media / "second"), SealFile(media / "seal", folder, PLAN.table)


@pytest.fixture
def folder_with_witnesses(folder: Path) -> Path:
    """The same, with a second copy and a seal."""
    (folder.parent / "media" / "second").mkdir(parents=True)
    fitted = counterparts(folder)
    for witness in fitted:
        witness.begin_anew()
    with a_start(folder, *fitted) as (_, state):
        assert not state.locked
    assert verify(folder.parent / "media" / "second").records > 0
    return folder


@pytest.mark.parametrize("number", [0, 1])
def test_a_folder_that_was_emptied_is_not_new_where_a_witness_has_seen_its_ledger(
    number: int, folder_with_witnesses: Path
) -> None:
    """TABLE 7.20"""
    shutil.rmtree(folder_with_witnesses)
    witness = counterparts(folder_with_witnesses)[number]
    with a_start(folder_with_witnesses, witness) as (table_ledger, state):
        assert state.faults == (Fault.LEDGER_CORRUPT,)
        with pytest.raises(LedgerCorrupt, match=r"there is no ledger, and .* has seen record \d+"):
            table_ledger.open()
    assert not (folder_with_witnesses / "ledger.db").exists()


@pytest.mark.parametrize("number", [0, 1])
def test_a_new_table_does_not_begin_while_a_witness_cannot_say_whether_it_is_new(
    number: int, folder_with_witnesses: Path
) -> None:
    """TABLE 7.20"""
    media = folder_with_witnesses.parent / "media"
    shutil.rmtree(folder_with_witnesses)
    media.rename(media.with_name("unplugged"))
    with a_start(folder_with_witnesses, counterparts(folder_with_witnesses)[number]) as (
        table_ledger,
        state,
    ):
        assert state.faults == (Fault.LEDGER_FAULT,)
        with pytest.raises(LedgerUnavailable, match="whether the table has begun is not known"):
            table_ledger.open()
        media.mkdir()
        (media / "second").mkdir()
        assert table_ledger.open().seq == 0, "the medium is there, and knows nothing of the table"


def test_a_medium_that_never_answers_holds_a_beginning_up_for_eight_seconds_at_most(
    tmp_path: Path,
) -> None:
    folder, media = tmp_path / "ledger", tmp_path / "media"
    (media / "second").mkdir(parents=True)
    os.mkfifo(media / "seal")
    with a_start(folder, *counterparts(folder)) as (table_ledger, state):
        assert state.faults == (Fault.LEDGER_FAULT,)
        assert table_ledger.last_lock is not None
        assert "has not answered within 8.0 s" in table_ledger.last_lock.why
    os.close(os.open(media / "seal", os.O_RDWR | os.O_NONBLOCK))  # its thread may end


# A folder that cannot be written


@contextmanager
def nobody() -> Iterator[None]:
    """As a user whom a folder's mode binds: root may write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder of somebody else's, whom it admits to look."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place, "ledger")
        folder.mkdir()
        yield folder


@pytest.mark.parametrize("played", [False, True])
def test_a_folder_that_cannot_be_written_is_a_ledger_fault_at_start(
    played: bool, read_only: Path
) -> None:
    """TABLE 7.20"""
    if played:
        with table_in(read_only.parent) as table:
            table.play(*PLAYED)
    for file in read_only.iterdir():
        file.chmod(0o444)
    read_only.chmod(0o555)
    left = sorted(read_only.iterdir())
    with nobody(), a_start(read_only) as (_, state):
        assert state.faults == (Fault.LEDGER_FAULT,)
        assert sorted(read_only.iterdir()) == left
    read_only.chmod(0o755)


def test_a_place_where_no_folder_can_be_made_is_a_ledger_fault_and_the_table_is_new_afterwards(
    tmp_path: Path,
) -> None:
    """TABLE 7.20"""
    (tmp_path / "ledger").write_text("a file of this name")
    with table_in(tmp_path) as table:
        table.play("expect fault LEDGER_FAULT", "press GAME_OVER", "expect refused LOCKED")
        (tmp_path / "ledger").unlink()
        table.play("key S", "clear LEDGER_FAULT", "expect fault none", "key R")
        table.play("expect jackpot 10000.00", "press GAME_OVER", "expect phase BETTING")


def test_a_lock_that_was_there_before_keeps_its_reason(folder: Path) -> None:
    lock = Lock("LEDGER_CORRUPT", "record 17 was changed", "20:15")
    LockFile(folder / LOCK_FILE).set(lock)
    missing(folder)
    with a_start(folder) as (table_ledger, state):
        assert state.faults == (Fault.LEDGER_CORRUPT,)
        assert table_ledger.last_lock == LockFile(folder / LOCK_FILE).read() == lock
