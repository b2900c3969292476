"""`banco run`: the table service, on real hardware or on a simulated cabinet."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from msgspec import UnsetType

from console.configuration.addresses import DEFAULT, Listening, parse_listen
from console.configuration.adopted import AdoptedConfiguration, read_adopted
from console.configuration.overrides import list_written, write_overrides
from console.configuration.places import find_simulated_table
from console.configuration.sections import Configuration, TableKind
from console.configuration.version import VERSION
from console.line.access.login import PAGE_ATTEMPTS_FILE
from console.line.companions import run_companions
from console.line.local_line import LineSource
from console.rules.codes import Fault
from console.service.clock import Clock, wall_clock
from console.service.composition import compose
from console.service.counterparts import counterparts_of
from console.service.disk import Disk
from console.service.disk_thread import DiskThread
from console.service.health.log import LogHandler, keep_log
from console.service.health.loop_stall import LoopStall
from console.service.health.surroundings import Surroundings, describe_lost_medium
from console.service.second_look import SecondLook
from console.service.start import StartRefused
from console.service.supervision.main_loop import run_until_stopped
from console.service.supervision.process_end import describe_failure
from console.service.table_ledger import TableLedger
from console.service.table_service import Follower, TableService
from jackpot.failures import Failure, Refused

UNUSABLE = 2
"""The exit status of a service that cannot start, as with a wrong configuration.

