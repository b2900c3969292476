"""A technician's visit to a simulated table, in virtual time: the real shell at a real terminal."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from console.configuration.version import find_version
from console.line.handler import HandlerParts, LineHandler, TableFacts
from console.simulation.cabinet import SimulatedCabinet, VirtualLoop
from console.simulation.scenario.language.script import parse_scenario
from console.simulation.scenario.simulated_machine import machine_in_virtual_time
from console.technician.command import TechnicianSession
from console.technician.shell import run_shell
from console.technician.talk import Hung
from console.technician.terminal.pager import MORE
from console.technician.terminal.terminal import Terminal
from console.texts.language import Language
from tests.console.line.handled_table import HandledTable, enrolled_at
from tests.console.table import Table
from tests.console.technician.terminal.typed import Typist, typist

PROMPT = "> "

LONGEST_ROW = 80


class Visit:
    """The table, its session, and who types at the terminal; `heard` is all that was printed."""

    def __init__(self, rig: HandledTable, typed: Typist, session: TechnicianSession) -> None:
        self.rig = rig
        self.typist = typed
        self.session = session
        self.heard = ""

    @property
    def cabinet(self) -> SimulatedCabinet:
        return self.rig.table.machine.cabinet

    def driven(self) -> bool:
        """Whether the table shows what the technician wants."""
        return self.rig.table.state.drive is not None

    def types(self, *keys: str) -> str:
        """Press keys; what was printed by a moment later."""
        self.typist.types(*keys)
        return self.reads()

    def says(self, command: str) -> str:
        """Type a whole command; what was printed by a moment later."""
        return self.types(f"{command}\r")

    def waits(self, seconds: float) -> str:
        self.typist.waits(seconds)
        return self.reads()

    def reads(self) -> str:
        """What is new on the screen, pages turned."""
        told = self.typist.reads()
        while MORE.strip() in told[-LONGEST_ROW:]:
            self.typist.types(" ")
            told += "\n" + self.typist.reads()
        self.heard += told + "\n"
        return told

    @property
    def at_the_prompt(self) -> bool:
        """The last command has ended."""
        rows = [row.rstrip() for row in self.typist.screen.rows if row.strip()]
        return bool(rows) and rows[-1].endswith(PROMPT.rstrip())


@contextmanager
def visit(
    folder: Path,
    *settings: str,
    language: Language = Language.EN,
    enters: bool = True,
    lines: Sequence[str] = ("key S",),
    pace: int | None = None,
) -> Iterator[Visit]:
    """A table with these settings, `lines` played, and a technician (who has entered) at it."""
    plan = parse_scenario("\n".join(f"set {setting}" for setting in settings), "test").plan
    with machine_in_virtual_time(plan, folder) as machine:
        facts = TableFacts(plan, simulated=True, ledger=machine.disk.folder, version=find_version())
        folder.mkdir(exist_ok=True)
        door = enrolled_at(machine, folder / "people")
        service_desk = LineHandler(machine.loop, facts, HandlerParts(login=door))
        machine.followers.append(service_desk.follow)
        rig = HandledTable(Table(plan, machine), service_desk)
        rig.play(*lines)
        if enters:
            rig.enter()
        assert isinstance(machine.loop, VirtualLoop)
        sessions: list[TechnicianSession] = []

        async def face(terminal: Terminal) -> None:
            session = TechnicianSession(terminal, rig, language, ledger=machine.disk.folder)
            sessions.append(session)
            with suppress(Hung):  # some tests pull the cable
                await run_shell(terminal, session)

        with typist(machine.loop, face, pace=pace) as typed:
            yield Visit(rig, typed, sessions[0])
