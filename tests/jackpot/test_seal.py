"""The seal: whatever is set back together, it knows what had been there."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from jackpot.failures import LedgerCorrupt
from jackpot.ledger.ledger import Ledger
from jackpot.ledger.two_slots import SLOT_BYTES, TwoSlots
from jackpot.money.movements import stake
from jackpot.trust.counterpart import Compared, CounterpartLost, CounterpartReplaced, Noted
from jackpot.trust.seal import Seal, read_seal
from jackpot.trust.seal_file import SealFile
from jackpot.trust.second_copy import SecondCopy
from tests.jackpot.money import SETTINGS, an_evening, entry, open_ledger

WALL = "2026-03-01T23:59:01"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "media").mkdir()
    return tmp_path / "media" / "seal"


def seal_of(path: Path, folder: Path, table: str = "one") -> SealFile:
    return SealFile(path, folder, table)


def seal_newest(path: Path, folder: Path) -> Noted:
    """The ledger's newest record, written into the seal."""
    with closing(Ledger.open(folder)) as ledger:
        noted = Noted(ledger.head, WALL)
    seal = seal_of(path, folder)
    seal.begin_anew()
    seal.compare()
    seal.follow(noted)
    return noted


def test_it_names_the_newest_record(path: Path, folder: Path) -> None:
    an_evening(folder, tokens=3)
    noted = seal_newest(path, folder)
    assert read_seal(path) == Seal("one", 4, noted.head.hash, WALL)
    assert seal_of(path, folder).compare() == Compared(4)


def test_a_ledger_that_went_on_without_it_is_believed(path: Path, folder: Path) -> None:
    an_evening(folder, tokens=3)
    seal_newest(path, folder)
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "late"))])
    assert seal_of(path, folder).compare() == Compared(4)


def test_ledger_and_second_copy_set_back_alike_are_not_believed(
    path: Path, folder: Path, tmp_path: Path
) -> None:
    """The two agree with each other, and verify; only the seal knows."""
    an_evening(folder, tokens=3)
    second = tmp_path / "second"
    shutil.copytree(folder, second)
    shutil.copytree(folder, tmp_path / "old")
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "late"))])
    seal_newest(path, folder)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "old", folder)
    with closing(SecondCopy(folder, second)) as copy:
        assert copy.compare() == Compared(4)
    with pytest.raises(LedgerCorrupt) as raised:
        seal_of(path, folder).compare()
    assert str(raised.value) == f"the ledger ends at record 4; record 5 had been seen at {WALL}"


def test_another_chain_of_the_same_length_is_not_believed(path: Path, folder: Path) -> None:
    an_evening(folder, tokens=3)
    seal_newest(path, folder)
    shutil.rmtree(folder)
    with closing(open_ledger(folder)) as ledger:
        for _ in range(9):
            ledger.commit([entry()])
    before = path.read_bytes()
    with pytest.raises(
        LedgerCorrupt, match=f"record 4 is not the one that had been seen at {WALL}"
    ):
        seal_of(path, folder).compare()
    assert path.read_bytes() == before


def test_another_tables_seal_is_not_believed(path: Path, folder: Path) -> None:
    an_evening(folder)
    seal_newest(path, folder)
    with pytest.raises(LedgerCorrupt, match="that of table 'one', not of 'two'"):
        seal_of(path, folder, "two").compare()


def test_it_is_overwritten_in_place(path: Path, folder: Path) -> None:
    an_evening(folder)
    seal_newest(path, folder)
    made = path.stat()
    seal_newest(path, folder)
    assert (path.stat().st_ino, path.stat().st_size) == (made.st_ino, 2 * SLOT_BYTES)


def test_torn_anywhere_it_names_the_new_record_or_the_one_before(path: Path, folder: Path) -> None:
    an_evening(folder, tokens=3)
    old = seal_newest(path, folder)
    before = path.read_bytes()
    with closing(open_ledger(folder)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "late"))])
    new = seal_newest(path, folder)
    after = path.read_bytes()
    found = set()
    for at in range(0, len(after) + 1, 3):
        path.write_bytes(after[:at] + before[at:])
        seal = read_seal(path)
        assert seal is not None
        found.add((seal.seq, seal.hash))
    assert found == {(4, old.head.hash), (5, new.head.hash)}


