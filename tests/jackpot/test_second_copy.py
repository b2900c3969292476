"""The second copy: always a beginning of the first, whatever fails and whenever power goes."""

import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.folder import FolderClaim
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import Ledger, rebuild, verify
from jackpot.money.movements import stake
from jackpot.trust.counterpart import Compared, CounterpartLost, CounterpartReplaced, Noted
from jackpot.trust.second_copy import PAGE, SecondCopy
from tests.jackpot.failing_disk import SYNC_LOST, FailingDisk
from tests.jackpot.money import SETTINGS, an_evening, content, damage, entry, money_of, open_ledger
from tests.jackpot.recorded_disk import Damage


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    folder = tmp_path / "media" / "second"
    folder.mkdir(parents=True)
    return folder


def newest_of(ledger: Ledger) -> Noted:
    return Noted(ledger.head, "2026-03-01T21:00:00")


def tokens(ledger: Ledger, numbers: Iterable[int]) -> None:
    ledger.commit([entry(stake(SETTINGS, f"token {number}"), seat=number) for number in numbers])


def bring_up(copy: SecondCopy, to: Noted) -> None:
    while copy.follow(to) < to.head.seq:
        pass


def test_it_becomes_what_the_ledger_is_row_by_row(first: Path, second: Path) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        assert copy.compare() == Compared(0)
        for number in range(1, 10):
            tokens(ledger, [number])
            assert copy.follow(newest_of(ledger)) == number
        ledger.commit([entry(kind="snapshot", phase="PLAYING")])
        bring_up(copy, newest_of(ledger))
    assert content(second) == content(first)
    assert verify(second).sound
    assert rebuild(second).agrees
    with closing(Ledger.open(second)) as taken:
        assert taken.balances.tray == -18_000_000, "it can be taken for the ledger itself"


def test_it_goes_on_where_it_ended(first: Path, second: Path) -> None:
    an_evening(first, tokens=4, snapshot_after=2)
    with closing(SecondCopy(first, second)) as copy:
        with pytest.raises(CounterpartReplaced, match="there is no second copy"):
            copy.compare()
        assert list(second.iterdir()) == [], "until that is on record"
        copy.begin_anew()
        assert copy.compare() == Compared(0, anew=True)
        with closing(open_ledger(first)) as ledger:
            bring_up(copy, newest_of(ledger))
    with closing(open_ledger(first)) as ledger:
        tokens(ledger, range(100, 110))
        with closing(SecondCopy(first, second)) as copy:
            assert copy.compare() == Compared(6)
            bring_up(copy, newest_of(ledger))
    assert content(second) == content(first)


def test_thousands_are_caught_up_page_by_page(first: Path, second: Path) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        tokens(ledger, range(3_000))
        copy.begin_anew()
        copy.compare()
        reached = [copy.follow(newest_of(ledger)) for _ in range(12)]
    assert reached == [*range(PAGE, 2_817, PAGE), 3_000]
    assert content(second) == content(first)


def test_nothing_is_copied_before_its_commit_has_been_told(first: Path, second: Path) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.compare()
        tokens(ledger, [1])
        newest = newest_of(ledger)
        tokens(ledger, [2])  # it is on the disk; who committed it has not been answered yet
        assert copy.follow(newest) == copy.follow(newest) == 1
        assert verify(second).records == 1


def archive_before_snapshot(folder: Path) -> None:
    """What the records before the snapshot leave behind when they are no longer there."""
    damage(folder, "DELETE FROM journal WHERE seq < 3")


def test_of_a_ledger_that_was_archived_the_whole_file_is_copied(first: Path, second: Path) -> None:
    an_evening(first, tokens=4, snapshot_after=2)
    archive_before_snapshot(first)
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.begin_anew()
        assert copy.compare() == Compared(6, anew=True)
        tokens(ledger, [7])
        assert copy.follow(newest_of(ledger)) == 7
        assert content(second) == content(first)


def test_a_copy_with_more_of_the_past_than_the_ledger_goes_on(first: Path, second: Path) -> None:
    an_evening(first, tokens=4, snapshot_after=2)
    shutil.copytree(first, second, dirs_exist_ok=True)
    archive_before_snapshot(first)
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        assert copy.compare() == Compared(6)
        tokens(ledger, [7])
        assert copy.follow(newest_of(ledger)) == 7
    assert verify(second).records == 7


def test_a_copy_that_ends_before_the_archive_is_lost_and_can_be_made_anew(
    first: Path, second: Path
) -> None:
    an_evening(second, tokens=0)
    shutil.copytree(second, first)
    with closing(open_ledger(first)) as ledger:
        tokens(ledger, [1, 2])
        ledger.commit([entry(kind="snapshot")])
    archive_before_snapshot(first)
    with closing(SecondCopy(first, second)) as copy, pytest.raises(CounterpartLost, match="repair"):
        copy.compare()


