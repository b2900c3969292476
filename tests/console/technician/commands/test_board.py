"""`board`: the boards that have answered; the technician enrols them."""

from pathlib import Path

from console.rules.codes import Duty
from devices.sim.rail import do_nothing
from firmware_bridge.board.rail import SlotRail
from tests.console.technician.commands.command_line import IT, TableCommandLine, line_in


def exchange(line: TableCommandLine, serial: str) -> None:
    line.table.play("unplug rail", "wait 2s")
    rail = line.table.table.machine.cabinet.rail
    rail.fit_board(lambda boot: SlotRail(boot, serial, (2, 1, 0)), do_nothing)
    line.table.play("plug rail", "wait 2s")


def test_it_names_every_board(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("board")
    assert "rail: enrolled\n  slot rail: RAIL-001, firmware 1.0.0\n" in shown
    assert "shuffler: enrolled\n  shuffler: SHUFFLER, firmware 1.0.0\n" in shown


def test_the_technician_enrols_an_exchanged_board(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        exchange(line, "SPARE-01")
        assert "BOARD_CHANGED rail: SPARE-01" in line.type_command("status")
        shown = line.type_command("board")
        assert "rail: NOT ENROLLED, not believed (enrolled: RAIL-001)\n" in shown
        line.table.play("key S")
        line.table.enter("anna", Duty.TECHNICIAN)
        assert "Nothing was done." in line.type_command("board enrol rail", "n")
        line.table.play("expect fault BOARD_CHANGED")
        shown = line.type_command("board enrol rail", "y")
        assert "slot rail: SPARE-01, firmware 2.1.0" in shown
        assert "board SPARE-01 enrolled" in shown
        line.table.play("expect fault none")


def test_only_a_technician_with_the_key_at_s(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        exchange(line, "SPARE-01")
        line.table.enter("bianchi", Duty.FLOOR_MANAGER)
        assert "NOT_YOUR_DUTY" in line.type_command("board enrol rail", "y")
        line.table.enter("anna", Duty.TECHNICIAN)
        assert "NOT_IN_SERVICE" in line.type_command("board enrol rail", "y")
        line.table.play("expect fault BOARD_CHANGED")


def test_a_device_that_is_not_there(tmp_path: Path) -> None:
    with line_in(tmp_path) as line:
        shown = line.type_command("board enrol shoe")
        assert "CANNOT" in shown
        assert "has not answered; there is: rail shuffler" in shown
        assert "board enrol DEVICE" in line.type_command("board enrol")


def test_in_italian(tmp_path: Path) -> None:
    with line_in(tmp_path, language=IT) as line:
        shown = line.type_command("scheda registra sabot")
        assert "non ha risposto; c'e': gettoniera mescolatore" in shown
        assert "gettoniera: registrata\n" in line.type_command("scheda")
