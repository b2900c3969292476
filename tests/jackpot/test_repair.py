"""Repair: the sound copy over the other, nothing deleted, and a cut leaves one or the other."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jackpot.failures import Refused
from jackpot.ledger.journal import Head
from jackpot.ledger.ledger import Ledger, rebuild, verify
from jackpot.money.movements import stake
from jackpot.trust.counterpart import CounterpartLost
from jackpot.trust.repair import Diagnosis, RepairPlan, Side, diagnose, plan_repair, restore
from jackpot.trust.seal import Seal
from jackpot.trust.second_copy import SecondCopy
from tests.deadlines import DEADLINE_S
from tests.jackpot.money import SETTINGS, an_evening, content, damage, entry, money_of, open_ledger
from tests.sampling import Numbers

FIRST, SECOND = Side.FIRST, Side.SECOND


class Copies:
    """A ledger of 61 records and its second copy, which is the same."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second = folder / "ledger", folder / "second"
        an_evening(self.first, tokens=60)
        shutil.copytree(self.first, self.second)

    def go_on(self, folder: Path, *tokens: str) -> Head:
        with closing(open_ledger(folder)) as ledger:
            ledger.commit([entry(stake(SETTINGS, token)) for token in tokens])
            return ledger.head

    def diagnosis(self, seal: Seal | None = None) -> Diagnosis:
        return diagnose(self.first, self.second, seal)

    def repair(self, source: Side | None = None, seal: Seal | None = None) -> RepairPlan:
        diagnosis = self.diagnosis(seal)
        plan = plan_repair(diagnosis, source)
        assert plan is not None
        restore(diagnosis, plan)
        return plan


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    return Copies(tmp_path)


def a_record_changed(folder: Path) -> None:
    damage(folder, "UPDATE journal SET body = '{}' WHERE seq = 17")


def a_posting_changed(folder: Path) -> None:
    damage(folder, money_of(17, "1400000", "1400007"))


def the_balances_changed(folder: Path) -> None:
    damage(folder, "UPDATE meta SET balances = json_set(balances, '$.jackpot', 1)")


def records_cut_off(folder: Path) -> None:
    damage(folder, "DELETE FROM journal WHERE seq > 40")


def a_record_removed(folder: Path) -> None:
    damage(folder, "DELETE FROM journal WHERE seq = 17")


def no_database(folder: Path) -> None:
    (folder / "ledger.db").write_bytes(b"a tray is not a ledger " * 999)


