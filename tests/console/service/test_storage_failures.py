"""Storage that fails: the table locks, loses nothing it accepted, and comes back in SERVICE.

docs/reference/rules.md, section 7. At every call of a round:
`python -m tests.console.service.failing_storage --all`; of
what is done outside a round: `make thorough`.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.service.table_ledger import LOCK_FILE
from jackpot.ledger.lock_file import LockFile
from tests.console.service.failing_storage import CLEARED, expect_kept, play_until_failure, sound
from tests.console.table import Table
from tests.jackpot.apsw_disk import Call, Kind
from tests.jackpot.failing_disk import SYNC_LOST, TROUBLES, FailingDisk, Trouble
from tests.jackpot.recorded_disk import Damage, Folder, Platter, put_ledger
from tests.jackpot.recorded_round import ROUNDS, record, table_on
from tests.sampling import Numbers

PLAN = TablePlan()
PLAYING = (
    *("press GAME_OVER", "token 1 2", "press COIN_IN", "wait 1s", "expect phase PLAYING"),
    *("press FLUSH", "key JPL"),
)
AWARDING = (*PLAYING, "press JPOT", "expect pending 100.02")

troubles = pytest.mark.parametrize("trouble", TROUBLES.values(), ids=list(TROUBLES))


@troubles
def test_a_disk_that_fails_in_a_round_locks_and_loses_nothing(
    trouble: Trouble, tmp_path: Path
) -> None:
    """TABLE 7.7, 7.14, 7.17: at every 23rd call of those a round makes"""
    for at in count(2, 23):
        if not play_until_failure(trouble, at, tmp_path / f"{at}"):
            assert at > 2
            return


@troubles
def test_a_disk_that_fails_while_the_fault_is_cleared(
    numbers: Numbers, trouble: Trouble, tmp_path: Path
) -> None:
    """TABLE 7.7: closing, opening, verifying, the commit with its snapshot"""
    disk = FailingDisk()
    with table_on(disk, tmp_path / "ledger", PLAN) as table:
        table.play(*AWARDING)
        awarded = table.state.balances.pending
        for at in numbers(19):
            disk.arm(TROUBLES["full"], 1)
            table.play("press JPOT", "expect fault LEDGER_FAULT", "key S")
            disk.arm(trouble, at)
            table.play("clear LEDGER_FAULT")
            fired = disk.well()
            if Fault.LEDGER_FAULT in table.state.faults:
                table.play("expect refused STILL_FAULTY", "clear LEDGER_FAULT")
            table.play("expect fault none", "key R", "expect phase AWARDING")
            expect_kept(table, disk, tmp_path / f"{at}")
            if not fired:
                break
        assert at > 1
        table.play("key JPL", "key R", "expect phase PLAYING")
        assert table.state.balances.paid == awarded
    sound(tmp_path / "ledger")


@pytest.fixture(scope="module")
def awarding(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """What a cut of power leaves of a ledger in the middle of an award."""
    disk = FailingDisk()
    with table_on(disk, tmp_path_factory.mktemp("awarding") / "ledger", PLAN) as table:
        table.play(*AWARDING)
        return disk.platter.folder_after_cut(Damage.LOST)


@troubles
def test_a_disk_that_fails_at_start_locks_and_nothing_is_forgotten(
    numbers: Numbers, awarding: Folder, trouble: Trouble, tmp_path: Path
) -> None:
    """TABLE 7.7, 7.9: at a call of opening, recovering, and the start's own records"""
    for at in numbers(23):
        work = tmp_path / f"{at}"
        disk = FailingDisk()
        disk.begin_with(put_ledger(awarding, work / "ledger"))
        disk.arm(trouble, at)
        with table_on(disk, work / "ledger", PLAN) as table:
            fired = disk.well()
            if Fault.LEDGER_FAULT in table.state.faults:
                table.play("press GAME_OVER", "expect refused LOCKED", *CLEARED)
            assert Fault.LEDGER_FAULT not in table.state.faults
            table.play("expect phase AWARDING", "expect pending 100.02", "expect winners 1")
            table.play("key JPL", "key R", "expect paid 100.02")
            expect_kept(table, disk, work / "end")
        sound(work / "ledger")
        if not fired:
            assert at > 1
            return


@troubles
def test_a_disk_that_fails_on_a_new_table(
    numbers: Numbers, trouble: Trouble, tmp_path: Path
) -> None:
    """The database is being made: it is made again, and the jackpot is opened once"""
    for at in numbers(23):
        disk = FailingDisk()
        disk.arm(trouble, at)
        work = tmp_path / f"{at}"
        with table_on(disk, work / "ledger", PLAN) as table:
            fired = disk.well()
            if Fault.LEDGER_FAULT in table.state.faults:
                table.play(*CLEARED)
            table.play("expect fault none", "expect jackpot 10000.00")
            expect_kept(table, disk, work / "end")
        if not fired:
            assert at > 1
            return


