"""A ledger is archived, its second copy is not yet, or is another one."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from jackpot.failures import Refused
from jackpot.ledger.anchor import Anchor
from jackpot.ledger.ledger import Ledger, LedgerCorrupt, verify
from jackpot.money.movements import stake
from jackpot.trust.archive import archive_copy
from jackpot.trust.counterpart import Compared, CounterpartLost, Noted
from jackpot.trust.repair import RepairPlan, Side, diagnose, plan_repair, restore
from jackpot.trust.seal import Seal
from jackpot.trust.second_copy import SecondCopy
from jackpot.trust.signing import PrivateKey
from tests.jackpot.archives import make_archive
from tests.jackpot.money import SETTINGS, an_evening, content, damage, entry, open_ledger


@pytest.fixture
def second(folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(folder, tmp_path / "second")
    return tmp_path / "second"


def bring_up(folder: Path, second: Path) -> None:
    """As the service does it behind a start."""
    with closing(Ledger.open(folder)) as ledger, closing(SecondCopy(folder, second)) as copy:
        copy.compare()
        while copy.follow(Noted(ledger.head, "")) < ledger.head.seq:
            pass


def test_a_copy_that_still_has_it_all_goes_on(folder: Path, second: Path, key: PrivateKey) -> None:
    make_archive(folder, key)
    diagnosis = diagnose(folder, second, None)
    assert (diagnosis.parting, plan_repair(diagnosis)) == (9, None)
    bring_up(folder, second)
    report = verify(second)
    assert (report.problems, report.records, report.anchor) == ((), 9, Anchor())
    assert plan_repair(diagnose(folder, second, None)) is None


def test_a_copy_is_archived_like_the_ledger(folder: Path, second: Path, key: PrivateKey) -> None:
    done = make_archive(folder, key)
    bring_up(folder, second)
    assert archive_copy(second, done.anchor) == ""
    assert content(second) == content(folder)
    assert verify(second).sound
    assert plan_repair(diagnose(folder, second, None)) is None
    with closing(SecondCopy(folder, second)) as copy:
        assert copy.compare() == Compared(9)


def test_a_copy_that_is_another_is_left_as_it_is(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    an_evening(tmp_path / "second", tokens=3)
    with closing(open_ledger(tmp_path / "second")) as ledger:
        ledger.commit([entry(kind="snapshot", other="night")])
    before = content(tmp_path / "second")
    done = make_archive(folder, key, 4)
    changed = Anchor(4, bytes(32), done.anchor.balances, done.anchor.identities)
    with pytest.raises(Refused, match="record 4 of the second copy is another one"):
        archive_copy(tmp_path / "second", changed)
    assert content(tmp_path / "second") == before


def test_a_ledger_set_back_before_its_archive_is_found(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    shutil.copytree(folder, tmp_path / "old")
    damage(tmp_path / "old", "DELETE FROM journal WHERE seq > 2")
    damage(
        tmp_path / "old",
        "UPDATE meta SET seq = 2, hash = (SELECT hash FROM journal WHERE seq = 2)",
    )
    make_archive(folder, key)
    with (
        closing(SecondCopy(tmp_path / "old", folder)) as copy,
        pytest.raises(LedgerCorrupt, match=r"ends at record 2; its copy .* has records 5 to 9"),
    ):
        copy.compare()


def test_a_copy_that_ends_before_the_archive_is_made_anew(
    folder: Path, second: Path, key: PrivateKey
) -> None:
    make_archive(folder, key)
    shutil.rmtree(second)
    an_evening(second, tokens=2)
    with (
        closing(SecondCopy(folder, second)) as copy,
        pytest.raises(CounterpartLost, match="ends at record 3, before what the ledger still has"),
    ):
        copy.compare()
    diagnosis = diagnose(folder, second, None)
    plan = plan_repair(diagnosis)
    assert plan == RepairPlan(Side.SECOND, Side.FIRST)
    restore(diagnosis, plan)
    assert content(second) == content(folder)


def test_a_ledger_that_ends_before_the_archive_of_its_copy_is_a_person_s_to_judge(
    tmp_path: Path, folder: Path, key: PrivateKey
) -> None:
    """They cannot be compared: it may be the copy of another table. The seal knows"""
    an_evening(tmp_path / "old", tokens=1)
    done = make_archive(folder, key)
    with pytest.raises(Refused, match=r"ends at record 2, before what its copy .*--from copy"):
        plan_repair(diagnose(tmp_path / "old", folder, None))
    restored = RepairPlan(Side.FIRST, Side.SECOND)
    seal = Seal("one", done.anchor.seq, done.anchor.hash.hex(), "")
    assert plan_repair(diagnose(tmp_path / "old", folder, seal)) == restored
    diagnosis = diagnose(tmp_path / "old", folder, None)
    assert plan_repair(diagnosis, Side.SECOND) == restored
    restore(diagnosis, restored)
    assert content(tmp_path / "old") == content(folder)


def test_a_log_without_its_database_is_not_taken_for_that_of_a_new_copy(
    folder: Path, second: Path, key: PrivateKey, tmp_path: Path
) -> None:
    make_archive(folder, key)
    (tmp_path / "left").mkdir()
    with closing(open_ledger(second)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "other 1")), entry(stake(SETTINGS, "other 2"))])
        shutil.copy(second / "ledger.db-wal", tmp_path / "left")
    with closing(SecondCopy(folder, tmp_path / "left")) as copy:
        copy.begin_anew()
        assert copy.compare() == Compared(9, anew=True)
    assert content(tmp_path / "left") == content(folder)


def test_where_two_have_parted_is_found_behind_the_archive(
    folder: Path, second: Path, key: PrivateKey
) -> None:
    make_archive(folder, key)
    with closing(open_ledger(second)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "other 1")), entry(stake(SETTINGS, "other 2"))])
    assert diagnose(folder, second, None).parting == 9
