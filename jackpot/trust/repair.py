"""Repairs a ledger from its second copy, or the copy from the ledger (decision 0003).

`diagnose` inspects both copies, `plan_repair` says what to do, `restore` does it. Nothing is
deleted: a replaced file is kept beside the new one as `ledger.db.damaged-1`, `-2`, ...
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from enum import Enum
from itertools import islice, takewhile
from pathlib import Path

from msgspec import Struct

from jackpot.failures import LedgerCorrupt, LedgerUnavailable, Refused
from jackpot.ledger.folder import hand_over, sync_folder
from jackpot.ledger.journal import Head
from jackpot.ledger.reading import Stored, read_cached_balances
from jackpot.ledger.schema import (
    FILE,
    LOG_FILE,
    connect,
    connect_for_reading,
    convert_disk_errors,
    open_database,
)
from jackpot.ledger.verification import VerificationReport, verify
from jackpot.trust.seal import Seal, free_name, hold_against
from jackpot.trust.second_copy import PAGE, OpenCopy, copy_whole, find_parting, read_next_page

RESTORED = "restored.new"
"""The folder in which the new file is made before it replaces the old one."""


class Side(Enum):
    """Which copy."""

    FIRST = "ledger"
    SECOND = "copy"


class CopyState(Struct, frozen=True):
    """One copy of the ledger: its verification, or why it could not be verified."""

    folder: Path
    report: VerificationReport | None
    why: str = ""
    """Why there is no report."""
    absent: bool = False
    log_alone: bool = False
    """The write-ahead log is there without its database."""

    @property
    def sound(self) -> bool:
        """It verifies from the first record to the last."""
        return self.report is not None and self.report.sound

    @property
    def head(self) -> Head:
        """Its newest record, as far as it can be read."""
        return self.report.head if self.report is not None else Head(0, "")


class Diagnosis(Struct, frozen=True):
    """The state of both copies, compared with each other and with the seal."""

    first: CopyState
    second: CopyState | None
    parting: int | None
    """Of two readable copies, the first record that differs or that only one of them has; None if
    they are equal."""
    seal: Seal | None
    seal_against: dict[Side, str]
    """The sides that do not contain the sealed record, with the reason."""

    def of(self, side: Side) -> CopyState:
        """One of the copies. Raises Refused if it does not exist."""
        found = self.first if side is Side.FIRST else self.second
        if found is None:
            raise Refused("no second copy is named: --mirror FOLDER")
        return found


class RepairPlan(Struct, frozen=True):
    """What to do: replace `target` with a copy of `source`."""

    target: Side
    source: Side
    kept: int = 0
    """The last of the target's own records that are kept because they fit; 0: none."""
    lost: tuple[int, int] | None = None
    """The first and the last of the target's own records that are lost."""


def inspect_copy(folder: Path) -> CopyState:
    """Verify the copy in a folder without changing it."""
    if not (folder / FILE).exists():
        alone = (folder / LOG_FILE).exists()
        why = "there is none, only its write-ahead log" if alone else "there is none"
        return CopyState(folder, None, why, absent=True, log_alone=alone)
    try:
        return CopyState(folder, verify(folder))
    except (LedgerUnavailable, LedgerCorrupt) as error:
        return CopyState(folder, None, str(error))


def diagnose(first: Path, second: Path | None, seal: Seal | None) -> Diagnosis:
    """Verify both copies and compare them without changing them."""
    one = inspect_copy(first)
    other = inspect_copy(second) if second is not None else None
    against: dict[Side, str] = {}
    for side, found in ((Side.FIRST, one), (Side.SECOND, other)):
        if seal is not None and found is not None and found.report is not None:
            try:
                hold_against(seal, found.folder, seal.table)
            except (LedgerCorrupt, LedgerUnavailable) as error:
                against[side] = str(error)
    return Diagnosis(one, other, _find_parting(one, other), seal, against)


def plan_repair(diagnosis: Diagnosis, source: Side | None = None) -> RepairPlan | None:
    """The plan; None if there is nothing to restore. `source`: the copy that a person trusts.

    Raises Refused.
    """
    source = source or _choose_source(diagnosis)
    if source is None:
        return None
    target = Side.SECOND if source is Side.FIRST else Side.FIRST
    good, bad = diagnosis.of(source), diagnosis.of(target)
    if not good.sound:
        raise Refused(f"{good.folder} is not sound: nothing can be restored from it")
    if bad.sound and bad.head == good.head:
        return None
    if bad.sound and diagnosis.parting is None:
        return RepairPlan(target, source)
    if bad.sound and diagnosis.parting is not None:
        last = bad.head.seq
        lost = (diagnosis.parting, last) if last >= diagnosis.parting else None
        return RepairPlan(target, source, lost=lost)
    kept = max((one.row.seq for one in _read_following(bad.folder, good.head)), default=0)
    end = max(kept, good.head.seq)
    return RepairPlan(target, source, kept, (end + 1, bad.head.seq) if bad.head.seq > end else None)


