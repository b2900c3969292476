"""The ledger as the service uses it: opened, written, opened again after a failure, locked.

A commit whose outcome is unknown is never repeated: the ledger is opened again, and what it
then contains is what happened (docs/reference/rules.md, section 7).
"""

import time
from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from console.rules.acts import CLOSES_NIGHT, KINDS, HeadAsked
from console.rules.codes import Fault
from console.rules.records import UnreadableRecord, find_raise_times
from console.rules.structs import replace
from console.service.counterparts import (
    COMPARED_WITHIN_S,
    Counterparts,
    CounterpartThread,
    OnDoubt,
    check_not_begun,
    numbers_of,
    signing_of,
)
from console.service.second_look import SecondLook
from jackpot.ledger.journal import Entry, Head, Recovered
from jackpot.ledger.ledger import Connect, Ledger, LedgerCorrupt, LedgerUnavailable
from jackpot.ledger.lock_file import Lock, LockFile
from jackpot.ledger.schema import as_ledger_error, convert_disk_errors, has_ledger
from jackpot.ledger.schema import connect as connect_to_file
from jackpot.trust.counterpart import Noted

if TYPE_CHECKING:
    from jackpot.trust.seal_signing import Signed

LOCK_FILE = "lock"

NOT_BEGUN = "there is no ledger: two enrolled people begin it, with banco ledger begin"


ASKS = KINDS[HeadAsked]


class CommitTimes(Struct, frozen=True):
    """The number of commits since the start, and how long they took."""

    count: int = 0
    total_ms: float = 0.0
    last_ms: float = 0.0
    max_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        """0 before the first one."""
        return self.total_ms / self.count if self.count else 0.0

    def with_one(self, ms: float) -> "CommitTimes":
        """The same with one more commit."""
        return CommitTimes(self.count + 1, self.total_ms + ms, ms, max(self.max_ms, ms))


