"""The ledger as the service uses it: opened, written, opened again after a failure, locked.

A commit whose outcome is not known is never repeated: the ledger is opened again, and what it
then says is what happened (docs/rules.md, section 7).
"""

import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from console.rules.codes import Fault
from console.rules.records import UnreadableRecord, find_raise_times
from console.service.second_look import SecondLook
from console.service.witnesses import (
    COMPARED_WITHIN_S,
    Witnesses,
    WitnessThread,
    ask_whether_begun,
    numbers_of,
)
from jackpot.journal import Entry, Head, Recovered
from jackpot.ledger import Connect, Ledger, LedgerCorrupt, LedgerUnavailable
from jackpot.lock_file import Lock, LockFile
from jackpot.schema import connect as connect_to_file
from jackpot.schema import has_ledger, told_as
from jackpot.witness import Noted

LOCK_FILE = "lock"


@dataclass(frozen=True, slots=True)
class CommitTimes:
    """How many commits the disk has made since the start, and how long they took."""

    count: int = 0
    total_ms: float = 0.0
    last_ms: float = 0.0
    max_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        """0 before the first one."""
        return self.total_ms / self.count if self.count else 0.0

    def with_one(self, ms: float) -> "CommitTimes":
        """These and one more."""
        return CommitTimes(self.count + 1, self.total_ms + ms, ms, max(self.max_ms, ms))


