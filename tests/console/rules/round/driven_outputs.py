"""Outputs driven by hand in SERVICE, at a `PureTable` and at a simulated table."""

from console.rules.acts import LineAct, OutputsDriven
from console.rules.drive import Drive
from console.rules.round import Transition
from devices.roles import ALL_DARK, DisplayText, KeyMoved, KeyPosition, Lamp, PanelLights
from tests.console.table import PureTable, Table, rules_of

WHO = "anna"
LAMPS = (Lamp.ON, Lamp.INVITE, Lamp.ALERT, *ALL_DARK[3:])
PANEL = PanelLights((*ALL_DARK[1:], Lamp.ON), (True, False, False, False, True))
TEXT = DisplayText(("PROVA DISPLAY", "12345678901234567890"))
SHOWN = Drive(slots=LAMPS, panel=PANEL, display=TEXT)


def gates(*seats: int) -> Drive:
    return Drive(gates=frozenset(seats))


def in_service(game: str = "caribbean-stud") -> PureTable:
    pure_table = PureTable.start(rules_of(game))
    pure_table.do(KeyMoved(KeyPosition.S))
    return pure_table


def drive_outputs(pure_table: PureTable, drive: Drive | None) -> Transition:
    return pure_table.do(OutputsDriven(WHO, drive))


def do(table: Table, act: LineAct) -> None:
    """What the local line's server reports, and the time after it."""
    table.simulated_table.service.report(act)
    table.machine.pass_time(50)


def drive(table: Table, what: Drive | None) -> str | None:
    """Drive outputs at a table; the refusal on record, if it was refused."""
    do(table, OutputsDriven(WHO, what))
    refusal = table.records[-1].body.get("refusal")
    assert refusal is None or isinstance(refusal, str)
    return refusal
