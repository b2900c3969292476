"""`banco run`: the table service, on real hardware or on a simulated cabinet."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from console.books import Books
from console.composition import NotSimulated, compose
from console.configuration import Configuration, Kind
from console.configuration_file import ConfigurationErrors, load_configuration
from console.parts import Clock, wall_clock
from console.scribe import ThreadScribe
from console.service import Disk, TableService
from console.start import StartRefused
from console.supervision import Notifier, Probe, Watchdog, watchdog_interval
from devices.pin_factories import PinsUnavailable

log = logging.getLogger(__name__)

STOPPED, UNUSABLE = 0, 2
NEVER_S = 3600.0

BANNER = "SIMULATION: this is no real table, and no real money is in it."


def run(file: Path | None, *, simulated: bool, as_json: bool) -> int:
    """Run the table a configuration asks for; the exit status. What stands against it is told.

    Whatever a callback raises ends the process: a table that does not understand itself any
    more stops at once, and systemd starts it again.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        configuration = load_configuration(file) if file else None
        _fits(configuration, simulated)
        if configuration is not None and configuration.kind is Kind.PRODUCTION:
            run_table(configuration)
            return STOPPED
        from console.simulation import run_simulation

        print(BANNER, file=sys.stderr)
        return run_simulation(configuration, as_json=as_json)
    except (ConfigurationErrors, NotSimulated, StartRefused, PinsUnavailable, OSError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE


def _fits(configuration: Configuration | None, simulated: bool) -> None:
    """A simulation is never started for a table, nor a table for a simulation."""
    if configuration is None:
        if not simulated:
            raise NotSimulated("name the table: banco run --config FILE; or simulate one: --sim")
    elif simulated and configuration.kind is Kind.PRODUCTION:
        raise NotSimulated("this is a production configuration: it is not started with --sim")
    elif not simulated and configuration.kind is Kind.SIMULATION:
        raise NotSimulated("this is a simulation: start it with --sim")


def run_table(configuration: Configuration) -> None:
    """Run a table on its hardware until SIGTERM or SIGINT.

    Raises StartRefused, PinsUnavailable, OSError, and whatever a callback raised.
    """
    loop = asyncio.new_event_loop()
    try:
        parts = compose(loop, configuration, runtime_folder())
        disk = Disk(Books(Path(configuration.ledger.folder)), ThreadScribe(loop))
        clock = Clock(lambda: round(loop.time() * 1000), wall_clock)
        service = TableService(loop, configuration.plan(), parts, clock, disk)
        service.start()
        try:
            run_until_told(loop, service.probe)
        finally:
            service.close()
    finally:
        loop.close()


def runtime_folder() -> Path:
    """Where drivers may leave files while they run: systemd's RuntimeDirectory, or /tmp."""
    return Path(os.environ.get("RUNTIME_DIRECTORY", "/tmp"))


def run_until_told(
    loop: asyncio.AbstractEventLoop,
    probe: Probe,
    face: Coroutine[Any, Any, int] | None = None,
) -> int:
    """Run the loop until SIGTERM or SIGINT, or until `face` ends; its result, or 0.

    Raises what a callback raised.
    """
    failures = _stop_on_failure(loop)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, loop.stop)
    task = loop.create_task(face) if face is not None else None

    def face_ended(_: object) -> None:
        loop.stop()

    if task is not None:
        task.add_done_callback(face_ended)
    notifier = Notifier.of_environment()
    watchdog = Watchdog(
        loop, probe, watchdog_interval() or NEVER_S, lambda: notifier.tell("WATCHDOG=1")
    )
    watchdog.start()
    notifier.tell("READY=1")
    try:
        loop.run_forever()
    finally:
        notifier.tell("STOPPING=1")
        watchdog.stop()
        notifier.close()
    if failures:
        raise failures[0]
    if task is None:
        return STOPPED
    task.remove_done_callback(face_ended)
    return _ended(loop, task)


def _ended(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[int]") -> int:
    """The face's result; STOPPED if a signal came first, and then it is ended properly."""
    if task.done():
        return task.result()
    task.cancel()
    loop.run_until_complete(asyncio.wait([task], timeout=1))
    return STOPPED


def _stop_on_failure(loop: asyncio.AbstractEventLoop) -> list[BaseException]:
    failures: list[BaseException] = []

    def failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "transport" in context:
            # A port that hangs up with unsent bytes; its line has been told and seeks it again.
            log.warning("%s: %s", context["message"], error)
            return
        failures.append(error if error is not None else RuntimeError(context["message"]))
        loop.stop()

    loop.set_exception_handler(failed)
    return failures
