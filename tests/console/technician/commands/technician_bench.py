"""The technician's line of a simulated table in virtual time: the real shell and terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from console.configuration.version import VERSION
from console.line.handler import HandlerParts, LineHandler, TableFacts
from console.rules.structs import replace
from console.service.disk_thread import DiskWriter
from console.simulation.cabinet import SimulatedCabinet, VirtualLoop
from console.simulation.scenario.script import parse_scenario
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.technician.command import TechnicianSession
from console.technician.shell import run_shell
from console.technician.talk import Hung
from console.technician.terminal.terminal import MORE, Terminal
from console.texts.language import Language
from tests.console.line.handled_table import HandledTable, make_login
from tests.console.table import Table
from tests.console.technician.terminal.typist import Typist, typist

PROMPT = "> "

LONGEST_ROW = 80


class TechnicianBench:
    """The table, the session and the typist; `printed` is all that was printed."""

    def __init__(self, rig: HandledTable, typed: Typist, session: TechnicianSession) -> None:
        self.rig = rig
        self.typist = typed
        self.session = session
        self.printed = ""

    @property
    def cabinet(self) -> SimulatedCabinet:
        return self.rig.table.machine.cabinet

    def is_driven(self) -> bool:
        """Whether outputs are driven by hand."""
        return self.rig.table.state.drive is not None

    def type(self, *keys: str) -> str:
        """Press keys; return what was printed shortly after."""
        self.typist.type(*keys)
        return self.read()

    def type_command(self, command: str) -> str:
        """Type a whole command; return what was printed shortly after."""
        return self.type(f"{command}\r")

    def wait(self, seconds: float) -> str:
        self.typist.wait(seconds)
        return self.read()

    def read(self) -> str:
        """Return what is new on the screen, turning pages."""
        shown = self.typist.read()
        while MORE.strip() in shown[-LONGEST_ROW:]:
            self.typist.type(" ")
            shown += "\n" + self.typist.read()
        self.printed += shown + "\n"
        return shown

    @property
    def at_the_prompt(self) -> bool:
        """Whether the last command has ended."""
        rows = [row.rstrip() for row in self.typist.screen.rows if row.strip()]
        return bool(rows) and rows[-1].endswith(PROMPT.rstrip())


@contextmanager
def open_bench(
    folder: Path,
    *settings: str,
    language: Language = Language.EN,
    enters: bool = True,
    lines: Sequence[str] = ("key S",),
    pace: int | None = None,
    disk: DiskWriter | None = None,
) -> Iterator[TechnicianBench]:
    """Open a table with these settings, play `lines`, and log a technician in.

    `disk`: what writes the table's ledger.
    """
    scenario = parse_scenario("\n".join(f"set {setting}" for setting in settings), "test")
    plan = scenario.plan
    rehearsed = scenario.tie if plan.link else None
    with machine_in_virtual_time(plan, folder, rehearsed=rehearsed) as machine:
        if disk is not None:
            machine.time = replace(machine.time, disk_writer=lambda: disk)
        facts = TableFacts(plan, simulated=True, ledger=machine.disk.folder, version=VERSION)
        folder.mkdir(exist_ok=True)
        login = make_login(machine, folder / "people")
        handler = LineHandler(machine.loop, facts, HandlerParts(login=login))
        machine.followers.append(handler.follow)
        rig = HandledTable(Table(plan, machine), handler)
        rig.play(*lines)
        if enters:
            rig.enter()
        assert isinstance(machine.loop, VirtualLoop)
        sessions: list[TechnicianSession] = []

        async def user(terminal: Terminal) -> None:
            session = TechnicianSession(terminal, rig, language, ledger=machine.disk.folder)
            sessions.append(session)
            with suppress(Hung):  # some tests pull the cable
                await run_shell(terminal, session)

        with typist(machine.loop, user, pace=pace) as typed:
            yield TechnicianBench(rig, typed, sessions[0])