# Set back, changed, another


def test_a_ledger_that_was_set_back_is_not_believed(first: Path, second: Path) -> None:
    an_evening(first, tokens=3)
    shutil.copytree(first, first.with_name("old"))
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.begin_anew()
        copy.compare()
        tokens(ledger, [7, 8])
        bring_up(copy, newest_of(ledger))
    shutil.rmtree(first)
    first.with_name("old").rename(first)
    before = content(second)
    with closing(SecondCopy(first, second)) as copy, pytest.raises(LedgerCorrupt) as raised:
        copy.compare()
    assert str(raised.value) == f"the ledger in {first} ends at record 4, its copy in {second} at 6"
    assert content(second) == before


@pytest.mark.parametrize("parts", [1, 2, 3, 40, 63, 64])
@pytest.mark.parametrize("longer", ["first", "second"])
def test_where_two_part_is_told(parts: int, longer: str, first: Path, second: Path) -> None:
    ends = {"first": 64, "second": 64, longer: 77}
    for folder, name in ((first, "first"), (second, "second")):
        with closing(open_ledger(folder)) as ledger:
            for number in range(1, ends[name] + 1):
                same = number < parts
                ledger.commit([entry(seat=number, whose="" if same else name)])
    with closing(SecondCopy(first, second)) as copy, pytest.raises(LedgerCorrupt) as raised:
        copy.compare()
    assert (
        str(raised.value)
        == f"the ledger in {first} and its copy in {second} part at record {parts}"
    )


def test_a_record_changed_meanwhile_is_not_copied(first: Path, second: Path) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.compare()
        tokens(ledger, range(5))
        damage(first, money_of(3, "1400000", "1400001"))
        with pytest.raises(LedgerCorrupt, match="record 3 was changed"):
            copy.follow(newest_of(ledger))
        damage(first, "DELETE FROM journal WHERE seq > 0")
        with pytest.raises(LedgerCorrupt, match="record 1 had been committed, and is missing"):
            copy.follow(newest_of(ledger))
    assert verify(second).records == 0


@pytest.mark.parametrize("name", ["ledger.db", "ledger.db-wal", "ledger.owner"])
def test_one_whose_files_are_removed_while_it_follows_is_not_the_one_it_was(
    name: str, first: Path, second: Path
) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.compare()
        tokens(ledger, [1])
        assert copy.follow(newest_of(ledger)) == 1
        (second / name).unlink()
        tokens(ledger, [2])
        with pytest.raises(CounterpartReplaced, match=f"{name} was removed"):
            copy.follow(newest_of(ledger))


# A medium that fails


def test_a_medium_that_is_not_mounted_is_lost_and_nothing_is_made_there(tmp_path: Path) -> None:
    an_evening(tmp_path / "ledger")
    copy = SecondCopy(tmp_path / "ledger", tmp_path / "media")
    with pytest.raises(CounterpartLost, match="media is not there"):
        copy.compare()
    assert not (tmp_path / "media").exists()


def test_a_link_in_its_place_is_lost_and_nothing_is_made_elsewhere(
    first: Path, second: Path, tmp_path: Path
) -> None:
    an_evening(first)
    elsewhere = tmp_path / "elsewhere"
    (second / "ledger.db").symlink_to(elsewhere)
    with closing(SecondCopy(first, second)) as copy:
        copy.begin_anew()
        with pytest.raises(CounterpartLost, match="a link"):
            copy.compare()
    assert not elsewhere.exists()


def test_a_folder_that_cannot_be_asked_is_lost(first: Path, tmp_path: Path) -> None:
    """As a pulled medium answers: with an error that does not say whether it is there"""
    copy = SecondCopy(first, tmp_path / ("x" * 300))
    for ask in (copy.compare, copy.newest):
        with pytest.raises(CounterpartLost, match="File name too long"):
            ask()


def test_a_damaged_copy_is_lost_and_left_as_it_is(first: Path, second: Path) -> None:
    an_evening(first)
    (second / "ledger.db").write_bytes(b"a tray is not a ledger " * 999)
    before = (second / "ledger.db").read_bytes()
    with (
        closing(SecondCopy(first, second)) as copy,
        pytest.raises(CounterpartLost, match=r"damaged|not a"),
    ):
        copy.compare()
    assert (second / "ledger.db").read_bytes() == before


def test_a_copy_whose_records_were_changed_is_lost(first: Path, second: Path) -> None:
    an_evening(first)
    shutil.copytree(first, second, dirs_exist_ok=True)
    damage(second, "UPDATE journal SET body = '{}' WHERE seq = 3")
    with (
        closing(SecondCopy(first, second)) as copy,
        pytest.raises(CounterpartLost, match="record 3"),
    ):
        copy.compare()


