"""`banco run`: the table service, on real hardware or on a simulated cabinet."""

import asyncio
import logging
import sys
from pathlib import Path

from console.books import Books
from console.composition import NotSimulated, compose
from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.sections import Configuration, Kind
from console.health.collecting import MetricsUnavailable, metrics_told
from console.health.figures import Health
from console.health.journal import Journal, keeping_log
from console.health.surroundings import Surroundings
from console.main_loop import STOPPED, run_until_told
from console.parts import Clock, wall_clock
from console.scribe import ThreadScribe
from console.service import Disk, TableService
from console.start import StartRefused
from devices.pin_factories import PinsUnavailable
from jackpot.failures import LedgerInUse

UNUSABLE = 2

REFUSALS = (
    ConfigurationErrors,
    NotSimulated,
    StartRefused,
    PinsUnavailable,
    LedgerInUse,
    MetricsUnavailable,
    OSError,
)
"""What can stand against a start; anything else is a mistake of ours."""

BANNER = "SIMULATION: this is no real table, and no real money is in it."


def run(file: Path | None, *, simulated: bool, as_json: bool, fault: int | None = None) -> int:
    """Run the table a configuration asks for; the exit status. What stands against it is told.

    `fault`: the number of one prepared in the simulated cabinet.
    """
    with keeping_log() as journal:
        try:
            if fault is not None:
                file = _prepared(file, fault, simulated=simulated)
            configuration = load_configuration(file) if file else None
            _fits(configuration, simulated)
            if configuration is not None and configuration.kind is Kind.PRODUCTION:
                run_table(configuration, journal)
                return STOPPED
            from console.simulation import run_simulation

            print(BANNER, file=sys.stderr)
            return run_simulation(configuration, journal, as_json=as_json, fault=fault)
        except REFUSALS as error:
            print(journal.told(str(error), logging.ERROR), file=sys.stderr)
            return UNUSABLE


def _prepared(file: Path | None, fault: int, *, simulated: bool) -> Path:
    if not simulated:
        raise NotSimulated("faults are prepared in a simulated cabinet only: add --sim")
    from console.simulation import simulation_folder
    from console.training import training_table

    return training_table(file, simulation_folder(), fault)


def _fits(configuration: Configuration | None, simulated: bool) -> None:
    """A simulation is never started for a table, nor a table for a simulation."""
    if configuration is None:
        if not simulated:
            raise NotSimulated("name the table: banco run --config FILE; or simulate one: --sim")
    elif simulated and configuration.kind is Kind.PRODUCTION:
        raise NotSimulated("this is a production configuration: it is not started with --sim")
    elif not simulated and configuration.kind is Kind.SIMULATION:
        raise NotSimulated("this is a simulation: start it with --sim")


def run_table(configuration: Configuration, journal: Journal) -> None:
    """Run a table on its hardware until SIGTERM or SIGINT.

    Raises StartRefused, PinsUnavailable, OSError, and whatever a callback raised.
    """
    loop = asyncio.new_event_loop()
    try:
        parts = compose(loop, configuration)
        folder = Path(configuration.ledger.folder)
        disk = Disk(Books(folder), ThreadScribe(loop))
        clock = Clock(lambda: round(loop.time() * 1000), wall_clock)
        service = TableService(loop, configuration.plan(), parts, clock, disk)
        health = Health(loop, Surroundings.of(folder), lambda: journal.lines_lost)
        with metrics_told(loop, configuration, health) as tell_metrics_of:
            service.start()
            health.follow(service)
            tell_metrics_of(service)
            try:
                run_until_told(loop, service.probe)
            finally:
                health.follow(None)
                service.close()
    finally:
        loop.close()