@troubles
def test_a_disk_that_fails_when_the_table_closes(
    numbers: Numbers, awarding: Folder, trouble: Trouble, tmp_path: Path
) -> None:
    """Everything committed is safe already: the next start finds it"""
    tried: list[Folder] = []
    for at in numbers(15):
        work = tmp_path / f"{at}"
        disk = FailingDisk()
        disk.begin_with(put_ledger(awarding, work / "ledger"))
        with table_on(disk, work / "ledger", PLAN) as table:
            shown = table.state
            disk.arm(trouble, at)
        fired = disk.well()
        for number, damage in enumerate(Damage):
            where, left = work / f"{number}", disk.platter.folder_after_cut(damage)
            if left in tried:
                continue
            tried.append(left)
            put_ledger(left, where / "ledger")
            with table_on(FailingDisk(), where / "ledger", PLAN) as table:
                assert (table.state.award, table.state.balances) == (shown.award, shown.balances)
            sound(where / "ledger")
        if not fired:
            assert at > 1
            return


# A checkpoint comes after a commit that is on the disk already


@pytest.fixture(scope="module")
def before_a_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """A ledger that is some records from its snapshot, behind which its log is emptied."""
    folder = tmp_path_factory.mktemp("recorded") / "ledger"
    recording = record(ROUNDS["two winners"], folder)
    platter = Platter()
    (until,) = (at for at, seq in recording.commits if seq == 230)
    for done in recording.log[:until]:
        platter.take(done)
    return platter.folder_after_cut(Damage.LOST)


def checkpoints(disk: FailingDisk) -> int:
    """How many were finished."""
    return sum(
        isinstance(one, Call) and (one.kind, one.file) == (Kind.SYNC, "ledger.db")
        for one in disk.log
    )


def press_until_checkpoint(table: Table, disk: FailingDisk) -> Iterator[int]:
    """Buttons, refused and recorded, until the disk was asked for a checkpoint or has done one."""
    done = checkpoints(disk)
    for number in range(100):
        if checkpoints(disk) > done or disk.fired:
            return
        table.play("press JPOT")
        yield number
    raise AssertionError("no checkpoint falls due")


@troubles
def test_a_checkpoint_that_fails_takes_nothing_back_and_locks(
    numbers: Numbers, before_a_checkpoint: Folder, trouble: Trouble, tmp_path: Path
) -> None:
    """TABLE 7.7: what came before it holds; the next act finds the table locked"""
    for at in numbers(59):
        work = tmp_path / f"{at}"
        disk = FailingDisk()
        disk.begin_with(put_ledger(before_a_checkpoint, work / "ledger"))
        with table_on(disk, work / "ledger", PLAN) as table:
            disk.arm(trouble, at, file="ledger.db")
            pressed = len(list(press_until_checkpoint(table, disk)))
            assert pressed > 3
            sound(
                put_ledger(disk.platter.folder_after_cut(Damage.REORDERED, at), work / "reordered")
            )
            sound(expect_kept(table, disk, work / "failed", locked=True))
            if disk.fired:
                table.play("press JPOT", "expect fault LEDGER_FAULT")
            fired = disk.well()
            if fired:
                table.play(*CLEARED)
            table.play("expect fault none", *AWARDING[:5])
            expect_kept(table, disk, work / "end")
        sound(work / "ledger")
        if not fired:
            assert at > 1
            return


# A sync that failed


@pytest.mark.parametrize("lock_written", [True, False])
def test_what_a_failed_sync_left_in_memory_is_not_taken_for_kept(
    lock_written: bool, tmp_path: Path
) -> None:
    """The service is killed, the disk is well: what the next one reads and shows is on the disk."""
    disk = FailingDisk()
    with table_on(disk, tmp_path / "ledger", PLAN) as table:
        table.play(*PLAYING)
        disk.arm(SYNC_LOST, 1)
        table.play("press JPOT", "expect fault LEDGER_FAULT")
        assert disk.well()
        disk.kill(tmp_path / "ledger")
    if not lock_written:
        LockFile(tmp_path / "ledger" / LOCK_FILE).clear()
    with table_on(disk, tmp_path / "ledger", PLAN) as table:
        if lock_written:
            table.play("expect fault LEDGER_FAULT", *CLEARED)
        table.play("expect phase AWARDING", "key JPL", "key R", "expect paid 100.02")
        expect_kept(table, disk, tmp_path / "end")
    sound(tmp_path / "ledger")
