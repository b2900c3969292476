"""A small ledger of a whole table, as a start finds it: what is damaged by `corruptions`."""

import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.rules.codes import Fault
from console.rules.state import TableState
from console.service.start import state_at_start
from console.service.table_ledger import LOCK_FILE, TableLedger
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import VerificationReport, newest_record, read_records, verify
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.ledger.schema import FILE, LOG_FILE
from jackpot.trust.seal_file import SealFile
from tests.console.table import Table
from tests.jackpot.recorded_disk import Folder

PLAN = TablePlan()
SEAL = "seal"
"""What the seal is called among the files of a `Folder`; it is put elsewhere than the ledger."""

EARLIER = (
    *("press GAME_OVER", "token 1 2", "press COIN_IN", "wait 1s", "press FLUSH", "key JPL"),
    *("press JPOT", "key R", "press GAME_OVER", "token 3 4 5", "press COIN_IN", "wait 1s"),
)
A_SNAPSHOT = (
    *("disk full", "press JPOT", "expect fault LEDGER_FAULT", "disk ok", "key S"),
    *("clear LEDGER_FAULT", "key R", "expect phase PLAYING"),
)
SINCE = (
    *("press GAME_OVER", "token 1 6 7", "press COIN_IN", "wait 1s", "declare hand-void 6 returned"),
    *("press FULL_HOUSE", "key JPL", "press JPOT", "press JPOT", "expect phase AWARDING"),
)


@dataclass(frozen=True, slots=True)
class SoundLedger:
    """An undamaged ledger, and what must be found in it.

    `closed`: its files after an end in order; `killed`: with what was committed last in the log
    alone. `older`: as a kill would have left it after each act before. All have the same lock file
    and the seal of their newest record. `locked`: the lock file of a table that a fault has locked.
    """

    closed: Folder
    killed: Folder
    older: tuple[Folder, ...]
    locked: bytes
    state: TableState
    report: VerificationReport
    journal: tuple[Record, ...]


def sound_ledger(work: Path) -> SoundLedger:
    """Play it in this new folder."""
    older: list[Folder] = []
    with machine_in_virtual_time(PLAN, work) as machine:
        table = Table(PLAN, machine)
        for line in (*EARLIER, *A_SNAPSHOT, *SINCE):
            older.append(_files(work))
            table.play(line)
        killed = _files(work)
    ledger = work / "ledger"
    with closing(TableLedger(ledger, durable=False, begins=True)) as table_ledger:
        state = state_at_start(table_ledger, PLAN.settings(), "")
    assert newest_record(ledger, kind="snapshot") is not None
    return SoundLedger(
        _files(work),
        killed,
        tuple(one for one in older if one[SEAL] != killed[SEAL]),
        _lock_file(work),
        state,
        verify(ledger),
        tuple(read_records(ledger)),
    )


def put(folder: Mapping[str, bytes], ledger: Path, seal: Path) -> None:
    """Lay these files down, and nothing else."""
    ledger.mkdir(exist_ok=True)
    for file in ledger.iterdir():
        file.unlink()
    seal.unlink(missing_ok=True)
    for name, content in folder.items():
        (seal if name == SEAL else ledger / name).write_bytes(content)


def _files(work: Path) -> Folder:
    names = (FILE, LOG_FILE, LOCK_FILE)
    files = [work / "ledger" / name for name in names]
    found = {file.name: file.read_bytes() for file in files if file.exists()}
    return found | {SEAL: _seal(work)}


def _seal(work: Path) -> bytes:
    """That of the newest record."""
    file = work / "sealed"
    file.unlink(missing_ok=True)
    seal = SealFile(file, work / "ledger", PLAN.table, durable=False)
    seal.begin_anew()
    seal.compare()
    return file.read_bytes()


def _lock_file(work: Path) -> bytes:
    file = work / "locked"
    shutil.copy(work / "ledger" / LOCK_FILE, file)
    LockFile(file, durable=False).set(Lock(Fault.LEDGER_FAULT.value, "disk full", "21:00"))
    return file.read_bytes()
