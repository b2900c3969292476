"""A ledger of schema version 1, as the program of then wrote it, is brought up at its opening.

`version_one.sql` is what that program wrote: eleven records, a snapshot, an identity sent twice, an
award of nothing, two starts.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.accounts import Balances
from jackpot.export import Stretch, export
from jackpot.export_check import check_export
from jackpot.journal import GENESIS, Head, Row, chained, money_text, movement_of, movement_text
from jackpot.ledger import (
    IdentityConflict,
    Ledger,
    LedgerCorrupt,
    LedgerUnavailable,
    moved_since,
    newest_record,
    read_records,
    rebuild,
    verify,
)
from jackpot.movements import stake
from jackpot.repair import Plan, Side, diagnose, planned, restore
from jackpot.second_copy import SecondCopy
from jackpot.settings import MoneySettings
from jackpot.signing import load_private, make_pair
from jackpot.witness import Compared, Noted
from tests.jackpot.failing_disk import FailingDisk
from tests.jackpot.money import SETTINGS, damage, entry, opened
from tests.jackpot.recorded_disk import ONCE, THRICE, folders_left, put_folder

WRITTEN = Path(__file__).with_name("version_one.sql").read_text(encoding="utf-8")
HEAD = Head(11, "af5787ea5975c0ee2f9128628bad7005ed9b525ae6d076b27a5f1a4623009c71")
BALANCES = Balances(-10_000_000, 9_956_960_000, 1_050_000, -9_998_050_000, 0, 50_040_000)


def older(folder: Path) -> Path:
    """A folder with the ledger of then."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(WRITTEN)
    return folder


def version_of(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        return int(database.execute("PRAGMA user_version").fetchone()[0])


def content(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "ledger.db")) as database:
        return list(database.iterdump())


def assert_all_is_there(folder: Path) -> None:
    report, rebuilt = verify(folder), rebuild(folder)
    assert (report.problems, report.head, report.balances) == ((), HEAD, BALANCES)
    assert rebuilt.agrees
    moved = [len(one.transactions) for one in read_records(folder)]
    assert moved == [0, 1, 2, 0, 1, 1, 0, 1, 2, 1, 1]
    assert [one.seq for one in read_records(folder, round=2)] == [6, 7, 8, 9]
    assert sum(count for count, _ in moved_since(folder, 0).values()) == 10


def test_the_chain_goes_on_and_every_identity_is_known(tmp_path: Path) -> None:
    with closing(opened(older(tmp_path))) as ledger:
        assert (ledger.head, ledger.balances) == (HEAD, BALANCES)
        assert (ledger.recovered.snapshot_seq, ledger.recovered.boot) == (7, 2)
        ledger.commit([entry(stake(SETTINGS, "seat 7 è"), round=4)])
        assert ledger.balances == BALANCES, "sent again, moved once"
        with pytest.raises(IdentityConflict):
            ledger.commit([entry(stake(MoneySettings(token=SETTINGS.base), "seat 2"))])
        ledger.commit([entry(stake(SETTINGS, "seat 5"), round=4)])
    report = verify(tmp_path)
    assert (report.problems, report.records, report.balances.tray) == ((), 13, -12_000_000)
    newest = newest_record(tmp_path, before=12)
    assert newest is not None
    assert newest.hash == HEAD.hash
    with closing(opened(tmp_path)) as ledger:
        assert ledger.recovered.seq == 13


def test_its_tables_are_those_of_a_new_ledger(tmp_path: Path) -> None:
    opened(older(tmp_path / "older")).close()
    opened(tmp_path / "new").close()
    tables = [
        [line for line in content(folder) if line.startswith("CREATE")]
        for folder in (tmp_path / "older", tmp_path / "new")
    ]
    assert tables[0] == tables[1]


def test_one_that_would_take_too_long_at_a_start_is_left_as_it_is(tmp_path: Path) -> None:
    before = content(older(tmp_path))
    with pytest.raises(LedgerUnavailable, match=r"11 records, too many .* banco ledger upgrade"):
        Ledger.open(tmp_path, brought_up=10)
    assert content(tmp_path) == before
    Ledger.open(tmp_path, brought_up=11).close()
    assert version_of(tmp_path) == 2


def test_it_is_read_as_it_lies_there(tmp_path: Path) -> None:
    """A copy put back, that no service has opened: reading changes nothing"""
    before = content(older(tmp_path / "ledger"))
    assert_all_is_there(tmp_path / "ledger")
    make_pair(tmp_path / "key")
    key = load_private(tmp_path / "key")
    export(tmp_path / "ledger", tmp_path / "out", key, table="", written="", stretch=Stretch())
    assert check_export(tmp_path / "out", key.public).head == HEAD
    assert version_of(tmp_path / "ledger") == 1
    assert content(tmp_path / "ledger") == before