class TableLedger:
    """One table's ledger and the lock beside it, in one folder.

    `durable=False` leaves out the syncs, for play where there is no power to lose. `witnesses`:
    what the ledger is held against at every opening. `second_look`: what reads all of it behind.
    """

    def __init__(
        self,
        folder: Path,
        *,
        connect: Connect = connect_to_file,
        durable: bool = True,
        witnesses: Witnesses = lambda _: (),
        second_look: SecondLook | None = None,
    ) -> None:
        self._folder = folder
        self._connect = connect
        self._durable = durable
        self._ledger: Ledger | None = None
        self._lock = LockFile(folder / LOCK_FILE, durable=durable)
        self._begun = False  # the lock file says that the table has begun
        self.commit_times = CommitTimes()
        self.boot = 0  # this start's number in the ledger, once it has been opened
        self.newest = 0  # the number of the newest record
        self.raised: dict[str, str] = {}  # when faults were raised before this start, by code
        self.last_lock: Lock | None = None
        self.witnesses = [WitnessThread(witness) for witness in witnesses(folder)]
        self._second_look = second_look
        self._looked_through = True  # unless it has once been found corrupt

    def open(self) -> Recovered:
        """Open, verify, and hold against the witnesses; then have all of it looked at behind this.

        Only a table that has not begun gets a new one (docs/dev/decisions/0009). One that was found
        corrupt is read whole first. Raises LedgerUnavailable, LedgerCorrupt.
        """
        self._let_go()
        self._find_out_whether_begun()
        ledger = Ledger.open(
            self._folder, connect=self._connect, durable=self._durable, begun=self._begun
        )
        self._ledger = ledger
        try:
            self._hold_against_witnesses(ledger.recovered)
            self._look_again()
            self._note_begun(ledger.head)
            self.raised = find_raise_times(ledger.recovered.tail)
        except UnreadableRecord as error:
            self._let_go()
            raise LedgerCorrupt(str(error)) from error
        except (LedgerCorrupt, LedgerUnavailable):
            self._let_go()
            raise
        self.boot = ledger.recovered.boot + 1
        self.newest = ledger.recovered.head.seq
        ledger.begin(self.boot)
        return ledger.recovered

    def commit(self, entries: Sequence[Entry]) -> bool:
        """Write the entries, all or none; True: a snapshot is due.

        Raises LedgerUnavailable, IdentityConflict, see `Ledger.commit`; LedgerCorrupt where there
        is a `doubt`.
        """
        if self._ledger is None:
            raise LedgerUnavailable("the ledger is not open")
        if self.doubt:
            self._let_go()
            raise LedgerCorrupt(self.doubt)
        began = time.perf_counter()
        head = self._ledger.commit(entries)
        self.newest = head.seq
        self._note_begun(head)
        self.commit_times = self.commit_times.with_one((time.perf_counter() - began) * 1000)
        if entries:
            for witness in self.witnesses:
                witness.note(Noted(head, entries[-1].wall))
        return self._ledger.wants_snapshot

    @property
    def doubt(self) -> str:
        """What was heard since the opening, why the ledger is corrupt; "" if nothing was."""
        heard = [witness.parted for witness in self.witnesses]
        if self._second_look is not None:
            heard.append(self._second_look.found)
        return next(filter(None, heard), "")

    def when_found(self, tell: Callable[[], None]) -> None:
        """Have this called, in any thread, when the second look finds something, or if it has."""
        if self._second_look is not None:
            self._second_look.when_found(tell)

    def witness_numbers(self) -> Mapping[str, float]:
        """The witnesses' figures, by their keys in docs/health.md."""
        return numbers_of(self.witnesses)

    def note_lock(self, lock: Lock) -> Lock:
        """The table is locked, for this reason; `keep_lock` has the lock outlive the power."""
        self._know_lock(lock)
        return lock

    def keep_lock(self, lock: Lock) -> None:
        """Write the lock where a full disk cannot lose it. Raises OSError."""
        self._lock.set(lock)

    def keep_in_lock(self, service: bool, tokens: Set[int]) -> None:
        """Note in the lock whether the table is in SERVICE, and more seats where tokens may be in.

        Raises OSError.
        """
        lock = self._lock.read()
        if lock is not None:
            unproved = tuple(sorted({*lock.unproved, *tokens}))
            self._lock.set(replace(lock, service=service, unproved=unproved))

    def unlock(self) -> None:
        """The fault is cleared. Raises OSError."""
        self._lock.clear()

    def locked(self) -> Lock | None:
        """The lock a run before this one left; one that cannot be read has no `since`."""
        self._know_lock(self._lock.read())
        return self.last_lock

    def close(self) -> None:
        """Let go of the folder, and of the witnesses once they have it all, or their time is over.

        Raises LedgerUnavailable.
        """
        if self._second_look is not None:
            self._second_look.end()
        for witness in self.witnesses:
            witness.end()
        for witness in self.witnesses:
            witness.join()
        self._let_go()

    def _find_out_whether_begun(self) -> None:
        """Raises LedgerUnavailable, and LedgerCorrupt where a witness has seen another ledger."""
        with told_as("opened"):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._begun = self._lock.begun
            if self._begun:
                return
            self._lock.make()
            there = has_ledger(self._folder)
        if not there:
            ask_whether_begun(self.witnesses)

    def _note_begun(self, newest: Head) -> None:
        """Raises LedgerUnavailable: nothing is shown of a table that could begin once more."""
        if self._begun or newest.seq == 0:
            return
        with told_as("begun"):
            self._lock.note_begun()
        self._begun = True

    def _let_go(self) -> None:
        ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()

    def _know_lock(self, lock: Lock | None) -> None:
        self.last_lock = lock
        if lock is not None and lock.fault == Fault.LEDGER_CORRUPT.value:
            self._looked_through = False

    def _look_again(self) -> None:
        look = self._second_look
        if look is None:
            return
        if not self._looked_through or look.found:  # found, perhaps, while it could not be written
            self._looked_through = False
            look.hear()
            self._looked_through = True
        look.begin()

    def _hold_against_witnesses(self, recovered: Recovered) -> None:
        wall = recovered.tail[-1].wall if recovered.tail else ""
        for witness in self.witnesses:
            witness.ask(Noted(recovered.head, wall))
        until = time.monotonic() + COMPARED_WITHIN_S
        for witness in self.witnesses:
            witness.hear(max(0.0, until - time.monotonic()))
