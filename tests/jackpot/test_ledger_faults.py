"""A disk that fails (LEDGER_FAULT) and a ledger somebody changed (LEDGER_CORRUPT)."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from jackpot.ledger.ledger import Ledger, LedgerCorrupt, LedgerUnavailable, rebuild, verify
from jackpot.ledger.paged_verification import PagedVerification
from jackpot.ledger.tables import INSERT_MOVEMENT
from jackpot.money.movements import stake
from tests.jackpot.money import SETTINGS, an_evening, content, damage, entry, money_of, open_ledger

FULL = sqlite3.OperationalError("database or disk is full")


class OwnCursor(sqlite3.Connection):
    """A connection that executes what its cursor is told to execute."""

    def cursor(self, _: Any = None) -> Any:
        return self


class Disk:
    """A disk that fails at its n-th statement, counted from when it is told to."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.error: Exception = FULL

    def connect(self, path: Path) -> sqlite3.Connection:
        disk = self

        class Failing(OwnCursor):
            def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
                disk.count_down()
                return super().execute(sql, parameters)

            def executemany(self, sql: str, parameters: Any) -> sqlite3.Cursor:
                disk.count_down()
                return super().executemany(sql, parameters)

        return sqlite3.connect(path, factory=Failing, check_same_thread=False)

    def count_down(self) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left <= 0:
            raise self.error


# BEGIN, records, identities, balances, COMMIT.
@pytest.mark.parametrize("at", range(1, 6))
def test_a_disk_that_fails_at_any_statement_keeps_nothing_of_the_batch(
    tmp_path: Path, at: int
) -> None:
    an_evening(tmp_path, tokens=1)
    disk = Disk()
    ledger = Ledger.open(tmp_path, connect=disk.connect)
    ledger.begin(2)
    disk.left = at
    with pytest.raises(LedgerUnavailable, match="database or disk is full"):
        ledger.commit([entry(), entry(stake(SETTINGS, "token 2"))])
    assert ledger.balances.tray == -2_000_000, "what was committed last"
    disk.left = None
    with pytest.raises(LedgerUnavailable, match="nothing more is written"):
        ledger.commit([entry()])
    ledger.close()
    with closing(open_ledger(tmp_path)) as again:
        assert (again.head.seq, again.balances.tray) == (2, -2_000_000)
        again.commit([entry(stake(SETTINGS, "token 2"))])
        assert again.balances.tray == -4_000_000
    assert verify(tmp_path).sound


def test_a_commit_that_failed_after_it_was_on_the_disk_is_found_again(tmp_path: Path) -> None:
    """The outcome of a failed commit is unknown: here it was written after all."""

    class Unsure(OwnCursor):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            result = super().execute(sql, parameters)
            if sql in ("COMMIT", INSERT_MOVEMENT) and unsure:
                raise FULL
            return result

    unsure: list[bool] = []
    token = entry(stake(SETTINGS, "token 1"))
    ledger = Ledger.open(tmp_path, connect=lambda path: sqlite3.connect(path, factory=Unsure))
    ledger.begin(1)
    unsure.append(True)
    with pytest.raises(LedgerUnavailable):
        ledger.commit([token])
    ledger.close()
    with closing(open_ledger(tmp_path)) as again:
        assert again.balances.tray == -2_000_000
        again.commit([token])
        assert again.balances.tray == -2_000_000, "sent twice, moved once"


@pytest.mark.parametrize("error", [FULL, sqlite3.DatabaseError("odd"), OSError(5, "I/O error")])
def test_opening_on_a_disk_that_fails_says_so_and_lets_go(tmp_path: Path, error: Exception) -> None:
    an_evening(tmp_path)
    for at in range(1, 12):
        disk = Disk()
        disk.left, disk.error = at, error
        with pytest.raises(LedgerUnavailable, match=f"cannot be opened: .*{error.args[-1]}"):
            Ledger.open(tmp_path, connect=disk.connect)
    open_ledger(tmp_path).close()


def test_a_folder_that_cannot_be_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerUnavailable, match="Not a directory"):
        Ledger.open(tmp_path / "file" / "ledger")


def balances_with(account: str, units: str) -> str:
    return f"UPDATE meta SET balances = json_set(balances, '$.{account}', {units})"


