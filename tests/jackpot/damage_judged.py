"""What the product makes of a damaged ledger.

Detected: the table starts locked; or the second look locks it, and what it shows until then is
right. Harmless: state, balances and every record are those of the sound ledger, and it verifies, or
can be played on. Anything else is missed.
"""

from contextlib import closing
from enum import Enum
from pathlib import Path

from console.books import Books
from console.scribe import DISK_ERRORS
from console.start import state_at_start
from jackpot.failures import LedgerCorrupt
from jackpot.ledger import Ledger, Record, read_records, verify
from jackpot.looking_through import LookingThrough
from jackpot.seal import SealFile
from jackpot.witness import Witness
from tests.jackpot.money import entry
from tests.jackpot.recorded_disk import Folder
from tests.jackpot.sound_ledger import PLAN, Sound, put

PAGE = 16
PLAYED_ON = 40
"""Records written on a ledger of which only SQLite complains."""

HEARD_WITHIN_S = 20.0


class Found(Enum):
    """What came of one damaged ledger."""

    AT_START = "at start"
    BY_SEAL = "by the seal"
    BEHIND = "behind it"
    HARMLESS = "harmless"
    MISSED = "missed"


class Missed(AssertionError):
    """A damaged ledger was neither detected nor harmless."""


class Judge:
    """Starts the product on one damaged ledger after another."""

    def __init__(self, sound: Sound, work: Path) -> None:
        self._sound = sound
        self._ledger = work / "ledger"
        self._seal = work / "seal"
        work.mkdir(exist_ok=True)

    def judge(self, folder: Folder) -> Found:
        """What comes of it. Raises Missed, and whatever the product raises and should not."""
        put(folder, self._ledger, self._seal)
        found = self._started()
        return found if found is not None else self._untouched()

    def _started(self) -> Found | None:
        """What a start finds, or what is found behind it; None: nothing."""
        with closing(Books(self._ledger, durable=False, witnesses=self._witnesses)) as books:
            state = state_at_start(books, PLAN.settings(), "")
            if state.locked:
                lock = books.locked()
                _right(lock is not None, "the table is locked, and its lock file does not say so")
                sealed = lock is not None and "had been seen" in lock.why
                return Found.BY_SEAL if sealed else Found.AT_START
            try:
                books.witnesses[0].hear(HEARD_WITHIN_S)
            except LedgerCorrupt:
                return Found.BY_SEAL  # a busy machine: heard later, it locks the next act
            _right(state == self._sound.state, f"the table starts with another state: {state}")
            try:
                looking = LookingThrough(self._ledger)
                while not looking.page(PAGE):
                    pass
            except LedgerCorrupt:
                return Found.BEHIND
        return None

    def _untouched(self) -> Found:
        """It is harmless if everything is what it was."""
        report = verify(self._ledger)
        if not report.sound:
            return self._played_on(report.problems)
        _right(report == self._sound.report, f"it verifies as another: {report}")
        _right(self._journal() == self._sound.journal, "it has other records")
        return Found.HARMLESS

    def _played_on(self, problems: tuple[str, ...]) -> Found:
        """SQLite finds fault with its file, and every record is right: it must stay so."""
        try:
            with closing(Ledger.open(self._ledger, durable=False)) as ledger:
                ledger.begin(ledger.recovered.boot + 1)
                last = self._sound.journal[-1].round
                for number in range(PLAYED_ON):
                    ledger.commit([entry(round=last, number=number)])
        except DISK_ERRORS:
            return Found.BEHIND  # the table locks as it plays
        looking = LookingThrough(self._ledger)
        while not looking.page(PAGE):
            pass
        journal = self._journal()
        kept = len(self._sound.journal)
        _right(len(journal) == kept + PLAYED_ON, f"{problems}: {len(journal)} records")
        _right(journal[:kept] == self._sound.journal, f"{problems}: other records")
        return Found.HARMLESS

    def _journal(self) -> tuple[Record, ...]:
        return tuple(read_records(self._ledger))

    def _witnesses(self, ledger: Path) -> tuple[Witness, ...]:
        return (SealFile(self._seal, ledger, PLAN.table, durable=False),)


def _right(true: bool, otherwise: str) -> None:
    if not true:
        raise Missed(otherwise)
