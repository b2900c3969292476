"""`banco run --sim`: a table on a simulated cabinet, driven from a prompt or a pipe."""

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

from console.configuration.addresses import Listening
from console.configuration.adopted import AdoptedConfiguration
from console.configuration.places import simulation_folder
from console.configuration.sections import Configuration
from console.configuration.table_plan import TablePlan
from console.line.access.login import PAGE_ATTEMPTS_FILE
from console.line.companions import run_companions
from console.line.local_line import LineSource
from console.service.composition import compose
from console.service.counterparts import counterparts_of
from console.service.drivers import Drivers
from console.service.health.log import LogHandler
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings
from console.service.second_look import SecondLook
from console.service.supervision.main_loop import Answer, Probe, run_until_stopped
from console.simulation.cabinet import (
    PhysicallyImpossible,
    SimulatedCabinet,
    doors_in,
    drivers_in,
    lines_in,
    panel_in,
    prepare,
)
from console.simulation.scenario.script import vocabulary_of
from console.simulation.scenario.simulated_machine import (
    DriversFor,
    SimulatedMachine,
    machine_in_real_time,
)
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.terminal.notices import Notices
from jackpot.failures import Refused
from jackpot.ledger.folder import FolderClaim

log = logging.getLogger(__name__)

DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY")


CABINET_FILE = "cabinet.json"
SCREEN_LIBRARY = "prompt_toolkit"


class Desktop:
    """Opens the page in a browser, once, where there is a desktop; nothing waits for it."""

    def __init__(self) -> None:
        self._open = any(os.environ.get(name) for name in DESKTOPS)

    def show(self, url: str) -> None:
        """Show the page at this address."""
        if self._open:
            self._open = False
            Thread(target=_show, args=(url,), name="browser", daemon=True).start()


def _show(url: str) -> None:
    import webbrowser

    try:
        webbrowser.open(url)
    except (OSError, webbrowser.Error) as error:
        log.warning("no browser can be opened: %s", error)


def run_simulation(
    table: AdoptedConfiguration | None,
    journal: LogHandler,
    *,
    as_json: bool,
    fault: int | None = None,
    listening: Listening | None = None,
) -> int:
    """Run a table whose devices are all or partly simulated; returns the exit status.

    `fault`: the number of one that is prepared in the cabinet (docs/how-to/training.md).
    `listening`: where its pages are served.

    Raises Refused, Unavailable, OSError.
    """
    has_screen = _has_screen(as_json)
    configuration = table.in_force if table else None
    plan = table.plan() if table else TablePlan()
    folder = Path(configuration.ledger.folder) if configuration else simulation_folder()
    folder.mkdir(parents=True, exist_ok=True)
    drivers = _drivers_of(configuration)
    with ExitStack() as stack:
        claim = FolderClaim(folder)  # another process's cabinet must not be touched
        stack.callback(claim.release)
        memory, stall = folder / CABINET_FILE, LoopStall()
        machine = stack.enter_context(
            machine_in_real_time(plan, folder, memory=memory, drivers=drivers, selector=stall)
        )
        _prepare(machine, table, fault)
        whose = LineSource(table, plan, folder, machine.disk.folder)
        surroundings = Surroundings(machine.disk.free_mb)
        companions = stack.enter_context(
            run_companions(machine.loop, whose, journal, surroundings, stall)
        )
        machine.followers.append(companions.follow)
        simulated_table = SimulatedTable(machine)
        notices = Notices()
        if listening is not None:
            pages = _pages(machine, simulated_table, whose, listening, notices)
            stack.enter_context(pages)
        has_pages = listening is not None
        interface = _interface(simulated_table, machine, notices, has_screen, has_pages=has_pages)
        probes = _probes(simulated_table)
        return run_until_stopped(machine.loop, probes, interface, companions.ending)


def _has_screen(as_json: bool) -> bool:
    """Whether to show the picture: input and output are a terminal, and no JSON is wanted.

    Raises Refused where its library is missing, before anything has been started.
    """
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if find_spec(SCREEN_LIBRARY) is None:
        raise Refused(
            f"the simulated cabinet's picture needs the library {SCREEN_LIBRARY}: "
            "install banco[simulation], or add --json"
        )
    return True


def _probes(simulated_table: SimulatedTable) -> tuple[Probe, ...]:
    """The disk's probes, asked of the service that runs at that time: power cuts replace it."""

    def probe_of(number: int) -> Probe:
        def ask(alive: Answer, silent: Answer) -> None:
            simulated_table.service.disk.probes[number](alive, silent)

        return ask

    return tuple(map(probe_of, range(len(simulated_table.service.disk.probes))))


def _drivers_of(configuration: Configuration | None) -> DriversFor:
    """The drivers that the configuration names; without one, all are simulated."""
    if configuration is None:
        return drivers_in

    def drivers(
        loop: asyncio.AbstractEventLoop, cabinet: SimulatedCabinet, plan: TablePlan
    ) -> Drivers:
        return compose(
            loop,
            configuration,
            lambda: panel_in(loop, cabinet, plan),
            lines_in(cabinet, plan),
            doors_in(loop, cabinet, plan),
        )

    return drivers


def _prepare(
    machine: SimulatedMachine, table: AdoptedConfiguration | None, fault: int | None
) -> None:
    """Set what watches the ledger, and prepare the fault, before a controller starts."""
    machine.counterparts = counterparts_of(table.in_force if table else None, machine.plan.table)
    machine.second_look = SecondLook
    if fault is None:
        return
    try:
        prepare(fault, machine.loop, machine.cabinet, machine.disk)
    except PhysicallyImpossible as error:
        raise Refused(f"fault {fault} cannot be prepared: {error}") from error


@contextmanager
def _pages(
    machine: SimulatedMachine,
    simulated_table: SimulatedTable,
    whose: LineSource,
    listening: Listening,
    notices: Notices,
) -> Iterator[None]:
    from console.simulation.pages import serve_simulated_pages

    desktop = Desktop()

    def show_address(url: str) -> None:
        notices.show(f"the table's page: {url}")
        if notices.on_terminal:
            desktop.show(url)

    login = whose.open_login(machine.loop, PAGE_ATTEMPTS_FILE)
    with (
        closing(login),
        serve_simulated_pages(machine, simulated_table, whose, listening, login, show_address),
    ):
        yield


def _interface(
    simulated_table: SimulatedTable,
    machine: SimulatedMachine,
    notices: Notices,
    has_screen: bool,
    *,
    has_pages: bool,
) -> Coroutine[Any, Any, int]:
    """The user interface: a picture and a prompt on a terminal, otherwise JSON lines."""
    vocabulary = vocabulary_of(machine.plan)
    if has_screen:
        from console.simulation.terminal.screen import run_screen

        return run_screen(simulated_table, vocabulary, machine, notices)
    from console.simulation.terminal.pipe import run_pipe

    return run_pipe(simulated_table, vocabulary, stays=has_pages)