TAMPERING = {
    "a body": ("UPDATE journal SET body = '{}' WHERE seq = 4", "record 4 was changed"),
    "a time": ("UPDATE journal SET at_ms = 1 WHERE seq = 4", "record 4 was changed"),
    "a label": ("UPDATE journal SET wall = '' WHERE seq = 4", "record 4 was changed"),
    "a round": ("UPDATE journal SET round = 9 WHERE seq = 4", "record 4 was changed"),
    "a boot": ("UPDATE journal SET boot = 2 WHERE seq = 4", "record 4 was changed"),
    "a version": ("UPDATE journal SET settings_version = 2 WHERE seq = 4", "record 4 was changed"),
    "a hash": ("UPDATE journal SET hash = zeroblob(32) WHERE seq = 4", "record 4 was changed"),
    "a posting": (money_of(4, '["tray",-2', '["tray",-3'), "record 4 was changed"),
    "postings that still sum to zero": (
        "UPDATE journal SET money = (SELECT money FROM journal WHERE seq = 3) WHERE seq = 4",
        "record 4 was changed",
    ),
    "a posting's account": (money_of(4, "house", "paid"), "record 4 was changed"),
    "an identity": (money_of(4, "token 3", "token 9"), "record 4 was changed"),
    "a reason": (money_of(4, "stake", "reseed"), "record 4 was changed"),
    "a transaction gone": ("UPDATE journal SET money = NULL WHERE seq = 4", "record 4 was changed"),
    "a transaction more": (
        money_of(4, "]]]]", ']]],["x","reseed",[]]]'),
        "record 4 was changed",
    ),
    "a record gone": ("DELETE FROM journal WHERE seq = 4", "record 4 is missing"),
    "the last record gone": ("DELETE FROM journal WHERE seq = 5", "the last record is 4, but 5"),
    "every record gone": ("DELETE FROM journal", "the last record is 0, but 5"),
    "a balance": (balances_with("paid", "1"), "balances"),
    "the jackpot": (balances_with("jackpot", "10005600001"), "balances"),
    "an account gone": (
        "UPDATE meta SET balances = json_remove(balances, '$.paid')",
        "balances",
    ),
    "balances that are none": ("UPDATE meta SET balances = '[' || balances", "balances"),
    "the head": ("UPDATE meta SET seq = 4", "the last record is 5, but 4"),
    "the head gone": ("DELETE FROM meta", "which record was the last"),
    "a transaction forgotten": (
        "DELETE FROM identity WHERE identity = 'token 3'",
        "record 4: the ledger does not know its transaction token 3",
    ),
    "a transaction known as another": (
        "UPDATE identity SET digest = zeroblob(16) WHERE identity = 'token 3'",
        "record 4: the ledger does not know its transaction token 3",
    ),
    "a transaction known of another record": (
        "UPDATE identity SET seq = 3 WHERE identity = 'token 3'",
        "record 4: the ledger does not know its transaction token 3",
    ),
}


@pytest.mark.parametrize(("statement", "why"), TAMPERING.values(), ids=TAMPERING.keys())
def test_a_change_behind_its_back_is_found_at_start_and_by_verify(
    tmp_path: Path, statement: str, why: str
) -> None:
    an_evening(tmp_path, tokens=4)
    damage(tmp_path, statement)
    with pytest.raises(LedgerCorrupt, match=why):
        Ledger.open(tmp_path)
    report = verify(tmp_path)
    assert not report.sound
    assert [problem for problem in report.problems if why in problem]


@pytest.mark.parametrize("field", ["anchor_seq", "seq"])
def test_a_number_as_large_as_a_column_holds_is_damage(tmp_path: Path, field: str) -> None:
    """The one after it is none that SQLite takes"""
    an_evening(tmp_path)
    damage(tmp_path, f"UPDATE meta SET {field} = {2**63 - 1}")
    with pytest.raises(LedgerCorrupt):
        Ledger.open(tmp_path)
    look = PagedVerification(tmp_path)
    look.page(100)  # the file itself is sound
    with pytest.raises(LedgerCorrupt):
        look.page(100)
    with suppress(LedgerCorrupt):
        assert not verify(tmp_path).sound
    with suppress(LedgerCorrupt):
        rebuild(tmp_path)


def test_no_money_is_written_in_one_way_only(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=1)
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry()])
    damage(tmp_path, "UPDATE journal SET money = '[]' WHERE seq = 3")
    with pytest.raises(LedgerCorrupt, match="record 3: what it moves is nothing"):
        Ledger.open(tmp_path)
    assert verify(tmp_path).problems == ("record 3: what it moves is nothing",)


def test_a_transaction_that_never_came_is_found_by_verify(tmp_path: Path) -> None:
    """Known before it comes, it would move nothing"""
    an_evening(tmp_path, tokens=2)
    damage(tmp_path, "INSERT INTO identity SELECT 'token 3', seq, digest FROM identity LIMIT 1")
    assert verify(tmp_path).problems == ("4 transactions are known, 3 are in the records",)


@pytest.mark.parametrize(
    "statement",
    [
        "DROP INDEX journal_snapshot",
        "CREATE TRIGGER t AFTER INSERT ON journal BEGIN UPDATE meta SET balances = ''; END",
        "CREATE VIEW paid AS SELECT 1",
        "CREATE TABLE more (x)",
        "ALTER TABLE identity ADD COLUMN more TEXT",
    ],
)
def test_other_tables_than_its_own_are_damage(tmp_path: Path, statement: str) -> None:
    an_evening(tmp_path)
    damage(tmp_path, statement)
    for read in (Ledger.open, verify, rebuild):
        with pytest.raises(LedgerCorrupt, match="its tables are not those of a ledger"):
            read(tmp_path)


