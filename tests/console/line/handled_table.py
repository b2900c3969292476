"""A simulated table in virtual time with the handler of its local line."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from console.line.access.login import SESSION_MS, EnteredPerson, PinLogin
from console.line.access.people import Enrolled, save_people
from console.line.access.pins import Cost, hash_pin
from console.line.handler import HandlerParts, LineHandler, TableFacts
from console.line.requests import AnyAnswer, AnyRequest, No
from console.rules.codes import Duty
from console.rules.structs import replace
from console.service.disk_thread import InlineDiskWriter
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from tests.console.service.test_table_service import HeldDiskWriter, table_with
from tests.console.table import Table

T = TypeVar("T")

BOTH = (Duty.TECHNICIAN, Duty.FLOOR_MANAGER)

PINS: Mapping[str, str] = {"rossi": "271828", "bianchi": "314159", "verdi": "161803"}
"""Rossi is a technician, Bianchi a floor manager, Verdi a cashier."""

DUTIES = {
    "rossi": (Duty.TECHNICIAN,),
    "bianchi": (Duty.FLOOR_MANAGER,),
    "verdi": (Duty.CASHIER,),
}


class HandledTable:
    """A table, and one connection to its handler: a `TableLine` without a socket.

    `run` runs a coroutine while the cabinet continues. `begin` and `wait_for` do the same, and
    scenario lines may be played in between.
    """

    def __init__(self, table: Table, handler: LineHandler) -> None:
        self.table = table
        self.handler = handler
        self.session = handler.sessions.connect()

    async def ask(self, request: AnyRequest) -> AnyAnswer:
        """See `TableLine.ask`."""
        return await self.handler.ask(self.session, request)

    def enter(self, who: str = "rossi", *duties: Duty) -> None:
        """Log somebody in without a PIN; with both duties unless others are given."""
        until_ms = round(self.table.machine.loop.time() * 1000) + SESSION_MS
        self.handler.sessions.admit(self.session, EnteredPerson(who, duties or BOTH, until_ms, who))

    def play(self, *lines: str) -> None:
        """Play scenario lines; coroutines that have begun continue meanwhile."""
        self.table.play(*lines)

    async def perform(self, line: str) -> None:
        """Play one act from within a coroutine."""
        act = self.table.parse_act(line)
        assert not isinstance(act, Expectation)
        for ms in self.table.simulated_table.perform(act):
            await asyncio.sleep(ms / 1000)

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end in virtual time; return its result."""
        return self.table.machine.loop.run_until_complete(coroutine)

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin a coroutine; it continues while scenario lines are played."""
        return self.table.machine.loop.create_task(coroutine)

    def wait_for(self, task: "asyncio.Task[T]", seconds: float = 600.0) -> T:
        """Wait in virtual time for the end of a task; return its result."""
        return self.run(asyncio.wait_for(task, seconds))

    def ask_now(self, request: AnyRequest) -> AnyAnswer:
        """Ask and return the answer."""
        return self.run(self.ask(request))

    def refusal_of(self, request: AnyRequest) -> str:
        """Ask for something that is refused; return the code."""
        answer = self.ask_now(request)
        assert isinstance(answer, No), answer
        return answer.code

    @property
    def kinds_on_record(self) -> list[str]:
        """The kinds of all records, oldest first."""
        return [record.kind for record in self.table.records]


@contextmanager
def open_handled_table(
    folder: Path, *settings: str, parts: HandlerParts | None = None
) -> Iterator[HandledTable]:
    """A table with these settings (`game tre-card-stud`) and its handler; nothing done yet.

    Rossi, Bianchi and Verdi are enrolled, with the PINs above.
    """
    plan = parse_scenario("\n".join(f"set {setting}" for setting in settings), "test").plan
    with machine_in_virtual_time(plan, folder) as machine:
        handler = handler_of(machine, parts, folder)
        yield HandledTable(Table(plan, machine), handler)


@contextmanager
def table_with_held_disk(folder: Path) -> Iterator[tuple[HandledTable, HeldDiskWriter]]:
    """Open a table whose disk can be held."""
    disk = HeldDiskWriter()
    with table_with(folder, lambda: disk) as table:
        handler = handler_of(table.machine)
        handler.follow(table.simulated_table.service)
        yield HandledTable(table, handler), disk


def handler_of(
    machine: SimulatedMachine, parts: HandlerParts | None = None, people: Path | None = None
) -> LineHandler:
    """A handler that follows a machine's controllers; with a login where people are enrolled."""
    facts = TableFacts(machine.plan, simulated=True, ledger=machine.disk.folder, version="test")
    login = make_login(machine, people) if people is not None else None
    handler = LineHandler(machine.loop, facts, replace(parts or HandlerParts(), login=login))
    machine.followers.append(handler.follow)
    return handler


def make_login(machine: SimulatedMachine, folder: Path) -> PinLogin:
    """Make a login for Rossi, Bianchi and Verdi, whose PINs are cheap to check."""
    folder.mkdir(exist_ok=True)
    people = folder / "people.toml"
    cheap = Cost(n=2, r=1, p=1)
    save_people(people, {who: Enrolled(DUTIES[who], hash_pin(PINS[who], cheap)) for who in PINS})
    loop = machine.loop
    file = folder / "wrong-pins.json"
    return PinLogin(
        people, file, InlineDiskWriter(), lambda: round(loop.time() * 1000), loop.call_later
    )
