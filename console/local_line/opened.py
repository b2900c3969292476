"""The local line of a table that runs: its desk, its door and its socket, opened and closed."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from console.access.attempts_file import ATTEMPTS_FILE
from console.access.door import Door
from console.access.people import PEOPLE_FILE
from console.configuration.configured import Configured
from console.configuration.sections import Kind
from console.local_line.address import line_of
from console.local_line.changing import FixedSettings, SettingsOfTable, WrittenSettings
from console.local_line.desk import Fittings, TableDesk, TableFacts
from console.local_line.server import LineServer
from console.plan import TablePlan
from console.scribe import ThreadScribe
from console.service import TableService

Follower = Callable[[TableService | None], None]


@dataclass(frozen=True, slots=True)
class LineFiles:
    """The socket, who is enrolled, and where wrong PINs are counted."""

    socket: Path
    people: Path
    attempts: Path


def files_of(configured: Configured | None, folder: Path) -> LineFiles:
    """Where they are; `folder`: that of the ledger, of a simulation that of its cabinet."""
    configuration = configured.in_force if configured is not None else None
    real = configuration is not None and configuration.kind is Kind.PRODUCTION
    people = PEOPLE_FILE if real else folder / PEOPLE_FILE.name
    return LineFiles(line_of(configuration), people, folder / ATTEMPTS_FILE)


def settings_of(configured: Configured | None, plan: TablePlan) -> SettingsOfTable:
    """The settings that are told, and how they are changed."""
    if configured is None:
        return FixedSettings(plan)
    return WrittenSettings(configured.file, configured.in_force, configured.adopted)


@contextmanager
def line_opened(
    loop: AbstractEventLoop, facts: TableFacts, files: LineFiles, fittings: Fittings
) -> Iterator[Follower]:
    """The line is open; what is given must be told which service runs the table.

    The loop does not run when this begins and ends. Raises LineUnusable.
    """
    door = Door(files.people, files.attempts, ThreadScribe(loop), lambda: round(loop.time() * 1000))
    try:
        desk = TableDesk(loop, facts, replace(fittings, door=door))
        server = LineServer(loop, desk)
        server.open(files.socket)
        try:
            yield desk.follow
        finally:
            loop.run_until_complete(server.close())
            desk.follow(None)
    finally:
        door.close()
