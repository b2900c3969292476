"""Repairing a ledger from its second copy, or the copy from the ledger (decision 0007).

First it is found out what lies where, then what would be done is told, and only then is it done.
Nothing is deleted: what is replaced is kept beside it as `ledger.db.damaged-1`, `-2`, ...
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import Enum
from itertools import islice, takewhile
from pathlib import Path

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from jackpot.folder import hand_over, sync_folder
from jackpot.journal import Head
from jackpot.reading import Stored, cached_balances
from jackpot.schema import (
    FILE,
    LOG_FILE,
    connect,
    connect_for_reading,
    open_database,
    told_as,
)
from jackpot.seal import Seal, free_name, hold_against
from jackpot.second_copy import PAGE, Writing, copy_whole, fitting_on, parts_at
from jackpot.verification import VerificationReport, verify

RESTORED = "restored.new"
"""The folder, beside the file, in which the new one is made before it takes the other's place."""


class Side(Enum):
    """Which copy."""

    FIRST = "ledger"
    SECOND = "copy"


class NoRepair(Exception):
    """There is nothing that can be done; the text says why, and what a person may do."""


@dataclass(frozen=True, slots=True)
class Found:
    """A copy of the ledger as it lies there: its verification, or why there is none.

    `log_alone`: its write-ahead log was left without it.
    """

    folder: Path
    report: VerificationReport | None
    why: str = ""
    absent: bool = False
    log_alone: bool = False

    @property
    def sound(self) -> bool:
        """It verifies from the first record to the last."""
        return self.report is not None and self.report.sound

    @property
    def head(self) -> Head:
        """Its newest record, as far as it can be read."""
        return self.report.head if self.report is not None else Head(0, "")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found.

    `parts`: the first record that is not the same in both, of two that can be read; the first that
    only one of them has, where one is a beginning of the other; None where they are the same.
    `seal_against`: the sides that do not contain the record that was sealed, and what they say.
    """

    first: Found
    second: Found | None
    parts: int | None
    seal: Seal | None
    seal_against: dict[Side, str]

    def of(self, side: Side) -> Found:
        """One of the copies. Raises NoRepair if there is none."""
        found = self.first if side is Side.FIRST else self.second
        if found is None:
            raise NoRepair("no second copy is named: --mirror FOLDER")
        return found


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done: `target` becomes what the other copy is.

    `kept`: the last record, of those that only the target has, that fits on and goes along (0:
    none). `lost`: the first and the last record that only the target has and will have no more.
    """

    target: Side
    source: Side
    kept: int = 0
    lost: tuple[int, int] | None = None


def found_in(folder: Path) -> Found:
    """Verify what lies in a folder, without changing it."""
    if not (folder / FILE).exists():
        alone = (folder / LOG_FILE).exists()
        why = "there is none, only its write-ahead log" if alone else "there is none"
        return Found(folder, None, why, absent=True, log_alone=alone)
    try:
        return Found(folder, verify(folder))
    except (LedgerUnavailable, LedgerCorrupt) as error:
        return Found(folder, None, str(error))


def diagnose(first: Path, second: Path | None, seal: Seal | None) -> Diagnosis:
    """Find out what lies where."""
    one = found_in(first)
    other = found_in(second) if second is not None else None
    against: dict[Side, str] = {}
    for side, found in ((Side.FIRST, one), (Side.SECOND, other)):
        if seal is not None and found is not None and found.report is not None:
            try:
                hold_against(seal, found.folder, seal.table)
            except (LedgerCorrupt, LedgerUnavailable) as error:
                against[side] = str(error)
    return Diagnosis(one, other, _parts(one, other), seal, against)


def planned(diagnosis: Diagnosis, source: Side | None = None) -> Plan | None:
    """What to do; None: nothing is to be restored. `source`: the copy that a person trusts.

    Raises NoRepair.
    """
    source = source or _trusted(diagnosis)
    if source is None:
        return None
    target = Side.SECOND if source is Side.FIRST else Side.FIRST
    good, bad = diagnosis.of(source), diagnosis.of(target)
    if not good.sound:
        raise NoRepair(f"{good.folder} is not sound: nothing can be restored from it")
    if bad.sound and bad.head == good.head:
        return None
    if bad.sound and diagnosis.parts is None:
        return Plan(target, source)
    if bad.sound and diagnosis.parts is not None:
        last = bad.head.seq
        lost = (diagnosis.parts, last) if last >= diagnosis.parts else None
        return Plan(target, source, lost=lost)
    kept = max((one.row.seq for one in _fitting(bad.folder, good.head)), default=0)
    end = max(kept, good.head.seq)
    return Plan(target, source, kept, (end + 1, bad.head.seq) if bad.head.seq > end else None)


