"""The table service: acts in, records to the disk, then lamps, gates and display.

Acts that arrive while the disk is busy wait and are committed together. Only committed state is
shown; a state that cannot be committed is dropped, and the table is locked.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from msgspec import UNSET, Struct, UnsetType

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.acts import Act, Cleared, Elapsed
from console.rules.board_marks import BoardEnrolled
from console.rules.codes import Fault
from console.rules.game_modules import advance, next_deadline
from console.rules.release_marks import ProgramChanged, ReleaseFound, ReleaseMarks
from console.rules.round import Transition
from console.rules.round.draft import ActOutcome
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from console.service.clock import Clock
from console.service.disk import Disk
from console.service.drivers import Drivers
from console.service.locked_memory import LockedMemory, make_reopened, needs_reopening
from console.service.output_writer import OutputWriter
from console.service.start import (
    StartRefused,
    check_kind,
    check_settings,
    list_changes,
    list_first_acts,
    state_at_start,
)
from console.texts.display import TEXTS
from devices.boards import BoardFound
from devices.card_reports import ShoeSeen, ShufflerSeen
from devices.device import Device
from devices.door_reports import DoorsSeen
from devices.roles import DeviceLost, DeviceUp, DisplayText, RailSeen
from jackpot.failures import LedgerCorrupt
from jackpot.ledger.journal import Entry, Recovered

Acts = list[tuple[Act, int]]
"""Each act with the time it arrived, in monotonic milliseconds."""


class ActBatch(Struct, frozen=True):
    """The steps of some acts, the entries to be committed, and the state after them.

    `newly_shown`: the state has a reading of the linked jackpot that came after the last entry.
    """

    steps: list[tuple[Act, Transition]]
    entries: list[Entry]
    state: TableState
    newly_shown: bool


def advance_acts(
    state: TableState, acts: Acts, rules: Rules, wall: str, *, newly_shown: bool = False
) -> ActBatch:
    """What these acts make of this state; `wall` is the label of their records.

    `newly_shown`: this state's reading came after the last record.
    """
    steps: list[tuple[Act, Transition]] = []
    entries: list[Entry] = []
    for act, at in acts:
        step = advance(state, act, rules, at)
        if records.is_worth_recording(act, state, step):
            version = step.state.settings.version if step.state.settings else 0
            entry = records.entry_of(act, state, step, at, wall, version, newly_shown=newly_shown)
            entries.append(entry)
            newly_shown = False
        else:
            newly_shown = newly_shown or step.state != state
        steps.append((act, step))
        state = step.state
    return ActBatch(steps, entries, state, newly_shown)


SEEN_OF: Mapping[type[Act], Device] = {
    RailSeen: Device.RAIL,
    ShufflerSeen: Device.SHUFFLER,
    ShoeSeen: Device.SHOE,
}
"""Reports with a device's whole state: a table that is unlocked applies the last one again."""
log = logging.getLogger(__name__)

WAITING_ACTS = 1024
"""The most acts that wait for the disk; more are discarded and logged."""

Watcher = Callable[[Act, Transition], None]


Follower = Callable[["TableService | None"], None]
"""Is called with the service that runs the table; None: its power is out."""


def makes_superfluous(newer: Act, older: Act) -> bool:
    """Whether the newer of two reports makes the older one superfluous."""
    match newer, older:
        case RailSeen(), RailSeen():
            return (newer.boot, newer.occupied) == (older.boot, older.occupied)
        case ShoeSeen(), ShoeSeen():
            return (newer.boot, newer.loads) == (older.boot, older.loads)
        case ShufflerSeen(), ShufflerSeen():
            same = newer.hand == older.hand and newer.preparing is older.preparing
            return same and newer.presses == older.presses
    return False


