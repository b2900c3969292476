"""What a technician finds in the log beside the faults, each line once and with its reason."""

from pathlib import Path

import pytest

from console.line.requests import ClearFault, Enter, LogOut
from console.rules.codes import Fault
from tests.console.line.handled_table import PINS, HandledTable, open_handled_table

LOGGER = "console.line.table_log"


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> "Lines":
    caplog.set_level("INFO", logger=LOGGER)
    return Lines(caplog)


class Lines:
    """The lines since they were read last."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog

    def read(self) -> list[str]:
        found = [one.getMessage() for one in self._caplog.records if one.name == LOGGER]
        self._caplog.clear()
        return found


def clear(rig: HandledTable, fault: Fault) -> None:
    rig.enter("rossi")
    rig.ask_now(ClearFault(fault))


def test_a_start_names_boot_program_and_table(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        started = lines.read()
        assert "the service has started: boot 1, banco test, table simulated (caribbean-stud)" in (
            started
        )
        assert {"panel is there", "rail is there", "display is there"} <= set(started)
        rig.play("power off", "wait 1s", "power on", "wait 2s")
        again = lines.read()
    assert again[0].startswith("the service has started: boot 2, ")
    assert "rail: its board has restarted (boot 2)" in again


def test_a_device_is_lost_with_its_reason_and_there_again(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        lines.read()
        rig.play("unplug rail", "wait 3s", "plug rail", "wait 5s")
        assert lines.read() == ["rail is lost: unplugged", "rail is there"]


def test_each_restart_of_a_board_is_told(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        lines.read()
        rig.table.machine.cabinet.rail.reset_every(7)
        rig.play("wait 15s")
        found = [line for line in lines.read() if line.startswith("rail: ")]
    assert found == [f"rail: its board has restarted (boot {boot})" for boot in (2, 3)]


def test_who_came_who_did_not_and_who_left(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        lines.read()
        rig.ask_now(Enter("rossi", "000000"))
        rig.play("wait 30s")
        rig.ask_now(Enter("rossi", PINS["rossi"]))
        rig.ask_now(LogOut())
        rig.play("wait 1s")
        assert lines.read() == [
            "rossi: wrong PIN (1)",
            "rossi has entered (technician)",
            "rossi has left: left",
        ]


def test_service_begins_and_ends(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        lines.read()
        rig.play("key S", "wait 1s", "key R", "wait 1s")
        assert lines.read() == [
            "SERVICE has begun, underneath is PAUSED",
            "SERVICE has ended: PAUSED",
        ]


def test_a_ledger_that_was_locked_is_unlocked_by_name(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("disk full", "press GAME_OVER", "wait 1s", "disk ok", "key S", "wait 1s")
        clear(rig, Fault.LEDGER_FAULT)
        assert "rossi has cleared LEDGER_FAULT; the table is unlocked" in lines.read()


def test_what_was_not_cleared_is_not_told(tmp_path: Path, lines: Lines) -> None:
    with open_handled_table(tmp_path) as rig:
        clear(rig, Fault.TRAY_COUNT)
        assert not [line for line in lines.read() if "cleared" in line]
