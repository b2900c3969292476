"""Old records go to a signed file: nothing is deleted before it is safe, and the chain goes on."""

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import Ledger, read_records, rebuild, verify
from jackpot.ledger.paged_verification import PagedVerification
from jackpot.ledger.schema import one_instant
from jackpot.money.movements import stake
from jackpot.money.settings import MoneySettings
from jackpot.trust.archive import ArchiveResult, archive, last_before
from jackpot.trust.export import ExportRange, export
from jackpot.trust.export_check import check_export
from jackpot.trust.signing import PrivateKey
from tests.jackpot.archives import CUT, WRITTEN, bring_export, make_archive, make_request
from tests.jackpot.failing_disk import FailingDisk
from tests.jackpot.money import SETTINGS, entry, open_ledger
from tests.jackpot.recorded_disk import ONCE, THRICE, folders_left, put_folder
from tests.sampling import Numbers


def test_the_chain_goes_on_from_the_anchor(folder: Path, key: PrivateKey) -> None:
    before = verify(folder)
    records = list(read_records(folder))
    done = make_archive(folder, key)
    assert (done.first, done.anchor.seq, done.space_kept) == (1, CUT, "")
    report = verify(folder)
    assert report.problems == ()
    assert (report.anchor, report.records, report.head.seq) == (done.anchor, 5, 9)
    assert report.balances == before.balances
    assert rebuild(folder).agrees
    *left, note = read_records(folder)
    assert left == records[CUT:]
    assert (note.kind, note.boot, note.previous) == (
        "archived",
        2,
        before.head.hash,
    )
    assert note.body["act"] == {
        "by": "anna",
        "second": "rossi",
        "last": CUT,
        "hash": records[CUT - 1].hash,
        "file": done.anchor.file.hex(),
        "key": key.fingerprint,
    }
    with closing(open_ledger(folder)) as ledger:
        assert ledger.recovered.snapshot_seq == 5
        ledger.commit([entry(stake(SETTINGS, "token 7"))])
    assert verify(folder).sound


def test_the_file_is_what_was_deleted(folder: Path, key: PrivateKey) -> None:
    done = make_archive(folder, key)
    file = folder.parent / "2026.jsonl"
    checked = check_export(file, key.public)
    assert checked.sound
    assert done.anchor.file == sha256(file.read_bytes()).digest()
    assert done.anchor.wall == WRITTEN, "of the archive, not of the file"
    assert (checked.records, checked.head.seq, checked.balances) == (4, CUT, done.anchor.balances)


def test_what_was_archived_moves_nothing_again(folder: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    with closing(open_ledger(folder)) as ledger:
        balances = ledger.balances
        ledger.commit([entry(stake(SETTINGS, "token 1"))])
        assert ledger.balances == balances
        with pytest.raises(Refused):
            ledger.commit([entry(stake(MoneySettings(token=SETTINGS.base), "token 2"))])
    assert verify(folder).sound


def test_a_second_archive_begins_where_the_first_ended(folder: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(kind="snapshot"), entry(stake(SETTINGS, "token 7"))])
    second = make_archive(folder, key, 9, "2027.jsonl")
    assert (second.first, second.anchor.seq) == (CUT + 1, 9)
    earlier, later = (
        check_export(folder.parent / f"{year}.jsonl", key.public) for year in (2026, 2027)
    )
    assert later.sound
    assert later.header.previous == earlier.head.hash
    assert later.header.balances == earlier.balances.to_dict()
    assert verify(folder).problems == ()
    assert rebuild(folder).agrees


def test_an_export_begins_at_the_anchor(folder: Path, key: PrivateKey) -> None:
    done = make_archive(folder, key)
    out = folder.parent / "rest.jsonl"
    export(folder, out, key, table="", written="", stretch=ExportRange())
    checked = check_export(out, key.public)
    assert (checked.problems, checked.header.first) == ((), CUT + 1)
    assert checked.header.previous == done.anchor.hash.hex()
    with pytest.raises(Refused, match="has 5 to 9; those before are in the archive"):
        export(folder, folder.parent / "x", key, table="", written="", stretch=ExportRange(2))


def test_the_second_look_begins_at_the_anchor(folder: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    look = PagedVerification(folder)
    assert not look.page(3)
    assert not look.page(256)
    assert look.page(256), "then the transactions known of the archive"
    assert look.at == 9


def test_its_space_is_given_back(tmp_path: Path, key: PrivateKey) -> None:
    folder = tmp_path / "ledger"
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry(text="x" * 1_000) for _ in range(3_000)])
        ledger.commit([entry(kind="snapshot")])
    size = (folder / "ledger.db").stat().st_size
    make_archive(folder, key, 3_000)
    assert (folder / "ledger.db").stat().st_size < size / 50


