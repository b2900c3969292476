"""The local line of a running table: its handler, login and socket, opened and closed."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.configuration.adopted import AdoptedConfiguration
from console.configuration.places import line_of
from console.configuration.sections import TableKind
from console.configuration.table_plan import TablePlan
from console.configuration.version import find_version
from console.line.access.attempts_file import ATTEMPTS_FILE
from console.line.access.login import PinLogin
from console.line.access.people import PEOPLE_FILE
from console.line.handler import HandlerParts, LastLines, LineHandler, TableFacts
from console.line.server import LineServer
from console.line.settings_changes import FixedSettings, SettingsOfTable, WrittenSettings
from console.service.disk_thread import DiskThread
from console.service.table_service import Follower


@dataclass(frozen=True, slots=True)
class LineSource:
    """Whose line it is; `table` is None for a simulation without a configuration.

    `folder`: the ledger's, of a simulation the cabinet's, with the ledger's in it.
    """

    table: AdoptedConfiguration | None
    plan: TablePlan
    folder: Path
    ledger: Path

    @property
    def simulated(self) -> bool:
        """Whether it is no real table's."""
        return self.table is None or self.table.in_force.kind is not TableKind.PRODUCTION

    @property
    def facts(self) -> TableFacts:
        """What does not change while it is open."""
        file = self.table.file if self.table is not None else None
        return TableFacts(self.plan, self.simulated, self.ledger, file, find_version())

    @property
    def settings(self) -> SettingsOfTable:
        """The settings that are told, and how they are changed."""
        if self.table is None:
            return FixedSettings(self.plan)
        return WrittenSettings(self.table.file, self.table.in_force, self.table.adopted)

    def open_login(self, loop: AbstractEventLoop) -> PinLogin:
        """The login, which reads its files at once."""
        people = self.folder / PEOPLE_FILE.name if self.simulated else PEOPLE_FILE
        disk_writer = DiskThread(loop)
        attempts = self.folder / ATTEMPTS_FILE
        return PinLogin(
            people, attempts, disk_writer, lambda: round(loop.time() * 1000), loop.call_later
        )

    @property
    def socket(self) -> Path:
        """Where it is."""
        return line_of(self.table.in_force if self.table is not None else None)


@contextmanager
def open_line(
    loop: AbstractEventLoop,
    whose: LineSource,
    log: LastLines,
    health: Callable[[], Mapping[str, float]],
    restart: Callable[[], None],
) -> Iterator[Follower]:
    """The line is open; what is given must be told which service runs the table.

    The loop does not run when this begins and ends. Raises LineUnusable.
    """
    login = whose.open_login(loop)
    try:
        parts = HandlerParts(login, log, health, whose.settings, restart)
        handler = LineHandler(loop, whose.facts, parts)
        server = LineServer(loop, handler)
        server.open(whose.socket)
        try:
            yield handler.follow
        finally:
            loop.run_until_complete(server.close())
            handler.follow(None)
    finally:
        login.close()
