"""Opens and closes the local line of a running table: handler, login and socket."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from console.configuration.adopted import AdoptedConfiguration
from console.configuration.keys import fingerprint
from console.configuration.limits import Limits, load_limits
from console.configuration.places import line_of
from console.configuration.sections import TableKind
from console.configuration.table_plan import TablePlan
from console.configuration.version import VERSION
from console.line.access.login import ATTEMPTS_FILE, PinLogin
from console.line.access.people import PEOPLE_FILE
from console.line.handler import HandlerParts, LastLines, LineHandler, TableFacts
from console.line.server import LineServer
from console.line.settings_changes import FixedSettings, SettingsOfTable, WrittenSettings
from console.service.disk_thread import DiskThread
from console.service.table_service import Follower


class LineSource(Struct, frozen=True):
    """The table that the line serves."""

    table: AdoptedConfiguration | None
    """None for a simulation without a configuration file."""

    plan: TablePlan
    folder: Path
    """The ledger's folder; of a simulation the cabinet's folder, which contains the ledger's."""

    ledger: Path

    @property
    def simulated(self) -> bool:
        """Whether the table is simulated or on a bench."""
        return self.table is None or self.table.in_force.kind is not TableKind.PRODUCTION

    @property
    def facts(self) -> TableFacts:
        """What does not change while the line is open."""
        if self.table is None:
            return TableFacts(self.plan, self.simulated, self.ledger, None, VERSION)
        in_force = self.table.in_force
        return TableFacts(
            self.plan,
            self.simulated,
            self.ledger,
            self.table.file,
            VERSION,
            in_force.key.store.value if in_force.key is not None else "",
            fingerprint(in_force),
        )

    @property
    def settings(self) -> SettingsOfTable:
        """The table's settings."""
        if self.table is None:
            return FixedSettings(self.plan)
        return WrittenSettings(self.table.file, self.table.in_force, self.table.adopted)

    @property
    def limits(self) -> Limits:
        """The ceilings for money. Raises ConfigurationErrors."""
        return Limits() if self.table is None else load_limits(self.table.in_force)

    def open_login(self, loop: AbstractEventLoop, attempts_file: str = ATTEMPTS_FILE) -> PinLogin:
        """A login that reads its files at once. Wrong PINs are counted in `attempts_file`."""
        people = self.folder / PEOPLE_FILE.name if self.simulated else PEOPLE_FILE
        disk_writer = DiskThread(loop)
        attempts = self.folder / attempts_file
        return PinLogin(
            people, attempts, disk_writer, lambda: round(loop.time() * 1000), loop.call_later
        )

    @property
    def socket(self) -> Path:
        """The socket's path."""
        return line_of(self.table.in_force if self.table is not None else None)


@contextmanager
def open_line(
    loop: AbstractEventLoop,
    source: LineSource,
    log: LastLines,
    health: Callable[[], Mapping[str, float]],
    restart: Callable[[], None],
) -> Iterator[Follower]:
    """Open the line for the duration of the block; yields what to call with the table's service.

    The loop must not run when the block begins and ends. Raises LineUnusable.
    """
    login = source.open_login(loop)
    try:
        parts = HandlerParts(login, log, health, source.limits, source.settings, restart)
        handler = LineHandler(loop, source.facts, parts)
        server = LineServer(loop, handler)
        server.open(source.socket)
        try:
            yield handler.follow
        finally:
            loop.run_until_complete(server.close())
            handler.follow(None)
    finally:
        login.close()