def test_beside_a_reader_no_space_is_given_back_and_the_log_stays_small(
    tmp_path: Path, key: PrivateKey
) -> None:
    """The whole file would stay in the log, and every start reads and writes that again"""
    folder = tmp_path / "ledger"
    with closing(Ledger.open(folder, durable=False)) as ledger:
        ledger.begin(1)
        ledger.commit([entry()])
        ledger.commit([entry(kind="snapshot"), *[entry(text="x" * 1_000)] * 3_000])
    with one_instant(folder) as reader:
        reader.execute("SELECT * FROM meta").fetchone()
        assert make_archive(folder, key, 1).space_kept == "somebody is reading the ledger"
        assert (folder / "ledger.db-wal").stat().st_size < 100_000
    assert verify(folder).problems == ()


def test_what_is_being_looked_through_may_be_archived(folder: Path, key: PrivateKey) -> None:
    """The ledger of a table that is locked is nobody's"""
    look = PagedVerification(folder)
    assert not look.page(3)
    make_archive(folder, key)
    while not look.page(3):
        assert 3 < look.at <= 9
    assert look.at == 9


# What can be archived


@pytest.mark.parametrize(
    ("limit", "keep"), [(9, 9), (5, 9), (9, 5), ("2026-03-01T22", 8), ("2027", 8)]
)
def test_up_to_the_last_snapshot_before_the_limit(
    folder: Path, limit: int | str, keep: int
) -> None:
    assert last_before(folder, limit, keep) == CUT


@pytest.mark.parametrize(("limit", "keep"), [(4, 9), (9, 4), (0, 0), ("2026", 9), ("1999", 9)])
def test_nothing_to_archive(folder: Path, limit: int | str, keep: int) -> None:
    with pytest.raises(Refused, match="nothing to archive: the ledger begins with record 1"):
        last_before(folder, limit, keep)


def test_nothing_is_archived_twice(folder: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    with pytest.raises(Refused, match="begins with record 5"):
        last_before(folder, 9, 9)


# The power goes


def test_cut_off_anywhere_nothing_is_lost(
    folder: Path, tmp_path: Path, key: PrivateKey, numbers: Numbers, thorough: bool
) -> None:
    """Before and after every third write and sync: all records, or the archive and the rest"""
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(text="x" * 9_000) for _ in range(20)])
    everything = list(read_records(folder))
    disk = FailingDisk()
    disk.begin_with(folder)
    bring_export(folder, key)
    begin = len(disk.log)
    done = archive(folder, make_request(folder), key.public, connect=disk.connect)
    seen = {"whole": 0, "archived": 0}
    tried = numbers(3)
    turn = next(tried)
    for at, left in enumerate(folders_left(disk.log, begin, THRICE if thorough else ONCE), 1):
        if at < turn:
            continue
        turn = next(tried)
        where = put_folder(left, tmp_path / "left")
        state = judge_folder(where, everything, done)
        give_again(where, folder, key, state)
        seen[state] += 1
    print(f"{sum(seen.values())} folders that a cut leaves of an archive, 0 wrong: {seen}")
    assert min(seen.values()) > (10 if thorough else 3)


def judge_folder(where: Path, everything: list[Record], done: ArchiveResult) -> str:
    """Whether all is there still, or the archive and the rest; nothing else is allowed."""
    Ledger.open(where, durable=False).close()
    report = verify(where)
    assert report.problems == ()
    assert rebuild(where).agrees
    left = list(read_records(where))
    if report.anchor.seq == 0:
        assert left == everything
        return "whole"
    assert report.anchor == done.anchor
    assert left[:-1] == everything[CUT:]
    return "archived"


def give_again(where: Path, folder: Path, key: PrivateKey, state: str) -> None:
    """The same command after the power came back: done now, or told that it was done."""
    again = make_request(folder)
    if state == "whole":
        assert archive(where, again, key.public).anchor.seq == CUT
        assert verify(where).problems == ()
        return
    with pytest.raises(Refused, match="does not begin where the ledger does, with record 5"):
        archive(where, again, key.public)


def test_the_file_is_whole_before_anything_is_deleted(folder: Path, key: PrivateKey) -> None:
    out = bring_export(folder, key)
    seen: list[bool] = []

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
            if sql.lstrip().startswith(("DELETE", "UPDATE")):
                seen.append(out.exists() and check_export(out, key.public).sound)
            return super().execute(sql, parameters)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, factory=Watched)

    archive(folder, make_request(folder), key.public, connect=connect)
    assert seen == [True, True, True]
