"""What the product makes of a damaged ledger.

Detected: the table starts locked; or the second look locks it, and what it shows until then is
right. Harmless: state, balances and every record are those of the sound ledger, and it verifies.
Forged ledgers, which nothing can lock, are found by playing the acts again, or are unseen.
Anything else is missed.
"""

from contextlib import closing
from enum import Enum
from pathlib import Path

from console.rules.codes import Fault
from console.rules.records import UnreadableRecord
from console.rules.replay import replay
from console.rules.state import TableState
from console.service.start import state_at_start
from console.service.table_ledger import LOCK_FILE, TableLedger
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.ledger import Record, read_records, verify
from jackpot.ledger.paged_verification import PagedVerification
from jackpot.trust.counterpart import Counterpart
from jackpot.trust.seal_file import SealFile
from tests.deadlines import DEADLINE_S
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import PLAN, SoundLedger, put

PAGE = 16


class Verdict(Enum):
    """What came of one damaged ledger."""

    AT_START = "at start"
    BY_SEAL = "by the seal"
    BEHIND = "behind it"
    BY_VERIFY = "by verify"
    HARMLESS = "harmless"
    UNSEEN = "unseen"
    MISSED = "missed"


class DamageMissed(AssertionError):
    """A damaged ledger was neither detected nor harmless."""


class Judge:
    """Starts the product on one damaged ledger after another."""

    def __init__(self, sound: SoundLedger, work: Path) -> None:
        self._sound = sound
        self._ledger = work / "ledger"
        self._seal = work / "seal"
        work.mkdir(exist_ok=True)

    def judge(self, folder: Folder) -> Verdict:
        """What comes of it. Raises Missed, and whatever the product raises and should not."""
        found = self._start(folder, self._sound.state)
        return found if found is not None else self._expect_untouched()

    def judge_forged(self, folder: Folder) -> Verdict:
        """The same of a ledger that agrees with itself: another state is no surprise.

        What is left is to play its acts again, as `banco ledger verify` does.
        """
        found = self._start(folder, None)
        if found is not None:
            return found
        _right(verify(self._ledger).sound, "it does not verify, and was not locked")
        try:
            problems = [step.problem for step in replay(read_records(self._ledger)) if step.problem]
        except UnreadableRecord:
            return Verdict.BY_VERIFY
        return Verdict.BY_VERIFY if problems else Verdict.UNSEEN

    def _start(self, folder: Folder, expected: TableState | None) -> Verdict | None:
        """What a start finds, or what is found behind it; None: nothing.

        A damaged ledger is LEDGER_CORRUPT, not a disk that cannot be written, unless its lock file
        says otherwise. `expected`: the state the table must start with; None: any.
        """
        put(folder, self._ledger, self._seal)
        other_lock = folder.get(LOCK_FILE) != self._sound.closed[LOCK_FILE]
        with closing(
            TableLedger(self._ledger, durable=False, counterparts=self._witnesses)
        ) as table_ledger:
            state = state_at_start(table_ledger, PLAN.settings(), "")
            if state.locked:
                lock = table_ledger.find_lock()
                explained = (
                    lock is not None or expected is None
                )  # a forged record may say so itself
                _right(explained, "the table is locked, and its lock file does not say so")
                right_fault = Fault.LEDGER_CORRUPT in state.faults or other_lock or lock is None
                _right(right_fault, f"it is taken for the disk's fault: {lock}")
                sealed = lock is not None and "had been seen" in lock.why
                return Verdict.BY_SEAL if sealed else Verdict.AT_START
            try:
                table_ledger.counterparts[0].hear(DEADLINE_S)
            except LedgerCorrupt:
                return Verdict.BY_SEAL  # a busy machine: heard later, it locks the next act
            same = expected is None or state == expected
            _right(same, f"the table starts with another state: {state}")
            try:
                looking = PagedVerification(self._ledger)
                while not looking.page(PAGE):
                    pass
            except LedgerCorrupt:
                return Verdict.BEHIND
        return None

    def _expect_untouched(self) -> Verdict:
        """It is harmless if everything is what it was."""
        report = verify(self._ledger)
        _right(report == self._sound.report, f"it verifies as another: {report}")
        _right(self._journal() == self._sound.journal, "it has other records")
        return Verdict.HARMLESS

    def _journal(self) -> tuple[Record, ...]:
        return tuple(read_records(self._ledger))

    def _witnesses(self, ledger: Path) -> tuple[Counterpart, ...]:
        return (SealFile(self._seal, ledger, PLAN.table, durable=False),)


def _right(true: bool, otherwise: str) -> None:
    if not true:
        raise DamageMissed(otherwise)