class TableLedger:
    """One table's ledger and the lock beside it, in one folder.

    `durable=False` leaves out the syncs, for play in virtual time. `counterparts`: what the
    ledger is compared with at every opening. `second_look`: verifies the whole ledger after the
    start. `begins`: makes the ledger of a new table, as a simulation and `banco ledger begin` do.
    """

    def __init__(
        self,
        folder: Path,
        *,
        connect: Connect = connect_to_file,
        durable: bool = True,
        counterparts: Counterparts = lambda _: (),
        second_look: SecondLook | None = None,
        begins: bool = False,
    ) -> None:
        self.folder = folder
        self._connect = connect
        self._durable = durable
        self._ledger: Ledger | None = None
        self._lock = LockFile(folder / LOCK_FILE, durable=durable)
        self._begun = False  # the lock file says that the table has begun
        self.commit_times = CommitTimes()
        self.boot = 0  # this start's number in the ledger, once it has been opened
        self.head = Head(0, "")  # the newest record
        self.wall_before = ""  # the newest record's label at the opening; "": not read
        self.raised: dict[str, str] = {}  # when faults were raised before this start, by code
        self.last_lock: Lock | None = None
        found = counterparts(folder)
        self.counterparts = [CounterpartThread(counterpart) for counterpart in found]
        self._signing = next(filter(None, (signing_of(counterpart) for counterpart in found)), None)
        self._second_look = second_look
        self._begins = begins
        self._read_whole = True  # False once it was corrupt, until it is verified whole

    def open(self) -> Recovered:
        """Open, verify and compare with the counterparts; then start the second look.

        Only a table that has not begun gets a new ledger, and only with `begins`
        (docs/dev/decisions/0003 and 0013). A ledger that was corrupt is first verified whole.
        Raises LedgerUnavailable, LedgerCorrupt.
        """
        self._let_go()
        self._find_out_whether_begun()
        begun = self._begun or not self._begins
        ledger = Ledger.open(self.folder, connect=self._connect, durable=self._durable, begun=begun)
        self._ledger = ledger
        try:
            self._hold_against_counterparts(ledger.recovered)
            self._look_again()
            self._note_begun(ledger.head)
            self._expect_lock_unchanged()
            self.raised = find_raise_times(ledger.recovered.tail)
            self.wall_before = _newest_wall(ledger.recovered)
        except UnreadableRecord as error:
            self._let_go()
            raise LedgerCorrupt(str(error)) from error
        except (LedgerCorrupt, LedgerUnavailable):
            self._let_go()
            raise
        self.boot = ledger.recovered.boot + 1
        self.head = ledger.recovered.head
        ledger.begin(self.boot)
        return ledger.recovered

    def commit(self, entries: Sequence[Entry]) -> bool:
        """Write the entries, all or none; True: a snapshot is due.

        Raises LedgerUnavailable, Refused, see `Ledger.commit`; LedgerCorrupt if there is
        a `doubt`.
        """
        if self._ledger is None:
            raise LedgerUnavailable("the ledger is not open")
        if self.doubt:
            self._let_go()
            raise LedgerCorrupt(self.doubt)
        began = time.perf_counter()
        head = self._ledger.commit(entries)
        self.head = head
        if not self._begun:
            self._note_begun(head)
        try:
            self._lock.check()
        except OSError as error:
            raise as_ledger_error(error, "trusted") from error
        self.commit_times = self.commit_times.with_one((time.perf_counter() - began) * 1000)
        if entries and self.counterparts:
            noted = _note_of(head, entries)
            for counterpart in self.counterparts:
                counterpart.note(noted)
        return self._ledger.wants_snapshot

    @property
    def doubt(self) -> str:
        """Why a counterpart or the second look considers the ledger corrupt; "" if they do not."""
        for counterpart in self.counterparts:
            if counterpart.parted:
                return counterpart.parted
        return self._second_look.damage if self._second_look is not None else ""

    @property
    def newest(self) -> int:
        """The number of the newest record."""
        return self.head.seq

    def on_damage(self, call: Callable[[], None]) -> None:
        """Call this, from any thread, when second look or counterpart finds damage, or has."""
        for counterpart in self.counterparts:
            counterpart.on_parted(call)
        if self._second_look is not None:
            self._second_look.on_damage(call)

    @property
    def signs(self) -> bool:
        """Whether the table has a key that signs heads."""
        return self._signing is not None

    def on_signed(self, call: "Callable[[Signed], None]") -> None:
        """Call this, from any thread, with each signed head that belongs on record."""
        if self._signing is not None:
            self._signing.follow(call)

    def on_counterpart_doubt(self, call: OnDoubt) -> None:
        """Call this, from any thread, when a counterpart is not what it was, or is not now."""
        for counterpart in self.counterparts:
            counterpart.doubts.on_doubt(call)

    def allow_anew(self, name: str) -> None:
        """Let a counterpart that was replaced begin anew: that is on record."""
        for counterpart in self.counterparts:
            if counterpart.name == name:
                counterpart.allow_anew()

    def counterpart_numbers(self) -> Mapping[str, float]:
        """The counterparts' figures, by their keys in docs/reference/health.md."""
        return numbers_of(self.counterparts)

    def note_lock(self, lock: Lock | None) -> None:
        """Note the lock in memory; `keep_lock` writes it to the disk."""
        self.last_lock = lock
        if lock is not None and lock.fault == Fault.LEDGER_CORRUPT.value:
            self._read_whole = False

    def keep_lock(self, lock: Lock) -> None:
        """Write the lock file; this works on a full disk too. Raises OSError."""
        self._lock.set(lock)

    def keep_in_lock(self, service: bool, tokens: Set[int]) -> None:
        """Note in the lock file whether the table is in SERVICE, and seats with unproved tokens.

        Raises OSError.
        """
        lock = self._lock.read()
        if lock is not None:
            unproved = tuple(sorted({*lock.unproved, *tokens}))
            self._lock.set(replace(lock, service=service, unproved=unproved))

    def unlock(self) -> None:
        """Remove the lock. Raises OSError."""
        self._lock.clear()

    def find_lock(self) -> Lock | None:
        """The lock that an earlier run left, or None; an unreadable one has no `since`."""
        self.note_lock(self._lock.read())
        return self.last_lock

    def close(self) -> None:
        """Close the counterparts, once they are up to date or out of time, and the ledger.

        Raises LedgerUnavailable.
        """
        if self._second_look is not None:
            self._second_look.end()
        for counterpart in self.counterparts:
            counterpart.end()
        for counterpart in self.counterparts:
            counterpart.join()
        self._let_go()

    def _find_out_whether_begun(self) -> None:
        """Raises LedgerUnavailable: there is none; LedgerCorrupt: a counterpart knows another."""
        with convert_disk_errors("opened"):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._begun = self._lock.begun
            if self._begun:
                return
            if self._begins:
                self._lock.make()
            if has_ledger(self.folder):
                return
        if not self._begins:
            raise LedgerCorrupt(NOT_BEGUN)
        check_not_begun(self.counterparts)

    def _note_begun(self, newest: Head) -> None:
        """Note that the table has begun before anything is shown. Raises LedgerUnavailable."""
        if self._begun or newest.seq == 0:
            return
        with convert_disk_errors("begun"):
            self._lock.note_begun()
        self._begun = True

    def _expect_lock_unchanged(self) -> None:
        with convert_disk_errors("opened"):
            self._lock.expect_unchanged()

    def _let_go(self) -> None:
        ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()

    def _look_again(self) -> None:
        look = self._second_look
        if look is None:
            return
        if not self._read_whole or look.damage:  # found, perhaps, while it could not be written
            self._read_whole = False
            look.hear()
            self._read_whole = True
        look.begin()

    def _hold_against_counterparts(self, recovered: Recovered) -> None:
        wall = _newest_wall(recovered)
        for counterpart in self.counterparts:
            counterpart.ask(Noted(recovered.head, wall))
        until = time.monotonic() + COMPARED_WITHIN_S
        for counterpart in self.counterparts:
            counterpart.hear(max(0.0, until - time.monotonic()))


def _newest_wall(recovered: Recovered) -> str:
    return recovered.tail[-1].wall if recovered.tail else ""


def _note_of(head: Head, entries: Sequence[Entry]) -> Noted:
    kinds = {entry.kind for entry in entries}
    return Noted(
        head, entries[-1].wall, closes_night=not kinds.isdisjoint(CLOSES_NIGHT), asked=ASKS in kinds
    )