def restore(diagnosis: Diagnosis, plan: Plan) -> Path | None:
    """Do it; where what was replaced is kept (None: there was nothing).

    Both folders must be claimed. A crash leaves the file that was there, or the restored one.
    Raises LedgerUnavailable and LedgerCorrupt; nothing was replaced then.
    """
    source, target = diagnosis.of(plan.source).folder, diagnosis.of(plan.target).folder
    made = target / RESTORED
    with told_as("restored"):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        hand_over(made)
        with closing(connect_for_reading(source)) as connection:
            copy_whole(connection, made / FILE)
        if plan.kept:
            _go_on(made, target, diagnosis.of(plan.source).head, plan.kept)
        expected = plan.kept or diagnosis.of(plan.source).head.seq
        report = verify(made)
        if not report.sound or report.head.seq != expected:
            raise LedgerCorrupt(f"what was restored is not sound: {report.problems}")
        kept = _kept_beside(target)
        _lay_log_in(target)
        for left in ("-wal", "-shm"):  # they belong to what is replaced
            (target / f"{FILE}{left}").unlink(missing_ok=True)
        sync_folder(target)  # else a cut may leave them beside the new one, and they would be read
        if kept is not None:
            shutil.copymode(kept, made / FILE)
        (made / FILE).replace(target / FILE)
        sync_folder(target)
        shutil.rmtree(made)
    return kept


def _trusted(diagnosis: Diagnosis) -> Side | None:
    """The copy to restore from; None where both will do. Raises NoRepair."""
    first, second = diagnosis.first, diagnosis.second
    if second is None or second.absent:
        if not first.sound:
            raise NoRepair("the ledger is not sound, and there is no second copy")
        return None
    if first.sound and second.sound:
        return _trusted_of_two(diagnosis, first.head.seq, second.head.seq)
    if first.sound:
        return Side.FIRST
    if second.sound:
        return Side.SECOND
    raise NoRepair("neither copy is sound")


def _trusted_of_two(diagnosis: Diagnosis, ends: int, other_ends: int) -> Side | None:
    parts = diagnosis.parts
    if parts is None and ends >= other_ends:  # what would fit on the copy has been archived
        return Side.FIRST if ends > other_ends else None
    if parts is not None and parts > other_ends:  # the copy is a beginning: the next start goes on
        return None
    if parts is not None and parts > ends:
        return Side.SECOND
    fits = [side for side in Side if side not in diagnosis.seal_against]
    if diagnosis.seal is not None and len(fits) == 1:
        return fits[0]
    raise NoRepair(f"both copies are sound, and {_apart(parts, ends)}")


def _apart(parts: int | None, ends: int) -> str:
    if parts is None:  # it may be the copy of another table
        return (
            f"the ledger ends at record {ends}, before what its copy still has: they cannot be "
            "compared. Find out, on paper, whether the copy is this table's; then --from copy"
        )
    return (
        f"they part at record {parts}: one of them is not what happened. Find out which, on paper; "
        "then name the right one: --from ledger or --from copy"
    )


def _parts(first: Found, second: Found | None) -> int | None:
    if second is None or first.report is None or second.report is None:
        return None
    one, other = first.head, second.head
    if one == other:
        return None
    common = min(one.seq, other.seq)
    with (
        closing(connect_for_reading(first.folder)) as a,
        closing(connect_for_reading(second.folder)) as b,
        told_as("read"),
    ):
        try:
            return parts_at(a, b, common) or common + 1
        except LedgerCorrupt:  # a record is missing: verification has named it
            return None


def _fitting(folder: Path, head: Head) -> Iterator[Stored]:
    """The records of a damaged copy that are chained to a head, as far as they can be read."""
    try:
        with closing(connect_for_reading(folder)) as connection, told_as("read"):
            while True:
                page = fitting_on(connection, head, head.seq + 1)
                yield from page
                head = Head(page[-1].row.seq, page[-1].hash.hex())
    except (LedgerUnavailable, LedgerCorrupt):
        return


def _go_on(made: Path, damaged: Path, head: Head, last: int) -> None:
    """Lay the records that fit on after what was copied."""
    with closing(open_database(connect, made / FILE, durable=True)) as connection:
        writing = Writing(connection, head, cached_balances(connection))
        tail = takewhile(lambda stored: stored.row.seq <= last, _fitting(damaged, head))
        while page := list(islice(tail, PAGE)):
            writing.write(page)
    _sync(made / FILE)


def _kept_beside(target: Path) -> Path | None:
    """Copy what lies there, with its write-ahead log, or that log alone, beside it."""
    kept = free_name(target / FILE)
    parts = [part for part in ("", "-wal") if (target / f"{FILE}{part}").exists()]
    for part in parts:
        copied = kept.with_name(f"{kept.name}{part}")
        shutil.copy(target / f"{FILE}{part}", copied)
        hand_over(copied)
        _sync(copied)
    sync_folder(target)
    return kept.with_name(f"{kept.name}{parts[0]}") if parts else None


def _lay_log_in(target: Path) -> None:
    """What only the log has is in the file then: a cut before it is replaced loses nothing."""
    if not (target / FILE).exists():
        return
    # A damaged file may not take it; both are kept beside.
    with suppress(sqlite3.Error), closing(sqlite3.connect(target / FILE)) as damaged:
        damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _sync(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())