def test_two_tables_never_share_one(first: Path, second: Path) -> None:
    an_evening(first)
    claim = FolderClaim(second)
    with closing(SecondCopy(first, second)) as copy:
        copy.begin_anew()
        with pytest.raises(CounterpartLost, match="is open already, elsewhere"):
            copy.compare()
        claim.release()
        copy.begin_anew()
        assert copy.compare() == Compared(0, anew=True)


def test_a_copy_written_by_somebody_else_meanwhile_is_lost(first: Path, second: Path) -> None:
    with closing(open_ledger(first)) as ledger, closing(SecondCopy(first, second)) as copy:
        copy.compare()
        tokens(ledger, [1])
        damage(second, "UPDATE meta SET seq = 9")
        with pytest.raises(CounterpartLost, match="somebody else"):
            copy.follow(newest_of(ledger))
    assert content(second)[0] == []


class FailingMedium:
    """A medium on which so many more statements go well."""

    def __init__(self) -> None:
        self.good = 1_000_000

    def connect(self, path: Path) -> sqlite3.Connection:
        medium = self

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
                medium.wear()
                return super().execute(sql, parameters)

            def executemany(self, sql: str, parameters: Any) -> sqlite3.Cursor:
                medium.wear()
                return super().executemany(sql, parameters)

        return sqlite3.connect(path, factory=Connection, check_same_thread=False)

    def wear(self) -> None:
        self.good -= 1
        if self.good < 0:
            raise sqlite3.OperationalError("disk I/O error")


def test_what_a_failed_sync_left_in_memory_is_not_taken_for_copied(
    first: Path, second: Path, tmp_path: Path
) -> None:
    """The service is killed, the medium is well: what the next one says it has is on the disk."""
    disk, left = FailingDisk(), tmp_path / "left"
    with closing(open_ledger(first)) as ledger:
        copy = SecondCopy(first, second, connect=disk.connect)
        copy.compare()
        tokens(ledger, range(3))
        bring_up(copy, newest_of(ledger))
        disk.arm(SYNC_LOST, 1)
        tokens(ledger, range(3, 6))
        with pytest.raises(CounterpartLost):
            copy.follow(newest_of(ledger))
        assert disk.well()
        disk.kill(second)
        copy.close()
        with closing(SecondCopy(first, second, connect=disk.connect)) as again:
            assert again.compare() == Compared(6)
            left.mkdir()
            for name, written in disk.platter.folder_after_cut(Damage.LOST).items():
                (left / name).write_bytes(written)
    assert verify(left).head.seq == 6


HAPPENS = ("commit", "many", "fail", "well again", "cut")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(HAPPENS), st.integers(0, 14))))
def test_it_is_a_beginning_of_the_ledger_after_whatever_happens(
    tmp_path_factory: pytest.TempPathFactory, happens: list[tuple[str, int]]
) -> None:
    """Commits of one and of several hundred records, failures of its medium, cuts of power."""
    folder = tmp_path_factory.mktemp("table")
    first, second, medium = folder / "ledger", folder / "second", FailingMedium()
    second.mkdir()
    ledger, copy = (
        open_ledger(first),
        SecondCopy(first, second, connect=medium.connect, durable=False),
    )
    copy.compare()
    number = 0
    for what, count in happens:
        if what in ("commit", "many"):
            more = count * 40 if what == "many" else 1
            tokens(ledger, range(number, number + more))
            number += more
        elif what == "fail":
            medium.good = count
        elif what == "well again":
            medium.good = 1_000_000
            copy.compare()
        elif what == "cut":  # what was committed is on the disk: nobody says goodbye
            ledger = after_a_cut(ledger, copy, medium, first)
        follow_once(copy, newest_of(ledger))
        is_a_beginning(second, first)
    medium.good = 1_000_000
    copy.compare()
    bring_up(copy, newest_of(ledger))
    assert content(second) == content(first)
    copy.close()
    ledger.close()


def follow_once(copy: SecondCopy, to: Noted) -> None:
    try:
        copy.follow(to)
    except CounterpartLost:
        copy.close()


def after_a_cut(ledger: Ledger, copy: SecondCopy, medium: FailingMedium, first: Path) -> Ledger:
    medium.good = 1_000_000
    copy.close()
    ledger.close()
    copy.compare()
    return open_ledger(first)


def is_a_beginning(second: Path, first: Path) -> None:
    records, copied = content(first)[0], content(second)[0]
    assert copied == records[: len(copied)]
    report = verify(second)
    assert report.problems == (() if copied else ("it has no record",))
    assert report.head == (Head(len(copied), copied[-1][-1].hex()) if copied else report.head)