def half_a_file(folder: Path) -> None:
    file = folder / "ledger.db"
    os.truncate(file, file.stat().st_size // 2 // 512 * 512)


DAMAGES = (
    a_record_changed,
    a_posting_changed,
    the_balances_changed,
    records_cut_off,
    a_record_removed,
    no_database,
    half_a_file,
)


@pytest.mark.parametrize("harm", DAMAGES)
@pytest.mark.parametrize("target", Side)
def test_the_sound_copy_takes_the_place_of_the_damaged_one(
    harm: Callable[[Path], None], target: Side, copies: Copies
) -> None:
    damaged, good = (
        (copies.first, copies.second) if target is FIRST else (copies.second, copies.first)
    )
    before = content(good)
    harm(damaged)
    kept = (damaged / "ledger.db").read_bytes()
    assert copies.repair() == RepairPlan(target, FIRST if target is SECOND else SECOND)
    assert content(damaged) == content(good) == before
    assert verify(damaged).sound
    assert rebuild(damaged).agrees
    assert (damaged / "ledger.db.damaged-1").read_bytes() == kept
    assert copies.diagnosis().parting is None
    with closing(Ledger.open(damaged)) as ledger:
        assert ledger.recovered.seq == 61


def test_an_empty_ledger_comes_back(copies: Copies) -> None:
    before = content(copies.first)
    (copies.first / "ledger.db").write_bytes(b"")
    assert copies.diagnosis().first.why == "ledger.db is empty"
    assert copies.repair() == RepairPlan(FIRST, SECOND)
    assert content(copies.first) == before
    assert (copies.first / "ledger.db.damaged-1").read_bytes() == b""


def test_a_log_that_was_left_alone_is_kept_beside_each_time(copies: Copies) -> None:
    """Nothing is deleted: what was committed last may be in it alone"""
    before = content(copies.first)
    for number in (1, 2):
        (copies.first / "ledger.db").unlink()
        (copies.first / "ledger.db-wal").write_bytes(b"log %d" % number)
        assert copies.diagnosis().first.why == "there is none, only its write-ahead log"
        assert copies.repair() == RepairPlan(FIRST, SECOND)
        assert content(copies.first) == before
    for number in (1, 2):
        kept = copies.first / f"ledger.db.damaged-{number}-wal"
        assert kept.read_bytes() == b"log %d" % number


def test_a_ledger_that_is_gone_comes_back(copies: Copies) -> None:
    before = content(copies.first)
    shutil.rmtree(copies.first)
    copies.first.mkdir()
    assert copies.repair() == RepairPlan(FIRST, SECOND)
    assert content(copies.first) == before


def test_records_that_only_the_damaged_one_has_are_kept_where_they_fit_on(copies: Copies) -> None:
    """The second copy is behind by what was committed last: that is not lost with the damage."""
    head = copies.go_on(copies.first, "late 1", "late 2", "late 3")
    expected = content(copies.first)
    a_record_changed(copies.first)
    assert copies.repair() == RepairPlan(FIRST, SECOND, kept=64)
    assert content(copies.first) == expected
    assert verify(copies.first).head == head


def test_what_fits_on_no_more_is_told_as_lost(copies: Copies) -> None:
    copies.go_on(copies.first, "late 1", "late 2", "late 3")
    damage(copies.first, "UPDATE journal SET body = '[]' WHERE seq = 63")
    assert copies.repair() == RepairPlan(FIRST, SECOND, kept=62, lost=(63, 64))
    assert verify(copies.first).records == 62


def test_a_ledger_that_was_set_back_is_restored(copies: Copies) -> None:
    head = copies.go_on(copies.second, "late 1", "late 2")
    assert copies.diagnosis().parting == 62
    assert copies.repair() == RepairPlan(FIRST, SECOND)
    assert verify(copies.first).head == head


def test_a_second_copy_that_is_behind_needs_no_repair(copies: Copies) -> None:
    copies.go_on(copies.first, "late 1", "late 2")
    assert plan_repair(copies.diagnosis()) is None
    assert plan_repair(Copies(copies.first.parent / "equal").diagnosis()) is None


def test_of_two_sound_ones_that_part_the_sealed_one_is_right(copies: Copies) -> None:
    copies.go_on(copies.first, "what happened 1", "what happened 2")
    happened = copies.go_on(copies.second, "what is said 1")
    seal = Seal("one", happened.seq, happened.hash, "21:00")
    assert copies.repair(seal=seal) == RepairPlan(FIRST, SECOND, lost=(62, 63))
    assert verify(copies.first).head == happened


def test_without_a_seal_a_person_must_say_which_is_right(copies: Copies) -> None:
    copies.go_on(copies.first, "one")
    head = copies.go_on(copies.second, "other")
    with pytest.raises(Refused, match="both copies are sound, and they part at record 62"):
        plan_repair(copies.diagnosis())
    assert copies.repair(source=SECOND) == RepairPlan(FIRST, SECOND, lost=(62, 62))
    assert verify(copies.first).head == head


def test_a_seal_that_neither_contains_decides_nothing(copies: Copies) -> None:
    copies.go_on(copies.first, "one")
    copies.go_on(copies.second, "other")
    diagnosis = copies.diagnosis(Seal("one", 99, "ab" * 32, "21:00"))
    assert set(diagnosis.seal_against) == {FIRST, SECOND}
    with pytest.raises(Refused, match="both copies are sound"):
        plan_repair(diagnosis)


@pytest.mark.parametrize("harm", DAMAGES)
def test_of_two_damaged_ones_nothing_is_restored(
    harm: Callable[[Path], None], copies: Copies
) -> None:
    harm(copies.first)
    a_record_changed(copies.second)
    with pytest.raises(Refused, match="neither copy is sound"):
        plan_repair(copies.diagnosis())
    for source in Side:
        with pytest.raises(Refused, match="is not sound: nothing can be restored from it"):
            plan_repair(copies.diagnosis(), source)


def test_every_damaged_file_is_kept(copies: Copies) -> None:
    for number in (1, 2, 3):
        a_record_changed(copies.first)
        copies.repair()
        assert (copies.first / f"ledger.db.damaged-{number}").exists()


def test_a_worn_medium_never_speaks_against_the_ledger(copies: Copies) -> None:
    """A bit of the second copy, anywhere: it is lost, or has not noticed yet; nothing is locked."""
    file = copies.second / "ledger.db"
    whole = file.read_bytes()
    chance = Random(5)
    lost = 0
    for _ in range(250):
        worn = bytearray(whole)
        worn[chance.randrange(len(worn))] ^= 1 << chance.randrange(8)
        file.write_bytes(worn)
        with closing(SecondCopy(copies.first, copies.second, durable=False)) as copy:
            try:
                copy.compare()
            except CounterpartLost:
                lost += 1
        for left in ("-wal", "-shm"):
            (copies.second / f"ledger.db{left}").unlink(missing_ok=True)
    assert 25 < lost < 250


def test_the_log_of_what_was_replaced_is_not_taken_for_the_new_ones(copies: Copies) -> None:
    with closing(open_ledger(copies.first)) as ledger:
        ledger.commit([entry(stake(SETTINGS, "late"))])
        log = (copies.first / "ledger.db-wal").read_bytes()
    no_database(copies.first)
    (copies.first / "ledger.db-wal").write_bytes(log)
    assert copies.repair() == RepairPlan(FIRST, SECOND)
    assert content(copies.first) == content(copies.second)
    assert (copies.first / "ledger.db.damaged-1-wal").read_bytes() == log


# Cut off at any step

CUT_OFF = """
import os, sys
from pathlib import Path
from jackpot.trust.repair import diagnose, plan_repair, restore

first, second, last = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
diagnosis = diagnose(first, second, None)
plan = plan_repair(diagnosis)
count = 0

def step(event, arguments):
    global count
    if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"):
        count += 1
        if count == last:
            os._exit(9)

sys.addaudithook(step)
restore(diagnosis, plan)
print(count)
"""


def cut_off(copies: Copies, at: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CUT_OFF, str(copies.first), str(copies.second), str(at)]
    root = Path(__file__).parents[2]
    return subprocess.run(
        command, cwd=root, text=True, capture_output=True, timeout=DEADLINE_S, check=False
    )


def test_cut_off_at_any_step_it_is_asked_for_again(tmp_path: Path, numbers: Numbers) -> None:
    """Before each opening, renaming, removing of a file: nothing is lost, nor taken for new.

    The damaged ledger's last records are still in its write-ahead log.
    """
    made = Copies(tmp_path / "made")
    whole = tmp_path / "whole"
    shutil.copytree(made.first, whole)
    late = made.go_on(whole, "late 1", "late 2")
    with closing(open_ledger(made.first)) as ledger:
        ledger.commit([entry(stake(SETTINGS, token)) for token in ("late 1", "late 2")])
        damage(made.first, "UPDATE journal SET body = '[]' WHERE seq = 17")
        shutil.copytree(made.first, made.first.with_name("hot"))
    assert (made.first.with_name("hot") / "ledger.db-wal").stat().st_size > 0
    for at in numbers(4):
        copies = copy_all(made, tmp_path / str(at))
        ended = cut_off(copies, at)
        assert ended.returncode in (0, 9), ended.stderr
        if not verify(copies.first).sound:
            copies.repair()
        assert verify(copies.first).head == late, f"cut off before step {at}"
        assert content(copies.first) == content(whole)
        if ended.returncode == 0:
            break
    assert at > 10


def copy_all(made: Copies, to: Path) -> Copies:
    copies = object.__new__(Copies)
    copies.first, copies.second = to / "ledger", to / "second"
    shutil.copytree(made.first.with_name("hot"), copies.first)
    shutil.copytree(made.second, copies.second)
    return copies