A ledger that is corrupt ends none: the table runs, locked.
"""

REFUSALS = (Failure, OSError)
"""What can prevent a start; any other exception is a bug."""

log = logging.getLogger(__name__)

BANNER = "SIMULATION: this is no real table, and no real money is in it."


def run(
    file: Path | None,
    *,
    simulated: bool,
    as_json: bool,
    fault: int | None = None,
    web: str | None = None,
) -> int:
    """Run the table a configuration asks for; the exit status. Prints what prevents it.

    `fault`: the number of a fault prepared in the simulated cabinet. `web`: where to serve its
    pages, "" for the usual place.
    """
    with keep_log() as journal:
        try:
            if fault is not None:
                file = _prepare_fault(file, fault, simulated=simulated)
            elif file is None and simulated:
                file = find_simulated_table()
            table = read_adopted(file) if file else None
            _check_kind(table.in_force if table else None, simulated)
            if web is not None and not simulated:
                raise Refused("the pages of a real table stand in its configuration: [web]")
            if table is not None and table.in_force.kind is TableKind.PRODUCTION:
                return _start_on_record(table, partial(run_table, journal=journal))
            from console.simulation.run import run_simulation

            print(BANNER, file=sys.stderr)
            simulate = partial(
                run_simulation,
                journal=journal,
                as_json=as_json,
                fault=fault,
                listening=_address_of_pages(table, web),
            )
            return _start_on_record(table, simulate) if table else simulate(None)
        except REFUSALS as error:
            print(journal.format_text(describe_failure(error), logging.ERROR), file=sys.stderr)
            return UNUSABLE


def _prepare_fault(file: Path | None, fault: int, *, simulated: bool) -> Path:
    if not simulated:
        raise Refused("faults are prepared in a simulated cabinet only: add --sim")
    from console.configuration.places import simulation_folder
    from console.simulation.cabinet import prepare_training_table

    return prepare_training_table(file, simulation_folder(), fault)


def _check_kind(configuration: Configuration | None, simulated: bool) -> None:
    """Never start a simulation as a real table, nor the reverse. Raises Refused."""
    if configuration is None:
        if not simulated:
            raise Refused("name the table: banco run --config FILE; or simulate one: --sim")
    elif simulated and configuration.kind is TableKind.PRODUCTION:
        raise Refused("this is a production configuration: it is not started with --sim")
    elif not simulated and configuration.kind is TableKind.SIMULATION:
        raise Refused("this is a simulation: start it with --sim")


def _address_of_pages(table: AdoptedConfiguration | None, web: str | None) -> Listening | None:
    """Where to serve the pages; None: nowhere. Raises Refused."""
    if web is None:
        section = table.in_force.web if table is not None else None
        return section.listening() if section is not None else None
    try:
        return parse_listen(web) if web else DEFAULT
    except ValueError as error:
        raise Refused(str(error)) from error


@contextmanager
def _pages(loop: asyncio.AbstractEventLoop, whose: LineSource) -> Iterator[Follower]:
    """The way to the pages of a real table, if its configuration asks for them."""
    listening = _address_of_pages(whose.table, None)
    if listening is None:
        yield lambda _: None
        return
    from console.web.table_pages import table_pages

    login = whose.open_login(loop, PAGE_ATTEMPTS_FILE)
    with closing(login), table_pages(loop, whose, listening, login) as follow:
        yield follow


def _start_on_record(
    table: AdoptedConfiguration, start: Callable[[AdoptedConfiguration], int]
) -> int:
    """Start a table; with the settings on record, if settings.toml holds others.

    Also with those that are due. That file is then written anew from the record. Raises
    FileUnusable, StartRefused.
    """
    try:
        return _start_in_play(table, start)
    except StartRefused as error:
        if error.on_record is None:
            raise
        if error.due:
            log.warning("%s", error)
        else:
            log.error("%s: the table starts with that", error)
        refused = None if error.due else list_written(table.overrides)
        held = table.with_settings_on_record(error.on_record, refused)
    try:
        write_overrides(held.adopted, held.overrides)
    except OSError as error:
        log.error("settings.toml cannot be written anew from the record: %s", error)
    return _start_in_play(held, start)


def _start_in_play(
    table: AdoptedConfiguration, start: Callable[[AdoptedConfiguration], int]
) -> int:
    """Start a table; where a round is in play, with the amounts it began with.

    Raises StartRefused where other settings differ, too.
    """
    try:
        return start(table)
    except StartRefused as error:
        held = table.with_amounts_of_round(error.in_play) if error.in_play else None
        if held is None:
            raise
        log.warning("what was written on the line waits until the table is paused: %s", error)
    return start(held)


def run_table(table: AdoptedConfiguration, journal: LogHandler) -> int:
    """Run a table on its hardware until SIGTERM or SIGINT, or until a restart is asked for.

    Raises StartRefused, OSError, and whatever a callback raised.
    """
    from console.release.running import describe_unfinished, look_at_program, watch_program
    from firmware_bridge.board_session.framing import describe_slow_codec

    configuration = table.in_force
    plan, folder = table.plan(), Path(configuration.ledger.folder)
    for warning in (describe_slow_codec(), describe_lost_medium(folder), describe_unfinished()):
        if warning:
            log.warning("%s", warning)
    release = look_at_program(VERSION, wall_clock)  # before a device is opened
    if not isinstance(release, UnsetType) and release.problem:
        log.critical("%s: %s", Fault.PROGRAM_CHANGED.value, release.problem)
    stall = LoopStall()
    loop = asyncio.SelectorEventLoop(stall)
    try:
        drivers = compose(loop, configuration)
        counterparts = counterparts_of(configuration, configuration.table)
        table_ledger = TableLedger(
            folder, counterparts=counterparts, second_look=SecondLook(folder)
        )
        disk = Disk(table_ledger, DiskThread(loop), DiskThread(loop, name="lock"))
        clock = Clock(lambda: round(loop.time() * 1000), wall_clock)
        service = TableService(loop, plan, drivers, clock, disk)
        whose = LineSource(table, plan, folder, folder)
        try:
            surroundings = Surroundings.of(folder)
            with (
                run_companions(loop, whose, journal, surroundings, stall) as companions,
                _pages(loop, whose) as follow_for_pages,
                watch_program(
                    loop, partial(look_at_program, VERSION, wall_clock)
                ) as follow_for_program,
            ):
                service.start(release)
                companions.follow(service)
                follow_for_program(service)
                follow_for_pages(service)
                return run_until_stopped(loop, disk.probes, ending=companions.ending)
        finally:
            service.close()
    finally:
        loop.close()
