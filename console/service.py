"""The table service: acts in, records to the disk, then lamps, gates and display.

Acts that arrive while the disk is busy wait and are committed together. Nothing is shown that
is not committed; a state that cannot be committed is forgotten, and the table is locked.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from console import records
from console.acts import Act, Adopted, Cleared, Elapsed, Started
from console.books import Books
from console.codes import LEDGER_FAULTS, Fault
from console.last_heard import LastHeard, says_all_of
from console.locked import LockedMemory, reopened_after
from console.parts import Clock, Outputs, Parts
from console.plan import TablePlan
from console.round import Step, advance, next_deadline
from console.scribe import Scribe
from console.start import StartRefused, settings_fit, state_at_start
from console.state import TableState
from console.texts import TEXTS
from devices.roles import Device, DisplayText, KeyPosition
from jackpot.failures import LedgerCorrupt
from jackpot.journal import Entry
from jackpot.recovery import Recovered

log = logging.getLogger(__name__)

WAITING_ACTS = 1024
"""Acts that may wait for the disk; more are discarded, and that is logged."""

Acts = list[tuple[Act, int]]
"""Acts and when each arrived, in milliseconds."""

Watcher = Callable[[Act, Step], None]


@dataclass(frozen=True, slots=True)
class Disk:
    """The ledger and who writes it."""

    books: Books
    scribe: Scribe


@dataclass(frozen=True, slots=True)
class _Batch:
    """Acts advanced together: the steps they made and the entries to be committed."""

    steps: list[tuple[Act, Step]]
    entries: list[Entry]
    state: TableState


Follower = Callable[["TableService | None"], None]
"""Is told which service runs the table; None: its power is out."""


def fault_of(error: Exception) -> Fault:
    """Which fault it is when a commit is answered with this."""
    return Fault.LEDGER_CORRUPT if isinstance(error, LedgerCorrupt) else Fault.LEDGER_FAULT


class TableService:
    """Ties devices, round and ledger together; all its methods run on the event loop."""

    def __init__(
        self, loop: AbstractEventLoop, plan: TablePlan, parts: Parts, clock: Clock, disk: Disk
    ) -> None:
        self.state = TableState()
        self.rules = plan.rules(parts.rail.traits if parts.rail else None)
        self.watchers: list[Watcher] = []
        self._loop = loop
        self._settings = plan.settings()
        self.parts = parts
        self._outputs = Outputs(loop, parts, self.rules, TEXTS[plan.language], clock)
        self.books = disk.books
        self.scribe = disk.scribe
        self.clock = clock
        self._waiting: deque[tuple[Act, int]] = deque()
        self._writing = False
        self._snapshot_due = False
        self._closed = False
        self._locked = LockedMemory()
        self._heard = LastHeard()
        self._timer: TimerHandle | None = None

    def start(self) -> None:
        """Take up the state the ledger gives back, and seek the devices. Raises StartRefused."""
        self.state = state_at_start(self.books, self._settings, self.clock.wall())
        self.report(Started())
        if not self.state.locked and not self._settings.same_as(self.state.settings):
            self.report(Adopted(self._settings))
        if self.parts.rail is not None:
            self.parts.rail.resume(self.state.rail.seen)
        self.parts.start(self.report)

    def report(self, act: Act) -> None:
        """Something happened. Its record is committed before anything is shown of it."""
        if self._closed:
            return
        self._heard.take(act)
        if self._waiting and says_all_of(act, self._waiting[-1][0]):
            self._waiting.pop()
        if len(self._waiting) < WAITING_ACTS:
            self._waiting.append((act, self.clock.now()))
            self._work()
        else:
            log.error("%d acts wait for the disk; discarded: %s", WAITING_ACTS, act)

    @property
    def links(self) -> dict[Device, bool]:
        """Each device of the table, and whether it is there."""
        return self._heard.links(self.parts.devices)

    @property
    def links_up(self) -> bool:
        """Whether every device of the table is there."""
        return all(self.links.values())

    @property
    def at_rest(self) -> bool:
        """Whether nothing waits for the disk."""
        return not self._writing and not self._waiting

    @property
    def waiting_acts(self) -> int:
        """How many acts wait for the disk, beside those it is writing."""
        return len(self._waiting)

    @property
    def display(self) -> DisplayText:
        """What the display is to show now."""
        return self._outputs.display(self.state)

    @property
    def combinations(self) -> tuple[str, ...]:
        """The names of the combination buttons, from the left."""
        prizes = self.rules.prizes.prizes if self.rules.prizes else ()
        return tuple(prize.combination.value for prize in prizes)

    def probe(self, alive: Callable[[], None], silent: Callable[[], None]) -> None:
        """Ask the disk's thread for a sign of life."""
        self.scribe.do(lambda: None, lambda _: alive(), lambda _: silent())

    def close(self) -> None:
        """Stop: timers, devices, then the disk, when it has finished what is under way."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._outputs.stop()
        self.parts.close()
        self.scribe.close()
        self.books.close()

    def _work(self) -> None:
        while self._waiting and not self._writing:
            acts = [self._waiting.popleft()]
            first = acts[0][0]
            if isinstance(first, Cleared) and self._needs_reopening(first):
                self._reopen(first)
                continue
            while self._waiting and not isinstance(self._waiting[0][0], Cleared):
                acts.append(self._waiting.popleft())
            self._write(self._advanced(self.state, acts), acts)

    def _advanced(self, state: TableState, acts: Acts) -> _Batch:
        steps: list[tuple[Act, Step]] = []
        entries: list[Entry] = []
        wall = self.clock.wall()
        for act, at in acts:
            step = advance(state, act, self.rules, at)
            if records.worth_recording(act, state, step):
                version = step.state.settings.version if step.state.settings else 0
                entries.append(records.entry_of(act, state, step, at, wall, version))
            steps.append((act, step))
            state = step.state
        return _Batch(steps, entries, state)

    def _write(self, batch: _Batch, acts: Acts) -> None:
        if self.state.locked:
            tokens = self._locked.keep(self.state, batch.entries, acts, self.clock.now())
            if tokens or batch.state.service is not self.state.service:
                self._keep_lock(lambda: self.books.keep_in_lock(batch.state.service, tokens))
            self._settle(batch)
        elif not batch.entries and not self.books.doubt:
            self._settle(batch)
        else:
            self._commit(batch, lambda error: self._fail(error, acts))

    def _commit(
        self,
        batch: _Batch,
        failed: Callable[[Exception], None],
        then: Callable[[], None] = lambda: None,
    ) -> None:
        entries = batch.entries
        if self._snapshot_due:
            self._snapshot_due = False
            version = batch.state.settings.version if batch.state.settings else 0
            now, wall = self.clock.now(), self.clock.wall()
            entries = [*entries, records.snapshot_of(batch.state, now, wall, version)]
        self._writing = True

        def committed(snapshot_due: bool) -> None:
            if self._closed:
                return
            self._writing = False
            self._snapshot_due = snapshot_due
            then()
            self._settle(batch)
            self._work()

        def not_committed(error: Exception) -> None:
            if self._closed:
                return
            self._writing = False
            failed(error)
            self._work()

        self.scribe.do(lambda: self.books.commit(entries), committed, not_committed)

    def _settle(self, batch: _Batch) -> None:
        """The batch is what has happened: show it, and wake when something falls due."""
        self.state = batch.state
        self._outputs.show(batch.state)
        self._set_timer()
        for act, step in batch.steps:
            for watcher in self.watchers:
                watcher(act, step)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = next_deadline(self.state)
        if due is not None:
            delay = max(0, due - self.clock.now()) / 1000
            self._timer = self._loop.call_later(delay, self.report, Elapsed())

    # A ledger that cannot be written

    def _fail(self, error: Exception, acts: Acts) -> None:
        """Lock the table where it was committed last, and ask the same acts of the locked one."""
        self.lock(fault_of(error), str(error))
        self._snapshot_due = True  # a failed commit may have held one
        self._write(self._advanced(self.state, acts), acts)

    def lock(self, fault: Fault, why: str) -> None:
        """Lock the table; the lock outlives the power."""
        log.critical("%s: %s", fault.value, why)
        if fault not in self.state.faults:
            self.state = replace(self.state, faults=(*self.state.faults, fault))
        since, service = self.clock.wall(), self.state.service
        self._keep_lock(lambda: self.books.lock(fault, why, since, service))

    def _keep_lock(self, keep: Callable[[], None]) -> None:
        try:
            keep()
        except OSError as error:
            log.critical("the lock file cannot be written: %s", error)

    def _unlock(self) -> None:
        """The mending is on record: from now a cut of power finds the table unlocked."""
        self._locked.clear()
        self._keep_lock(self.books.unlock)

    def _needs_reopening(self, act: Cleared) -> bool:
        return (
            self.state.service
            and self.state.key is KeyPosition.S
            and act.fault in LEDGER_FAULTS
            and act.fault in self.state.faults
        )

    def _reopen(self, act: Cleared) -> None:
        """Clearing a ledger fault: what the ledger says when it is opened again is what holds."""
        self._writing = True

        def still_faulty(error: Exception) -> None:
            if self._closed:
                return
            log.error("%s is not mended: %s", act.fault.value, error)
            self._writing = False
            refused: Acts = [(act, self.clock.now())]
            self._write(self._advanced(self.state, refused), refused)
            self._work()

        def reopened(recovered: Recovered) -> None:
            if self._closed:
                return
            try:
                committed = records.restored_from(recovered)
                settings_fit(committed, self._settings)
            except (records.UnreadableRecord, StartRefused) as error:
                still_faulty(error)
                return
            self._commit(self._mended(act, committed), still_faulty, self._unlock)

        self.scribe.do(self.books.open, reopened, still_faulty)

    def _mended(self, act: Cleared, committed: TableState) -> _Batch:
        """The acts that take the journal's state to that of a table in service, mended."""
        now = self.clock.now()
        seen = reopened_after(committed, self.state, self.books.last_lock)
        acts: Acts = [(seen, now), (replace(act, mended=True), now)]
        if not self._settings.same_as(committed.settings):
            acts.append((Adopted(self._settings), now))
        waiting = {type(act) for act, _ in self._waiting}  # they come after what is asked here
        acts += [(seen, now) for seen in self._heard.seen() if type(seen) not in waiting]
        acts += self._locked.said()
        batch = self._advanced(committed, acts)
        return replace(batch, entries=[*self._locked.records(committed.round), *batch.entries])