def test_an_older_second_copy_is_brought_up_and_goes_on(tmp_path: Path) -> None:
    first, second = older(tmp_path / "ledger"), older(tmp_path / "copy")
    with closing(opened(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        assert copy.compare() == Compared(11)
        ledger.commit([entry(stake(SETTINGS, "seat 5"))])
        assert copy.follow(Noted(ledger.head, "")) == 12
    assert content(second) == content(first)


def test_an_older_ledger_is_repaired_from_an_older_copy(tmp_path: Path) -> None:
    first, second = older(tmp_path / "ledger"), older(tmp_path / "copy")
    damage(first, "UPDATE posting SET amount = amount + 1 WHERE seq = 3")
    with pytest.raises(LedgerCorrupt):
        Ledger.open(first)
    diagnosis = diagnose(first, second, None)
    plan = planned(diagnosis)
    assert plan == Plan(Side.FIRST, Side.SECOND)
    restore(diagnosis, plan)
    assert_all_is_there(first)
    assert version_of(first) == 2


NOT_IN_ORDER = {
    "a body": ("UPDATE journal SET body = '[]' WHERE seq = 2", "record 2 was changed"),
    "a posting": ("UPDATE posting SET amount = amount + 1 WHERE seq = 3", "record 3 was changed"),
    "an identity": ("UPDATE transfer SET identity = 'y' WHERE seq = 6", "record 6 was changed"),
    "a record gone": ("DELETE FROM journal WHERE seq = 4", "record 4 is missing"),
    "the last one gone": ("DELETE FROM journal WHERE seq = 11", "record 11: money moved"),
    "money without a record": (
        "INSERT INTO transfer VALUES (4, 0, 'y', 'stake')",
        "record 4 was changed",
    ),
    "money before the first": (
        "INSERT INTO transfer VALUES (0, 0, 'y', 'stake')",
        "record 0: money moved",
    ),
    "postings without a transaction": (
        "INSERT INTO posting VALUES (3, 7, 'paid', 5)",
        "belong to no transaction",
    ),
    "a balance": ("UPDATE balance SET amount = 1 WHERE account = 'paid'", "table of balances"),
    "the head": ("UPDATE meta SET seq = 10", "the last record is 11, but 10"),
    "no head": ("DELETE FROM meta", "which record was the last"),
}


@pytest.mark.parametrize(("statement", "why"), NOT_IN_ORDER.values(), ids=NOT_IN_ORDER.keys())
def test_what_does_not_verify_is_not_brought_up(tmp_path: Path, statement: str, why: str) -> None:
    damage(older(tmp_path), statement)
    before = content(tmp_path)
    reads: tuple[Callable[[Path], object], ...] = (Ledger.open, verify)
    for read in reads:
        with pytest.raises(LedgerCorrupt, match=why):
            read(tmp_path)
    assert version_of(tmp_path) == 1
    assert content(tmp_path) == before


def test_a_snapshot_that_never_fitted_is_found(tmp_path: Path) -> None:
    """In a chain that holds"""
    opened(older(tmp_path / "made")).close()
    stored = list(read_records(tmp_path / "made"))
    damage(older(tmp_path), "UPDATE journal SET body = replace(body, '1000420', '1000430')")
    previous = GENESIS
    with closing(sqlite3.connect(tmp_path / "ledger.db", isolation_level=None)) as database:
        for *columns, _ in database.execute("SELECT * FROM journal ORDER BY seq").fetchall():
            row = Row(*columns)
            moved = stored[row.seq - 1].transactions
            money = money_text([movement_text(movement_of(one)) for one in moved])
            previous = chained(previous, row, money)
            database.execute("UPDATE journal SET hash = ? WHERE seq = ?", (previous, row.seq))
        database.execute("UPDATE meta SET hash = ?", (previous,))
    with pytest.raises(LedgerCorrupt, match="record 7: the snapshot's balances"):
        Ledger.open(tmp_path)


def test_cut_off_anywhere_it_is_one_or_the_other(tmp_path: Path, thorough: bool) -> None:
    """The power goes before and after every write and sync: version 1 or 2, whole"""
    recorded = older(tmp_path / "recorded")
    before = content(recorded)
    disk = FailingDisk()
    disk.holds(recorded)
    begin = len(disk.log)
    Ledger.open(recorded, connect=disk.connect).close()
    after = content(recorded)
    seen = {1: 0, 2: 0}
    for left in folders_left(disk.log, begin, THRICE if thorough else ONCE):
        folder = put_folder(left, tmp_path / "left")
        version = version_of(folder)
        seen[version] += 1
        assert content(folder) == (before if version == 1 else after)
        assert_all_is_there(folder)
        Ledger.open(folder, durable=False).close()
        assert content(folder) == after
    assert min(seen.values()) > 10, seen
    print(f"{sum(seen.values())} folders that a cut leaves of bringing up, 0 wrong")