@pytest.mark.parametrize("content", [b"", b"\0" * 4_096, b"\xff" * 9_999, b"sealed"])
def test_a_damaged_one_is_kept_and_begun_anew(path: Path, folder: Path, content: bytes) -> None:
    an_evening(folder, tokens=3)
    for number in (1, 2):
        path.write_bytes(content)
        with pytest.raises(CounterpartReplaced):
            read_seal(path)
        seal = seal_of(path, folder)
        with pytest.raises(CounterpartReplaced, match="is damaged"):
            seal.compare()
        assert path.read_bytes() == content, "until that is on record"
        seal.begin_anew()
        assert seal.compare() == Compared(4, anew=True)
        assert path.with_name(f"seal.damaged-{number}").read_bytes() == content
    assert seal_of(path, folder).compare() == Compared(4)


@pytest.mark.parametrize("content", [{}, {"table": "one", "seq": "4", "hash": "", "wall": ""}])
def test_whole_slots_that_are_no_seal_are_damage(path: Path, content: dict[str, str]) -> None:
    TwoSlots(path).make(content)
    with pytest.raises(CounterpartReplaced):
        read_seal(path)


def test_one_that_was_taken_away_is_begun_anew_and_that_is_said(path: Path, folder: Path) -> None:
    with closing(open_ledger(folder)):
        assert seal_of(path, folder).compare() == Compared(0), "a new ledger has no past"
    an_evening(folder, tokens=3)
    path.unlink()
    seal = seal_of(path, folder)
    for _ in range(2):
        with pytest.raises(CounterpartReplaced, match="there is no seal"):
            seal.compare()
    assert not path.exists()
    seal.begin_anew()
    assert seal.compare() == Compared(4, anew=True)
    path.unlink()
    with pytest.raises(CounterpartReplaced, match="there is no seal"):
        seal.compare()


@pytest.mark.parametrize(("how", "why"), [("unlink", "was removed"), ("older", "was changed")])
def test_one_that_is_exchanged_while_it_follows_is_not_written(
    how: str, why: str, path: Path, folder: Path
) -> None:
    an_evening(folder, tokens=3)
    seal = seal_of(path, folder)
    seal.begin_anew()
    seal.compare()
    with closing(open_ledger(folder)) as ledger:
        noted = Noted(ledger.commit([entry()]), WALL)
        older = path.read_bytes()
        seal.follow(noted)
    if how == "unlink":
        path.unlink()
    else:
        path.write_bytes(older)
    with pytest.raises(CounterpartReplaced, match=why):
        seal.follow(noted)
    assert not path.exists() or path.read_bytes() == older


@pytest.mark.parametrize(("ran_ms", "older"), [(60_000, False), (60_001, True)])
def test_one_that_the_table_ran_without_for_longer_is_older(
    ran_ms: int, older: bool, path: Path, folder: Path
) -> None:
    """Time in which nothing was recorded, and between two starts, counts for nothing."""
    an_evening(folder, tokens=3)
    noted = seal_newest(path, folder)
    for boot, times in ((8, (5, 30_005)), (9, (7, ran_ms - 30_000 + 7))):
        with closing(Ledger.open(folder)) as ledger:
            ledger.begin(boot)
            for at_ms in times:
                ledger.commit([replace(entry(), at_ms=at_ms)])
    compared = seal_of(path, folder).compare()
    assert (compared.at, bool(compared.older)) == (noted.head.seq, older)


def test_a_medium_that_is_not_there_is_lost_and_nothing_is_made(tmp_path: Path) -> None:
    an_evening(tmp_path / "ledger")
    seal = SealFile(tmp_path / "media" / "seal", tmp_path / "ledger", "one")
    with pytest.raises(CounterpartLost, match="is not there"):
        seal.compare()
    assert not (tmp_path / "media").exists()


def test_a_folder_that_cannot_be_asked_is_lost(tmp_path: Path) -> None:
    with pytest.raises(CounterpartLost, match="File name too long"):
        SealFile(tmp_path / ("x" * 300) / "seal", tmp_path, "caribbean-1").newest()


def test_a_medium_that_went_is_lost(path: Path, folder: Path) -> None:
    an_evening(folder)
    noted = seal_newest(path, folder)
    shutil.rmtree(path.parent)
    with pytest.raises(CounterpartLost, match="is not there"):
        seal_of(path, folder).follow(noted)


def test_a_folder_in_its_place_is_no_seal(path: Path, folder: Path) -> None:
    an_evening(folder)
    path.mkdir()
    with pytest.raises(CounterpartLost, match="cannot be read: Is a directory"):
        seal_of(path, folder).compare()
