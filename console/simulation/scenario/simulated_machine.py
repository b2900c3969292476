"""The machine that a simulated table runs on: its cabinet, its disk, and how time passes."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from selectors import BaseSelector
from typing import TYPE_CHECKING

from msgspec import Struct

from console.configuration.table_plan import TablePlan
from console.rules.link import Tie
from console.rules.structs import replace
from console.service.clock import Clock, wall_clock
from console.service.counterparts import Counterparts
from console.service.disk import Disk
from console.service.disk_thread import DiskThread, DiskWriter, InlineDiskWriter
from console.service.drivers import Drivers
from console.service.second_look import SecondLook
from console.service.table_ledger import TableLedger
from console.service.table_service import Follower, TableService
from console.simulation.cabinet import (
    QuietTime,
    SimulatedCabinet,
    SimulatedDisk,
    VirtualLoop,
    cabinet_for,
    drivers_in,
    drivers_on_terminals,
)
from firmware_bridge.repetition import Repetition

if TYPE_CHECKING:
    from console.simulation.scenario.rehearsal import Rehearsal

VIRTUAL_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""Virtual time begins long ago, so that nobody takes its record for a real night."""


class Time(Struct, frozen=True):
    """How time passes on a simulated machine."""

    loop: asyncio.AbstractEventLoop
    pass_time: Callable[[int], None]
    """Lets milliseconds pass."""
    wall: Callable[[], str]
    disk_writer: Callable[[], DiskWriter]
    durable: bool
    """Whether writes are synced to the disk."""


class SimulatedMachine:
    """A simulated cabinet and disk, on which controllers are started and killed, one at a time."""

    def __init__(
        self,
        plan: TablePlan,
        folder: Path,
        time: Time,
        cabinet: SimulatedCabinet,
        drivers: Callable[[], Drivers],
        rehearsal: "Rehearsal | None" = None,
    ) -> None:
        self.loop = time.loop
        self.cabinet = cabinet
        self.disk = SimulatedDisk(folder)
        self.pass_time = time.pass_time
        self.plan = plan
        self.rehearsal = rehearsal
        self.followers: list[Follower] = []
        self.counterparts: Counterparts = lambda _: ()
        self.second_look: Callable[[Path], SecondLook | None] = lambda _: None
        self.simulated = True
        """Whether its boards are enrolled at first sight."""
        self.time = time
        """How time passes for the controllers that are started from now on."""
        self._drivers = drivers
        self._running: TableService | None = None

    def start_controller(self) -> TableService:
        """Start a controller on the cabinet and the disk as they are."""
        time = self.time
        table_ledger = TableLedger(
            self.disk.folder,
            connect=self.disk.connect,
            durable=time.durable,
            counterparts=self.counterparts,
            second_look=self.second_look(self.disk.folder),
            begins=True,
        )
        clock = Clock(lambda: round(time.loop.time() * 1000), time.wall)
        disk = Disk(table_ledger, time.disk_writer(), time.disk_writer())
        drivers = replace(self._drivers(), simulated=self.simulated)
        if self.rehearsal is not None:
            drivers = replace(drivers, link=self.rehearsal.connect())
        service = TableService(time.loop, self.plan, drivers, clock, disk)
        self.plan = replace(self.plan, found=None)  # later starts read no file again
        self._running = service
        service.start()
        self._call_followers(service)
        return service

    def kill_controller(self) -> None:
        """End the controller as a power cut does: the ledger's files stay as they are now."""
        self.disk.pull_plug()
        self._call_followers(None)
        self.close()

    def repetitions(self) -> Iterator[Repetition | None]:
        """What repeats itself while nothing else happens."""
        yield from self.cabinet.repetitions()
        if self.rehearsal is not None:
            yield self.rehearsal.repetition()

    def _call_followers(self, service: TableService | None) -> None:
        for follower in self.followers:
            follower(service)

    def close(self) -> None:
        """Stop the controller that runs, if one does."""
        if self._running is not None:
            self._running.close()
            self._running = None


def _rehearse(loop: asyncio.AbstractEventLoop, plan: TablePlan, tie: Tie) -> "Rehearsal":
    """The centre of a linked table; no other table loads it."""
    from console.simulation.scenario.rehearsal import Rehearsal

    return Rehearsal(loop, plan, tie)


DriversFor = Callable[[asyncio.AbstractEventLoop, SimulatedCabinet, TablePlan], Drivers]


@contextmanager
def _machine(
    plan: TablePlan,
    folder: Path,
    time: Time,
    cabinet: SimulatedCabinet,
    drivers: Callable[[], Drivers],
    rehearsed: Tie | None,
) -> Iterator[SimulatedMachine]:
    rehearsal = _rehearse(time.loop, plan, rehearsed) if rehearsed is not None else None
    machine = SimulatedMachine(plan, folder / "ledger", time, cabinet, drivers, rehearsal)
    try:
        yield machine
    finally:
        machine.close()
        cabinet.close()
        time.pass_time(1)  # what was cancelled ends


@contextmanager
def machine_in_virtual_time(
    plan: TablePlan,
    folder: Path,
    *,
    rehearsed: Tie | None = None,
    drivers: DriversFor = drivers_in,
    passes_over: bool = True,
    memory: Path | None = None,
    epoch: datetime = VIRTUAL_EPOCH,
) -> Iterator[SimulatedMachine]:
    """A machine in virtual time: a quiet day costs a fraction of a second.

    `memory`: as in real time. `epoch`: when it begins, by its clock on the wall.
    `rehearsed`: how the rehearsed centre of a linked table decides a tie; None: there is none.
    Without `passes_over` each repeated message is sent, for the same result.
    """
    with closing(VirtualLoop()) as loop:
        began = loop.time()

        def wall() -> str:
            return (epoch + timedelta(seconds=loop.time() - began)).isoformat()

        time = Time(loop, lambda ms: loop.run_for(ms / 1000), wall, InlineDiskWriter, durable=False)
        cabinet = cabinet_for(loop, plan, memory)
        with _machine(
            plan, folder, time, cabinet, lambda: drivers(loop, cabinet, plan), rehearsed
        ) as machine:
            if passes_over:
                loop.quiet_time = QuietTime(machine.repetitions)
            yield machine


@contextmanager
def machine_in_real_time(
    plan: TablePlan,
    folder: Path,
    *,
    memory: Path | None = None,
    drivers: DriversFor | None = None,
    rehearsed: Tie | None = None,
    selector: BaseSelector | None = None,
) -> Iterator[SimulatedMachine]:
    """A machine in real time, with the disk's own thread.

    Without `drivers` its devices are reached over pseudo-terminals. `selector`: its loop's.

    `rehearsed`: as in virtual time.

    With `memory` the cabinet outlives its process: the file remembers what lies where.
    """
    with closing(asyncio.SelectorEventLoop(selector)) as loop:

        def pass_time(ms: int) -> None:
            loop.run_until_complete(asyncio.sleep(ms / 1000))

        time = Time(loop, pass_time, wall_clock, lambda: DiskThread(loop), durable=True)
        cabinet = cabinet_for(loop, plan, memory)
        make = drivers or partial(drivers_on_terminals, folder=folder / "terminals")
        with _machine(
            plan, folder, time, cabinet, lambda: make(loop, cabinet, plan), rehearsed
        ) as machine:
            yield machine