def restore(diagnosis: Diagnosis, plan: RepairPlan) -> Path | None:
    """Replace the target; returns the path of the kept old file (None: there was none).

    Both folders must be claimed. A crash leaves either the old file or the restored one. Raises
    LedgerUnavailable and LedgerCorrupt; then nothing was replaced.
    """
    source, target = diagnosis.of(plan.source).folder, diagnosis.of(plan.target).folder
    made = target / RESTORED
    with convert_disk_errors("restored"):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        hand_over(made)
        with closing(connect_for_reading(source)) as connection:
            copy_whole(connection, made / FILE)
        if plan.kept:
            _append_records(made, target, diagnosis.of(plan.source).head, plan.kept)
        expected = plan.kept or diagnosis.of(plan.source).head.seq
        report = verify(made)
        if not report.sound or report.head.seq != expected:
            raise LedgerCorrupt(f"what was restored is not sound: {report.problems}")
        kept = _keep_beside(target)
        _empty_log(target)
        for left in ("-wal", "-shm"):  # they belong to the replaced file
            (target / f"{FILE}{left}").unlink(missing_ok=True)
        sync_folder(
            target
        )  # otherwise a power cut may leave them beside the new file, and they would be read
        if kept is not None:
            shutil.copymode(kept, made / FILE)
        (made / FILE).replace(target / FILE)
        sync_folder(target)
        shutil.rmtree(made)
    return kept


def _choose_source(diagnosis: Diagnosis) -> Side | None:
    """The copy to restore from; None if both are sound. Raises Refused."""
    first, second = diagnosis.first, diagnosis.second
    if second is None or second.absent:
        if not first.sound:
            raise Refused("the ledger is not sound, and there is no second copy")
        return None
    if first.sound and second.sound:
        return _choose_of_two_sound(diagnosis, first.head.seq, second.head.seq)
    if first.sound:
        return Side.FIRST
    if second.sound:
        return Side.SECOND
    raise Refused("neither copy is sound")


def _choose_of_two_sound(diagnosis: Diagnosis, ends: int, other_ends: int) -> Side | None:
    parting = diagnosis.parting
    if parting is None and ends >= other_ends:  # the records that would fit were archived
        return Side.FIRST if ends > other_ends else None
    if (
        parting is not None and parting > other_ends
    ):  # the copy is a beginning: the next start continues it
        return None
    if parting is not None and parting > ends:
        return Side.SECOND
    fits = [side for side in Side if side not in diagnosis.seal_against]
    if diagnosis.seal is not None and len(fits) == 1:
        return fits[0]
    raise Refused(f"both copies are sound, and {_describe_parting(parting, ends)}")


def _describe_parting(parting: int | None, ends: int) -> str:
    if parting is None:  # it may be the copy of another table
        return (
            f"the ledger ends at record {ends}, before what its copy still has: they cannot be "
            "compared. Find out, on paper, whether the copy is this table's; then --from copy"
        )
    return (
        f"they part at record {parting}: one of them is not what happened. Find out which, on "
        "paper; then name the right one: --from ledger or --from copy"
    )


def _find_parting(first: CopyState, second: CopyState | None) -> int | None:
    if second is None or first.report is None or second.report is None:
        return None
    one, other = first.head, second.head
    if one == other:
        return None
    common = min(one.seq, other.seq)
    with (
        closing(connect_for_reading(first.folder)) as a,
        closing(connect_for_reading(second.folder)) as b,
        convert_disk_errors("read"),
    ):
        try:
            return find_parting(a, b, common) or common + 1
        except LedgerCorrupt:  # a record is missing: the verification has named it
            return None


def _read_following(folder: Path, head: Head) -> Iterator[Stored]:
    """The records of a damaged copy after a head, as far as they can be read."""
    try:
        with closing(connect_for_reading(folder)) as connection, convert_disk_errors("read"):
            while True:
                page = read_next_page(connection, head, head.seq + 1)
                yield from page
                head = Head(page[-1].row.seq, page[-1].hash.hex())
    except (LedgerUnavailable, LedgerCorrupt):
        return


def _append_records(made: Path, damaged: Path, head: Head, last: int) -> None:
    """Append to the copy those of the damaged copy's records that fit."""
    with closing(open_database(connect, made / FILE, durable=True)) as connection:
        writing = OpenCopy(connection, head, read_cached_balances(connection))
        tail = takewhile(lambda stored: stored.row.seq <= last, _read_following(damaged, head))
        while page := list(islice(tail, PAGE)):
            writing.write(page)
    _sync(made / FILE)


def _keep_beside(target: Path) -> Path | None:
    """Keep a copy of the old file and its write-ahead log beside it; None if there is neither."""
    kept = free_name(target / FILE)
    parts = [part for part in ("", "-wal") if (target / f"{FILE}{part}").exists()]
    for part in parts:
        copied = kept.with_name(f"{kept.name}{part}")
        shutil.copy(target / f"{FILE}{part}", copied)
        hand_over(copied)
        _sync(copied)
    sync_folder(target)
    return kept.with_name(f"{kept.name}{parts[0]}") if parts else None


def _empty_log(target: Path) -> None:
    """Move the log into the file, so that a power cut before the replacement loses nothing."""
    if not (target / FILE).exists():
        return
    # A damaged file may refuse this; both are kept beside the new one.
    with suppress(sqlite3.Error), closing(sqlite3.connect(target / FILE)) as damaged:
        damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _sync(file: Path) -> None:
    with file.open("rb") as written:
        os.fsync(written.fileno())
