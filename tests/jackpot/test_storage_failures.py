"""The ledger alone on a disk that fails at each call: all of a batch is kept or none of it."""

from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from jackpot.ledger.ledger import Ledger, LedgerUnavailable, rebuild, verify
from jackpot.money.movements import opening, stake
from tests.jackpot.apsw_disk import Kind
from tests.jackpot.failing_disk import SYNC_LOST, TROUBLES, FailingDisk, Trouble
from tests.jackpot.money import SETTINGS, entry, open_ledger
from tests.jackpot.recorded_disk import Damage

TOKEN = -SETTINGS.token * 10_000

troubles = pytest.mark.parametrize("trouble", TROUBLES.values(), ids=list(TROUBLES))


def begin_ledger(folder: Path, disk: FailingDisk) -> Ledger:
    """The folder's ledger on this disk, with its next boot and its first commit."""
    ledger = Ledger.open(folder, connect=disk.connect)
    ledger.begin(ledger.recovered.boot + 1)
    ledger.commit([entry(opening(SETTINGS))])
    return ledger


def can_open(folder: Path, disk: FailingDisk) -> bool:
    """Whether the ledger can be opened; if not, it is for the disk's sake."""
    try:
        Ledger.open(folder, connect=disk.connect).close()
    except LedgerUnavailable:
        return False
    return True


def cut_power(disk: FailingDisk, damage: Damage, seed: int, where: Path) -> Path:
    """What a cut of power leaves now."""
    where.mkdir()
    for name, content in disk.platter.folder_after_cut(damage, seed).items():
        (where / name).write_bytes(content)
    return where


@troubles
def test_a_batch_that_failed_is_there_whole_or_not_at_all(trouble: Trouble, tmp_path: Path) -> None:
    """A snapshot in it: after the failure, and after any cut of power that follows"""
    batch = [
        entry(stake(SETTINGS, "token 2"), stake(SETTINGS, "token 3")),
        entry(kind="snapshot", phase="PLAYING"),
        entry(stake(SETTINGS, "token 4")),
    ]
    for at in count(1):
        disk = FailingDisk()
        ledger = begin_ledger(tmp_path / f"{at}", disk)
        ledger.commit([entry(stake(SETTINGS, "token 1"))])
        disk.arm(trouble, at)
        try:
            ledger.commit(batch)
        except LedgerUnavailable:
            assert (ledger.balances.tray, ledger.head.seq) == (TOKEN, 2)
            with pytest.raises(LedgerUnavailable, match="nothing more is written"):
                ledger.commit(batch)
            promised = {2, 5}
        else:
            promised = {5}
        fired = disk.well()
        for number, damage in enumerate(Damage):
            where = cut_power(disk, damage, at, tmp_path / f"{at} {number}")
            with closing(Ledger.open(where, durable=False)) as found:
                assert found.recovered.seq in promised
                assert found.balances.tray == (4 * TOKEN if found.recovered.seq == 5 else TOKEN)
            assert verify(where).sound
            assert rebuild(where).agrees
        ledger.close()
        with closing(open_ledger(tmp_path / f"{at}")) as again:
            again.commit(batch)
            assert again.balances.tray == 4 * TOKEN, "asked again, moved once"
        if not fired:
            assert at > 1
            return


@troubles
def test_a_ledger_that_cannot_be_opened_says_so_and_lets_go(
    trouble: Trouble, tmp_path: Path
) -> None:
    disk = FailingDisk()
    killed = begin_ledger(tmp_path, disk)
    disk.kill(tmp_path)  # so that the log is there, to be recovered from
    killed.close()
    refused = 0
    for at in count(1):
        disk.arm(trouble, at)
        refused += not can_open(tmp_path, disk)
        if not disk.well():
            break
    # A recovery only reads; what it writes, it writes when it is closed.
    assert (refused > 0) == (Kind.READ in trouble.kinds)
    with closing(open_ledger(tmp_path)) as ledger:
        assert ledger.recovered.seq == 1


def test_a_failed_sync_is_not_asked_again_as_if_it_had_succeeded(tmp_path: Path) -> None:
    """The same connection is never used again: the disk is asked for nothing by it"""
    disk = FailingDisk()
    ledger = begin_ledger(tmp_path, disk)
    disk.arm(SYNC_LOST, 1)
    with pytest.raises(LedgerUnavailable):
        ledger.commit([entry(stake(SETTINGS, "token 1"))])
    assert disk.well()
    done = len(disk.log)
    for _ in range(3):
        with pytest.raises(LedgerUnavailable, match="nothing more is written"):
            ledger.commit([entry(stake(SETTINGS, "token 1"))])
    assert len(disk.log) == done
    ledger.close()
    with closing(Ledger.open(tmp_path, connect=disk.connect)) as again:
        again.begin(2)
        again.commit([entry(stake(SETTINGS, "token 1"))])
        with closing(
            Ledger.open(cut_power(disk, Damage.LOST, 1, tmp_path / "cut"), durable=False)
        ) as cut:
            assert cut.balances.tray == TOKEN
