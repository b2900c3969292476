"""The prompt: table, phase, key and faults in a line, as they are now."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import msgspec
import pytest

from console.line.requests import PresentFault, Status
from console.rules.codes import Fault
from console.technician.command import TechnicianSession
from console.technician.shell import render_table_line
from console.technician.terminal.terminal import Terminal
from console.texts.catalogue.findings import Finding
from console.texts.layout import WIDTH
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.memory_line import memory_wire
from tests.console.technician.commands.command_line import EN, IT, absent_service, line_in, line_to


def test_it_follows_the_table_while_somebody_types(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        assert line.anna.screen.text.endswith(
            "SIMULATION  simulated  PAUSED  key R  faults: none\nbanco>"
        )
        line.anna.type("fau")
        line.table.play("press GAME_OVER", "key JPH", "unplug display", "wait 3s")
        assert line.anna.screen.text.endswith(
            "SIMULATION  simulated  BETTING  key JPH  faults: DISPLAY_LOST\nbanco> fau"
        )


def test_a_quiet_table_sends_nothing(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.anna.type("")
        line.anna.wait(60)
        assert line.anna.sent == b""


def test_it_names_who_has_entered(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        line.table.enter("anna")
        line.anna.wait(2)
        assert line.anna.screen.line.rstrip() == "anna>"
        line.anna.wait(601)
        assert line.anna.screen.line.rstrip() == "banco>"


def test_no_service(loop: VirtualLoop) -> None:
    with line_to(loop, absent_service()) as line:
        assert line.anna.screen.text.endswith("NO SERVICE (status)\nbanco>")
    with line_to(loop, absent_service(), language=IT) as line:
        assert line.anna.screen.text.endswith("NESSUN SERVIZIO (stato)\nbanco>")


@dataclass
class QuietTable:
    """The status of a quiet table, to be varied, and a session in each language."""

    status: Status
    sessions: tuple[TechnicianSession, ...]

    def lines(self, **changed: object) -> list[str]:
        status = msgspec.structs.replace(self.status, **changed)
        return [render_table_line(session, status) for session in self.sessions]


@pytest.fixture
def table(tmp_path: Path, loop: VirtualLoop) -> QuietTable:
    with line_in(tmp_path) as line:
        status = line.session.status
    assert status is not None
    terminal = Terminal(loop, memory_wire(loop)[0])
    return QuietTable(
        status,
        tuple(TechnicianSession(terminal, absent_service(), language) for language in (IT, EN)),
    )


def faults(count: int) -> tuple[PresentFault, ...]:
    return tuple(PresentFault(fault) for fault in list(Fault)[:count])


def findings(count: int) -> tuple[Finding, ...]:
    return (Finding("LAMP_DEAD", "seat 1"),) * count


def test_a_real_table_does_not_say_simulation(table: QuietTable) -> None:
    assert table.lines(table="caribbean-1", simulated=False, faults=faults(1)) == [
        "caribbean-1  IN PAUSA  chiave R  guasti: RAIL_LOST",
        "caribbean-1  PAUSED  key R  faults: RAIL_LOST",
    ]


def test_what_is_noticed_is_counted(table: QuietTable) -> None:
    assert table.lines(faults=faults(1), findings=findings(2)) == [
        "SIMULAZIONE  simulated  IN PAUSA  chiave R  guasti: RAIL_LOST, +2 notate",
        "SIMULATION  simulated  PAUSED  key R  faults: RAIL_LOST, +2 noticed",
    ]


def test_faults_are_named_as_far_as_they_find_room(table: QuietTable) -> None:
    assert table.lines(faults=faults(4))[1].endswith("faults: RAIL_LOST PANEL_LOST +2")
    text = table.lines(faults=faults(4), findings=findings(1))[1]
    assert text.endswith("faults: RAIL_LOST +3, +1 noticed")
    assert table.lines(table="x" * 24, phase="AWARDING", faults=faults(3))[0].endswith(": 3")


def test_a_key_that_cannot_be_read_is_a_question(table: QuietTable) -> None:
    assert "key ?  " in table.lines(key="")[1]


def test_it_is_never_longer_than_a_line(table: QuietTable) -> None:
    names = ("t", "caribbean-1", "a-table-with-a-very-long-name-indeed-1234567890")
    for name, some, noticed in product(names, range(len(Fault) + 1), (0, 1, 12)):
        for text in table.lines(table=name, faults=faults(some), findings=findings(noticed)):
            assert len(text) <= WIDTH, text
            assert not some or "RAIL_LOST" in text or f": {some}" in text