def test_what_sqlite_keeps_for_itself_is_none_of_it(tmp_path: Path) -> None:
    an_evening(tmp_path)
    damage(tmp_path, "ANALYZE")
    open_ledger(tmp_path).close()
    assert verify(tmp_path).sound


def test_a_change_before_the_snapshot_is_left_to_verify(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4, snapshot_after=3)
    damage(tmp_path, "UPDATE journal SET body = '{\"seat\": 7}' WHERE seq = 2")
    with closing(open_ledger(tmp_path)):
        assert [problem[:20] for problem in verify(tmp_path).problems] == ["record 2 was changed"]


def test_a_snapshot_must_agree_with_the_postings_before_it(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4, snapshot_after=3)
    damage(tmp_path, "UPDATE journal SET money = NULL WHERE seq = 2")
    problems = verify(tmp_path).problems
    assert [problem for problem in problems if "the snapshot's balances" in problem]
    assert not rebuild(tmp_path).agrees


@pytest.mark.parametrize("seq", [4, 5])
def test_a_changed_snapshot_or_the_hash_before_it_is_found_at_start(
    tmp_path: Path, seq: int
) -> None:
    an_evening(tmp_path, tokens=4, snapshot_after=3)
    damage(tmp_path, f"UPDATE journal SET hash = zeroblob(32) WHERE seq = {seq}")
    with pytest.raises(LedgerCorrupt, match="record 5 was changed, or the one before it"):
        Ledger.open(tmp_path)


def test_every_bad_record_is_named_by_itself(tmp_path: Path) -> None:
    an_evening(tmp_path, tokens=4)
    damage(tmp_path, "UPDATE journal SET wall = 'never' WHERE seq IN (2, 4)")
    assert [problem[:8] for problem in verify(tmp_path).problems] == ["record 2", "record 4"]


def test_the_newest_records_removed_with_all_their_traces_need_a_head_noted_elsewhere(
    tmp_path: Path,
) -> None:
    an_evening(tmp_path, tokens=3)
    noted = verify(tmp_path).head
    damage(
        tmp_path,
        "DELETE FROM journal WHERE seq = 4",
        "DELETE FROM identity WHERE seq = 4",
        "UPDATE meta SET seq = 3, hash = (SELECT hash FROM journal WHERE seq = 3)",
        balances_with("tray", "-4000000"),
        balances_with("jackpot", "10002800000"),
        balances_with("reserve", "400000"),
        balances_with("house", "-9999200000"),
    )
    report = verify(tmp_path)
    assert report.sound, "the ledger alone cannot know"
    assert report.head != noted


def test_a_file_that_is_no_database_is_corrupt(tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"not a database, but long enough to be one" * 200)
    for read in (Ledger.open, verify, rebuild):
        with pytest.raises(LedgerCorrupt, match="damaged"):
            read(tmp_path)


@pytest.mark.parametrize(
    ("statement", "why"),
    [("CREATE TABLE other (x)", "something else"), ("PRAGMA user_version = 99", "version 99")],
)
def test_the_database_of_something_else_is_left_alone(
    tmp_path: Path, statement: str, why: str
) -> None:
    damage(tmp_path, statement)
    with pytest.raises(LedgerCorrupt, match=why):
        Ledger.open(tmp_path)


@pytest.mark.parametrize("version", [1, 3])
def test_a_ledger_of_another_version_is_left_alone(tmp_path: Path, version: int) -> None:
    an_evening(tmp_path)
    damage(tmp_path, f"PRAGMA user_version = {version}")
    before = content(tmp_path)
    reads: tuple[Callable[[Path], object], ...] = (Ledger.open, verify, rebuild)
    for read in reads:
        with pytest.raises(
            LedgerCorrupt, match=f"it is of version {version}; this program reads version 2"
        ):
            read(tmp_path)
    assert content(tmp_path) == before


def test_a_log_without_its_database_is_no_new_ledger(tmp_path: Path) -> None:
    """SQLite would delete what was committed last, and the jackpot would be opened once more"""
    lost = tmp_path / "lost"
    lost.mkdir()
    with closing(open_ledger(tmp_path)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "token 1"))])
        log = (tmp_path / "ledger.db-wal").read_bytes()
        (lost / "ledger.db-wal").write_bytes(log)
    with pytest.raises(LedgerCorrupt, match=r"ledger\.db is missing, and its write-ahead log is"):
        Ledger.open(lost)
    assert (lost / "ledger.db-wal").read_bytes() == log
    assert not (lost / "ledger.db").exists()
