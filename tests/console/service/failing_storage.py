"""A round in which the disk fails at its n-th call, is mended, and the table goes on.

`python -m tests.console.service.failing_storage [--all] [--seed N]` tries every kind of trouble
at every call (without --all, at every seventh) and prints a line of JSON; exit status 1 if one
was wrong.
"""

import argparse
import json
import logging
import sys
import time
from collections import Counter
from contextlib import closing
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.codes import Fault
from console.rules.replay import replay
from console.rules.state import TableState
from console.rules.structs import replace
from console.service.disk_thread import DISK_ERRORS
from console.service.start import state_at_start
from console.service.table_ledger import TableLedger
from jackpot.ledger.ledger import newest_record, read_records, rebuild, verify
from jackpot.money.amounts import to_units
from tests.console.table import Table
from tests.jackpot.failing_disk import TROUBLES, FailingDisk, Trouble
from tests.jackpot.recorded_disk import Damage, put_ledger
from tests.jackpot.recorded_round import table_on

ROUND = (
    *("press GAME_OVER", "token 1 2 4", "jam 2", "press COIN_IN", "wait 3s"),
    *("unjam 2", "press COIN_IN", "wait 1s", "cover 4", "wait 1s"),
    *("press ROYAL_FLUSH", "key JPH", "press JPOT", "press JPOT", "key R", "press GAME_OVER"),
)
CLEARED = ("key S", "clear LEDGER_FAULT", "key R")
PLAYED_ON = (
    *("press COIN_IN", "wait 3s", "key JPL", "key R", "press GAME_OVER"),
    *("token 6", "press COIN_IN", "wait 3s", "press GAME_OVER"),
    *("token 5", "press COIN_IN", "wait 3s"),
)
STEP = 7
_SOUND: set[bytes] = set()


def play_until_failure(trouble: Trouble, at: int, work: Path) -> bool:
    """Play the round on a disk that fails at this call; whether it came to that.

    Raises AssertionError when something accepted is lost, or shown without being committed.
    """
    disk, plan = FailingDisk(), TablePlan()
    with table_on(disk, work / "ledger", plan) as table:
        disk.arm(trouble, at)
        for number, line in enumerate(ROUND):
            table.play(line)
            if Fault.LEDGER_FAULT in table.state.faults:
                expect_committed_state(table, disk, work / f"locked {number}")
                disk.well()
                table.play(*CLEARED)
                assert Fault.LEDGER_FAULT not in table.state.faults, "it is not mended"
                sound(expect_kept(table, disk, work / f"cleared {number}"))
        fired = disk.well()
        table.play(*PLAYED_ON)
        token = to_units(plan.money.token)
        taken = -table.state.balances.tray // token
        assert taken == table.machine.cabinet.tray_count > 1, "tokens on record, and in the tray"
        sound(expect_kept(table, disk, work / "end"))
    with closing(TableLedger(work / "ledger", durable=False, begins=True)) as table_ledger:
        assert state_at_start(table_ledger, plan.settings(), "") == table.state
    sound(work / "ledger")
    return fired


def expect_committed_state(table: Table, disk: FailingDisk, work: Path) -> None:
    """It accepts nothing, and shows what was committed last: no more and no less."""
    table.play("press COIN_IN", "expect refused LOCKED", "token 7", "wait 3s", "take 7")
    _, seq = disk.commits[-1]
    state = TableState()
    for record in read_records(
        put_ledger(disk.platter.folder_after_cut(Damage.KEPT), work / "kept")
    ):
        if record.seq <= seq:
            state = records.state_after(state, record.body)
    assert what_counts(table.state) == what_counts(state)
    assert set(table.seen.seats) == state.seats.accepted
    sound(expect_kept(table, disk, work, locked=True))


def expect_kept(table: Table, disk: FailingDisk, work: Path, *, locked: bool = False) -> Path:
    """What COMMIT returned from is on the disk, whatever becomes of what was not synced.

    The folder that a cut of power would leave.
    """
    where = put_ledger(disk.platter.folder_after_cut(Damage.LOST), work / "lost")
    _, seq = disk.commits[-1]
    plan = table.machine.plan
    with closing(TableLedger(where, durable=False)) as table_ledger:
        state = state_at_start(table_ledger, plan.settings(), "")
    assert not state.locked, table_ledger.last_lock
    newest = newest_record(where)
    assert newest is not None
    assert newest.seq >= seq, "records that were acknowledged are lost"
    if not locked:
        assert what_counts(state) == what_counts(table.state)
    return where


def what_counts(state: TableState) -> TableState:
    """What a lock leaves alone: seats, award, accounts; not what only unbroken hearing knows."""
    return TableState(
        phase=state.phase,
        round=state.round,
        balances=state.balances,
        award=state.award,
        choice=state.choice,
        seats=replace(TableState().seats, accepted=state.seats.accepted),
    )


def sound(where: Path) -> None:
    """The ledger verifies, adds up, and its acts lead to what it says; the same one is asked once.

    Wherever the disk failed, what is left of it afterwards is mostly the same.
    """
    if (content := _content(where)) in _SOUND:
        return
    report = verify(where)
    assert report.sound, report.problems
    assert rebuild(where).agrees
    assert sum(report.balances.to_dict().values()) == 0
    assert [r.problem for r in replay(read_records(where)) if r.problem] == []
    _SOUND.add(content)


def _content(where: Path) -> bytes:
    """What is in the ledger's files, as a digest."""
    digest = sha256()
    for path in sorted(where.glob("ledger.db*")):
        if not path.name.endswith("-shm"):  # an index that is made anew from the others
            content = path.read_bytes()
            digest.update(f"{path.name} {len(content)} ".encode() + content)
    return digest.digest()


def main(arguments: list[str] | None = None) -> int:
    """Try them, print what came of it; 1: something was wrong."""
    parser = argparse.ArgumentParser(description="a disk that fails at each call of a round")
    parser.add_argument("--all", action="store_true", help="every call, not every seventh")
    parser.add_argument("--seed", type=int, default=1, help="at which call to begin (default: 1)")
    asked = parser.parse_args(arguments)
    logging.disable()  # each lock is logged, and here every call brings one
    began = time.monotonic()
    tried: Counter[str] = Counter()
    wrong: list[str] = []
    for name, trouble in TROUBLES.items():
        for at in count(1, 1) if asked.all else count(1 + asked.seed % STEP, STEP):
            with TemporaryDirectory() as work:
                try:
                    fired = play_until_failure(trouble, at, Path(work))
                except (AssertionError, *DISK_ERRORS) as error:
                    fired = True
                    wrong.append(f"{name}, call {at}: {type(error).__name__}: {error}")
            if not fired:
                break
            tried[name] += 1
    counts = {"tried": dict(tried), "wrong": len(wrong), "seconds": round(time.monotonic() - began)}
    print(json.dumps({"seed": asked.seed, "calls": sum(tried.values()), **counts}))
    print(*wrong, sep="\n", end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
