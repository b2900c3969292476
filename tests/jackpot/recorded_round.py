"""Rounds of a whole simulated table on a recorded disk, in virtual time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from console.configuration.table_plan import TablePlan
from console.rules import records
from console.rules.acts import Act
from console.rules.round import Transition
from console.rules.state import TableState
from console.service.disk_thread import InlineDiskWriter
from console.service.table_service import TableService
from console.simulation.cabinet import SimulatedDisk, VirtualLoop, cabinet_for, drivers_in
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import SimulatedMachine, Time
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import read_records
from tests.console.table import Table
from tests.jackpot.apsw_disk import Disk
from tests.jackpot.recorded_disk import Done, RecordedDisk

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)

HAND = ("press GAME_OVER", "token 1 2 3 4 5 6 7", "press COIN_IN", "wait 1s")
EARLIER = (
    *HAND * 13,
    "press GAME_OVER",
    "press COIN_IN",
    *("press JPOT", "press COIN_IN") * 42,
    "press JPOT",
)
"""So much that a snapshot and a checkpoint of the write-ahead log fall due in the next round."""

JAMMED = (
    "press GAME_OVER",
    "token 1 2 4",
    "jam 2",
    "press COIN_IN",
    "wait 3s",
    "expect fault TOKEN_STUCK",
    "unjam 2",
    "press COIN_IN",
    "wait 1s",
    "expect phase PLAYING",
    "expect seats 1 2 4",
)

TWO_WINNERS = (
    *JAMMED,
    "cover 4",
    "wait 1s",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "press JPOT",
    "expect winners 2",
    "key R",
    "expect pending 0.00",
    "press GAME_OVER",
    "expect phase BETTING",
)

RESEEDING = (
    *JAMMED,
    "press FULL_HOUSE",
    "press ROYAL_FLUSH",
    "key JPH",
    "press JPOT",
    "expect jackpot 0.00",
    "key R",
    "expect jackpot 100.00",
    "expect reserve 0.00",
    "press GAME_OVER",
    "token 3",
    "press COIN_IN",
    "wait 1s",
    "expect phase PLAYING",
    "press GAME_OVER",
)


@dataclass(frozen=True, slots=True)
class Round:
    """What is played; nothing is cut while `before` is."""

    lines: tuple[str, ...]
    before: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def plan(self) -> TablePlan:
        """The table it is played at."""
        return parse_scenario("\n".join(f"set {one}" for one in self.settings), "round").plan


ROUNDS = {
    "from a new disk": Round(TWO_WINNERS),
    "two winners": Round(TWO_WINNERS, EARLIER),
    "reseeding": Round(RESEEDING, EARLIER, ("base 100.00",)),
}


@dataclass(frozen=True, slots=True)
class Recording:
    """What was done to the disk, and what had been promised by then.

    `begin`: before so many things done to the disk nothing is cut. `shown` and `commits` say how
    many had been done when the table showed the state after so many acts on record, and when the
    commit of this last record returned. `states[n]` is the table's state after the record n.
    """

    played: Round
    log: list[Done]
    begin: int
    shown: list[tuple[int, int]]
    commits: list[tuple[int, int]]
    journal: list[Record]
    states: list[TableState]

    def newest_promised(self, done: int) -> int:
        """The newest record that must be there when so much had been done to the disk."""
        acts = max((acts for at, acts in self.shown if at <= done), default=0)
        committed = max((seq for at, seq in self.commits if at <= done), default=0)
        numbers = [0, *(one.seq for one in self.journal if one.kind != records.SNAPSHOT)]
        return max(numbers[acts], committed)

    @property
    def ends(self) -> frozenset[int]:
        """The numbers of records that were the last ones of a commit; 0: none at all."""
        return frozenset((0, *(seq for _, seq in self.commits)))


def record(played: Round, folder: Path) -> Recording:
    """Play it in this new folder, and close the table in order."""
    disk = RecordedDisk()
    shown = _ShownStates(disk)
    with table_on(disk, folder, played.plan, shown.follow) as table:
        table.play(*played.before)
        begin = len(disk.log) if played.before else 0
        table.play(*played.lines)
        service = table.simulated_table.service
        state = service.state
    journal = list(read_records(folder))
    states = [TableState()]
    for one in journal:
        states.append(records.state_after(states[-1], one.body))
    assert states[-1] == state
    assert shown.acts == sum(one.kind != records.SNAPSHOT for one in journal)
    return Recording(played, disk.log, begin, shown.shown, disk.commits, journal, states)


class _ShownStates:
    """What the table has shown, noted beside what was done to the disk."""

    def __init__(self, disk: RecordedDisk) -> None:
        self.acts = 0
        self.shown: list[tuple[int, int]] = []
        self._disk = disk
        self._before = TableState()

    def follow(self, service: TableService | None) -> None:
        """Listen to a table that has just been started on a new disk."""
        if service is not None:
            _, self.acts = self._disk.commits[-1]
            self._before = service.state
            service.watchers.append(self._watch)

    def _watch(self, act: Act, step: Transition) -> None:
        if records.is_worth_recording(act, self._before, step):
            self.acts += 1
        self._before = step.state
        self.shown.append((len(self._disk.log), self.acts))


class _OnDisk(SimulatedDisk):
    """What a machine needs of its disk, on one of apsw's."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        super().__init__(folder)
        self._disk = disk

    def connect(self, path: Path | str, **_options: Any) -> Any:
        """As the machine's own."""
        return self._disk.connect(path)


@contextmanager
def table_on(
    disk: Disk,
    folder: Path,
    plan: TablePlan,
    follow: Callable[[TableService | None], None] = lambda _: None,
) -> Iterator[Table]:
    """A whole table in virtual time on this disk, which it syncs."""
    loop = VirtualLoop()
    began = loop.time()

    def wall() -> str:
        return (EPOCH + timedelta(seconds=loop.time() - began)).isoformat()

    time = Time(loop, lambda ms: loop.run_for(ms / 1000), wall, InlineDiskWriter, durable=True)
    cabinet = cabinet_for(loop, plan)
    machine = SimulatedMachine(plan, folder, time, cabinet, lambda: drivers_in(loop, cabinet, plan))
    machine.followers.append(follow)
    machine.disk = _OnDisk(folder, disk)
    try:
        yield Table(plan, machine)
    finally:
        machine.close()
        cabinet.close()
        loop.run_for(0.001)
        loop.close()