class LastReports:
    """Remembers whether each device is up, and the last whole report of each device."""

    def __init__(self) -> None:
        self._links: set[Device] = set()
        self._found: dict[Device, BoardFound] = {}
        self._seen: dict[Device, Act] = {}
        self._doors: DoorsSeen | None = None

    def note(self, act: Act) -> None:
        """Note an act, if it is a device's report."""
        if type(act) in SEEN_OF:
            self._seen[SEEN_OF[type(act)]] = act
        elif type(act) is DeviceUp:
            self._links.add(act.device)
        elif type(act) is DeviceLost:
            self._links.discard(act.device)
            self._found.pop(act.device, None)
            self._seen.pop(act.device, None)
        elif type(act) is BoardFound:
            self._found[act.device] = act
            self._seen.pop(act.device, None)  # another board may have reported it
        elif type(act) is DoorsSeen:
            self._doors = act

    def devices_up(self, devices: Collection[Device]) -> dict[Device, bool]:
        """Each of the devices, and whether it is connected."""
        return {device: device in self._links for device in Device if device in devices}

    def reports(self, newer: Iterable[type[Act]]) -> list[Act]:
        """The boards and the last whole report of each connected device, and of the doors.

        Without reports of which `newer` ones wait: those are applied afterwards.
        """
        waiting = set(newer)
        reports = [*self._seen.values(), *([] if self._doors is None else [self._doors])]
        seen = [act for act in reports if type(act) not in waiting]
        return [*self._found.values(), *seen]

    def due_after(self, act: BoardEnrolled, step: Transition) -> list[Act]:
        """What a device has reported before it was enrolled by this act: it counts now."""
        if step.outcome is not ActOutcome.DONE:
            return []
        report = self._seen.get(act.device)
        return [] if report is None else [report]


def fault_of(error: Exception) -> Fault:
    """The fault that a failed commit raises: LEDGER_FAULT for disk full, read-only, no answer."""
    return Fault.LEDGER_CORRUPT if isinstance(error, LedgerCorrupt) else Fault.LEDGER_FAULT


