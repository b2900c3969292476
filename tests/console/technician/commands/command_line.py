"""A typist at the technician's line of a simulated table, in virtual time."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.line.client import LineClient
from console.line.handler import HandlerParts, LineHandler, TableFacts
from console.rules.link import Tie
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import SimulatedMachine, machine_in_virtual_time
from console.technician.command import TableLine, TechnicianSession
from console.technician.shell import run_shell
from console.technician.terminal.terminal import Size, Terminal
from console.texts.language import Language
from console.texts.layout import plain
from devices.sim.virtual_time import VirtualLoop
from tests.console.line.handled_table import HandledTable
from tests.console.table import Table
from tests.console.technician.terminal.typist import Typist, typist

IT, EN = Language.IT, Language.EN

A_PAGE = Size(80, 24)
ENDLESS = Size(80, 1000)
"""Without paging, so that a test reads all at once."""

FIRST_ROUND = (
    "press GAME_OVER",
    "token 1 3",
    "press COIN_IN",
    "press FLUSH",
    "key JPL",
    "press JPOT",
    "key R",
)
"""A round with seats 1 and 3 in which a flush was paid."""

SERVICE = ("press GAME_OVER", "press COIN_IN", "key S")


HOUSE_PRIZES = """
currency = "CHF"
limit = "10002.00"
[[prize]]
combination = "MINI_ROYAL"
it = "MINI SCALA"
en = "MINI ROYAL"
amount = "500.00"
from = "house"
envy = "25.00"
key = "JPL"
"""
"""Of a house with a currency, a combination and a limit of its own."""


def write_house_prizes(folder: Path) -> str:
    """Write the prize file; the setting that names it."""
    file = folder / "prizes.toml"
    file.write_text(HOUSE_PRIZES)
    return f"prizes {file}"


NO_SOCKET = Path("no-such-line")


def absent_service() -> LineClient:
    """Return a client of a service that does not run."""
    return LineClient(NO_SOCKET)


@dataclass
class CommandLine:
    """The typist `anna`, and the session of the commands."""

    anna: Typist
    session: TechnicianSession

    def type_command(self, command: str, *answers: str, seconds: float = 3.0) -> str:
        """Type a command, then the answers to its questions; return what is shown."""
        self.anna.type(f"{command}\r")
        self.anna.wait(seconds)
        for answer in answers:
            self.anna.type(f"{answer}\r")
            self.anna.wait(seconds)
        return self.anna.read()


@dataclass
class TableCommandLine(CommandLine):
    """A command line at a running table."""

    table: HandledTable


@contextmanager
def line_to(
    loop: VirtualLoop,
    table: TableLine,
    *,
    language: Language = EN,
    size: Size = ENDLESS,
    ledger: Path | None = None,
    configuration: Path | None = None,
) -> Iterator[CommandLine]:
    """Open a command line to `table`; its greeting has been read."""
    sessions: list[TechnicianSession] = []

    async def user(terminal: Terminal) -> None:
        sessions.append(TechnicianSession(terminal, table, language, ledger, configuration))
        await run_shell(terminal, sessions[0])

    with typist(loop, user, size=size) as anna:
        anna.read()
        yield CommandLine(anna, sessions[0])


@contextmanager
def line_in(
    folder: Path,
    *settings: str,
    language: Language = EN,
    size: Size = ENDLESS,
    parts: Callable[[SimulatedMachine], HandlerParts] = lambda _: HandlerParts(),
    configuration: Path | None = None,
) -> Iterator[TableCommandLine]:
    """Open the command line of a new table with these settings."""
    plan = parse_scenario("\n".join(f"set {setting}" for setting in settings), "test").plan
    tie = Tie.SPLIT if plan.link else None
    with ExitStack() as stack:
        machine = stack.enter_context(machine_in_virtual_time(plan, folder, rehearsed=tie))
        table = _table(plan, machine, parts(machine), configuration)
        loop = machine.loop
        assert isinstance(loop, VirtualLoop)
        line = stack.enter_context(
            line_to(loop, table, language=language, size=size, configuration=configuration)
        )
        yield TableCommandLine(line.anna, line.session, table)


def _table(
    plan: TablePlan, machine: SimulatedMachine, parts: HandlerParts, configuration: Path | None
) -> HandledTable:
    facts = TableFacts(plan, True, machine.disk.folder, configuration, version="test")
    session = LineHandler(machine.loop, facts, parts)
    machine.followers.append(session.follow)
    return HandledTable(Table(plan, machine), session)


def too_long(text: str, columns: int) -> list[str]:
    """Return the lines that are longer than this many columns."""
    return [line for line in text.splitlines() if len(plain(line)) > columns]