class TableService:
    """Ties devices, round and ledger together; all its methods run on the event loop."""

    def __init__(
        self, loop: AbstractEventLoop, plan: TablePlan, drivers: Drivers, clock: Clock, disk: Disk
    ) -> None:
        self.state = TableState()
        self.rules = plan.rules(drivers.rail.traits if drivers.rail else None)
        self.watchers: list[Watcher] = drivers.list_watchers(disk.disk_writer)
        self._loop = loop
        self._settings, self._found = plan.settings(), plan.found
        self.drivers = drivers
        self._outputs = OutputWriter(loop, drivers, self.rules, TEXTS[plan.language], clock)
        self.disk = disk
        self.table_ledger = disk.table_ledger
        self.disk_writer = disk.disk_writer
        self.clock = clock
        self._waiting: deque[tuple[Act, int]] = deque()
        self._writing = False
        self._snapshot_due = False
        self._newly_shown = False  # the state's reading came after the last record
        self._closed = False
        self._locked = LockedMemory()
        self._last_reports = LastReports()
        self._timer: TimerHandle | None = None

    def start(self, release: ReleaseFound | UnsetType = UNSET) -> None:
        """Start from the ledger's state, and look for the devices. Raises StartRefused.

        `release`: what the program's files are, held against their list.
        """
        wall = self.clock.wall()
        self.state = state_at_start(self.table_ledger, self._settings, wall, self._found)
        simulated = self.drivers.simulated
        check_kind(self.state, simulated=simulated)
        for act in list_first_acts(
            self.state, self._settings, self._found, release, simulated=simulated
        ):
            self.report(act)
        self.drivers.resume(self.state.rail.seen, self.disk)
        self.drivers.start(self.report)

    def report(self, act: Act) -> None:
        """Take an act. Its record is committed before anything is shown of it."""
        if self._closed:
            return
        self._last_reports.note(act)
        if self._waiting and makes_superfluous(act, self._waiting[-1][0]):
            self._waiting.pop()
        if len(self._waiting) < WAITING_ACTS:
            self._waiting.append((act, self.clock.now()))
            self._work()
        else:
            log.error("%d acts wait for the disk; discarded: %s", WAITING_ACTS, act)

    @property
    def devices_up(self) -> dict[Device, bool]:
        """Each device of the table, and whether it is connected."""
        return self._last_reports.devices_up(self.drivers.devices)

    @property
    def all_devices_up(self) -> bool:
        """Whether every device of the table is connected."""
        return all(self.devices_up.values())

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
        """What the display shows now."""
        return self._outputs.display(self.state)

    @property
    def combinations(self) -> tuple[str, ...]:
        """The names of the combination buttons, from the left."""
        prizes = self.rules.prizes.prizes if self.rules.prizes else ()
        return tuple(prize.combination for prize in prizes)

    def close(self) -> None:
        """Stop timers and devices, then the disk once it has finished its work."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._outputs.stop()
        self.drivers.close()
        self.disk.close()

    def _work(self) -> None:
        while self._waiting and not self._writing:
            acts = [self._waiting.popleft()]
            first = acts[0][0]
            if isinstance(first, Cleared) and needs_reopening(self.state, first):
                self._reopen(first)
                continue
            while self._waiting and not isinstance(self._waiting[0][0], Cleared):
                acts.append(self._waiting.popleft())
            self._apply(acts)

    def _apply(self, acts: Acts) -> None:
        """Advance by these acts, and write what is to be on record."""
        wall, newly_shown = self.clock.wall(), self._newly_shown
        batch = advance_acts(self.state, acts, self.rules, wall, newly_shown=newly_shown)
        if self.state.locked:
            tokens = self._locked.keep(self.state, batch.entries, acts, self.clock.now())
            if tokens or batch.state.service is not self.state.service:
                settle = self._after_written(lambda: self._show(batch))
                self.disk.keep_in_lock(batch.state.service, tokens, settle)
            else:
                self._show(batch)
        elif not batch.entries and not self.table_ledger.doubt:
            self._show(batch)
        else:
            self._commit(batch, lambda error: self._fail(error, acts), self._show)

    def _commit(
        self,
        batch: ActBatch,
        failed: Callable[[Exception], None],
        then: Callable[[ActBatch], None],
    ) -> None:
        entries = batch.entries
        if self._snapshot_due and not batch.newly_shown:
            self._snapshot_due = False
            version = batch.state.settings.version if batch.state.settings else 0
            now, wall = self.clock.now(), self.clock.wall()
            entries = [*entries, records.snapshot_of(batch.state, now, wall, version)]
        self._writing = True

        def on_commit(snapshot_due: bool) -> None:
            if self._closed:
                return
            self._writing = False
            self._snapshot_due = snapshot_due
            then(batch)
            self._work()

        def on_failure(error: Exception) -> None:
            if self._closed:
                return
            self._writing = False
            failed(error)
            self._work()

        self.disk_writer.do(partial(self.table_ledger.commit, entries), on_commit, on_failure)

    def _show(self, batch: ActBatch) -> None:
        """Adopt a batch once it is on record, or if it needs no record: show it, set the timer."""
        self.state, self._newly_shown = batch.state, batch.newly_shown
        self._outputs.show(batch.state)
        self._set_timer()
        for act, step in batch.steps:
            for watcher in self.watchers:
                watcher(act, step)
            if isinstance(act, BoardEnrolled):
                for again in self._last_reports.due_after(act, step):
                    self.report(again)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = next_deadline(self.state, self.rules)
        if due is not None:
            delay = max(0, due - self.clock.now()) / 1000
            self._timer = self._loop.call_later(delay, self.report, Elapsed())

    # A ledger that cannot be written

    def _fail(self, error: Exception, acts: Acts) -> None:
        """Lock the table in its last committed state, then apply the same acts to it."""
        self._snapshot_due = True  # a failed commit may have held one
        self._lock(
            fault_of(error),
            str(error),
            lambda: self._apply(acts),
        )

    def _lock(self, fault: Fault, why: str, then: Callable[[], None]) -> None:
        """Lock the table: withdraw every invitation, write the lock, then show it."""
        log.critical("%s: %s", fault.value, why)
        if fault not in self.state.faults:
            self.state = replace(self.state, faults=(*self.state.faults, fault))
        self._locked.begin(self.clock.now())
        self._outputs.withdraw(self.state)
        self.disk.lock(fault, why, self.clock.wall(), self.state.service, self._after_written(then))

    def _unlock(self, batch: ActBatch) -> None:
        """The clearing is on record: remove the lock file, and only then show the state."""
        self._locked.clear()

        def on_still_locked(error: Exception) -> None:
            if self._closed:
                return
            self.state = batch.state
            why = f"the lock file cannot be written: {error}"
            self._lock(
                Fault.LEDGER_FAULT, why, lambda: self._show(replace(batch, state=self.state))
            )

        self.disk.unlock(self._after_written(lambda: self._show(batch)), on_still_locked)

    def _after_written(self, then: Callable[[], None]) -> Callable[[], None]:
        """Hold acts back until the returned function is called; it calls `then`, then they pass."""
        self._writing = True

        def on_kept() -> None:
            if self._closed:
                return
            self._writing = False
            then()
            self._work()

        return on_kept

    def _reopen(self, act: Cleared) -> None:
        """Clear a ledger fault: open the ledger again, and go on from what it contains."""
        self._writing = True

        def on_still_faulty(error: Exception) -> None:
            if self._closed:
                return
            log.error("%s is not mended: %s", act.fault.value, error)
            self._writing = False
            refused: Acts = [(act, self.clock.now())]
            self._apply(refused)
            self._work()

        def on_reopened(recovered: Recovered) -> None:
            if self._closed:
                return
            try:
                committed = records.restore_recovered(recovered)
                check_settings(committed, self._settings, self._found)
                check_kind(committed, simulated=self.drivers.simulated)
            except (records.UnreadableRecord, StartRefused) as error:
                on_still_faulty(error)
                return
            self._commit(self._mend(act, committed), on_still_faulty, self._unlock)

        self.disk_writer.do(self.table_ledger.open, on_reopened, on_still_faulty)

    def _mend(self, act: Cleared, committed: TableState) -> ActBatch:
        """Apply to the journal's state what the locked table knows, and the clearing.

        First the start, if it is not on record: only then the state is of this run.
        """
        now, start = self.clock.now(), self._take_start(committed)
        seen = make_reopened(start.state, self.state, self.table_ledger.last_lock)
        acts: Acts = [(seen, now), (replace(act, mended=True), now)]
        acts += [(found, now) for found in self._list_found_since(start.state)]
        simulated = self.drivers.simulated
        again = list_changes(start.state, self._settings, self._found, simulated=simulated)
        again += self._last_reports.reports(type(act) for act, _ in self._waiting)
        acts += [*((act, now) for act in again), *self._locked.card_reports()]
        batch = advance_acts(start.state, acts, self.rules, self.clock.wall())
        kept = self._locked.records(committed.round)
        return replace(batch, entries=[*start.entries, *kept, *batch.entries])

    def _take_start(self, committed: TableState) -> ActBatch:
        """The start, applied to the journal's state; without acts where it is on record."""
        start = self._locked.start
        if start is None:
            return advance_acts(committed, [], self.rules, "")
        return advance_acts(committed, [(start.act, start.at)], self.rules, start.wall)

    def _list_found_since(self, started: TableState) -> list[Act]:
        """What was found of the program since the start, while it could not be written."""
        release = self.state.release
        if not isinstance(release, ReleaseMarks) or not release.problem:
            return []
        known = isinstance(started.release, ReleaseMarks) and started.release.problem
        return [] if known == release.problem else [ProgramChanged(release.problem)]
