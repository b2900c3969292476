"""The handler: what it tells, and who may come in for how long."""

import asyncio
from pathlib import Path

import pytest

from console.line.handler import RESTART_AFTER_S, HandlerParts
from console.line.requests import (
    AnyRequest,
    AskDevices,
    AskInputs,
    AskLog,
    AskSettings,
    AskStatus,
    ChangeSetting,
    ClearFault,
    Declare,
    Devices,
    Done,
    DriveOutputs,
    Enter,
    Inputs,
    KeepSelfTest,
    Log,
    LogOut,
    Person,
    Restart,
    SettingsView,
    Status,
)
from console.rules.codes import Duty, Fault
from console.rules.drive import Drive
from console.service.health.log_ring import LogLine, LogRing
from devices.roles import Lamp
from tests.console.line.handled_table import PINS, HandledTable, open_handled_table
from tests.console.table import TO_PHASE

DRIVE = DriveOutputs(Drive(slots=(Lamp.ON, *(Lamp.DARK,) * 6)))
ROSSI = Enter("rossi", PINS["rossi"])
BIANCHI = Enter("bianchi", PINS["bianchi"])

DOING = (
    Declare("round-void"),
    ClearFault(Fault.TRAY_COUNT),
    DRIVE,
    ChangeSetting("language", "en"),
    Restart(),
    KeepSelfTest(()),
)


def status(rig: HandledTable) -> Status:
    shown = rig.ask_now(AskStatus())
    assert isinstance(shown, Status)
    return shown


# What is told


def test_the_status_is_the_table_as_it_stands(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*TO_PHASE["AWARDING"])
        shown = status(rig)
        assert (
            shown.phase,
            shown.underneath,
            shown.key,
            shown.round,
        ) == (
            "AWARDING",
            "AWARDING",
            "JPL",
            1,
        )
        assert shown.seats == {"1": "accepted", "2": "accepted"}
        assert (shown.choice, shown.award) == ("FLUSH", "FLUSH x1 100.02")
        assert (shown.accounts["pending"], shown.accounts["tray"]) == (
            "100.02",
            "-4.00",
        )
        assert shown.devices_up == {
            "panel": True,
            "rail": True,
            "display": True,
            "shuffler": True,
        }
        assert shown.display == ("COLORE x1", "          100,02 EUR")
        assert (shown.boot, shown.settings_version, shown.person) == (1, 1, "")
        assert shown.ledger == str(rig.table.machine.disk.folder)


def test_each_seat_is_told_as_what_it_is(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 1 2 3 4", "jam 4", "press COIN_IN", "wait 2s")
        assert status(rig).seats == {
            "1": "accepted",
            "2": "accepted",
            "3": "accepted",
            "4": "stuck",
        }
        rig.play(
            "take 4", "press COIN_IN", "cover 2", "token 5", "wait 600ms", "declare hand-void 3"
        )
        assert status(rig).seats == {"1": "accepted", "2": "changed", "3": "void", "5": "token"}
        rig.play("press GAME_OVER")
        assert status(rig).seats == {"2": "covered", "5": "token"}


def test_a_fault_is_told_with_its_time_and_what_is_known_of_it(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", "wait 2s")
        began = status(rig).faults
        assert [(one.fault, one.detail) for one in began] == [(Fault.TOKEN_STUCK, "seats 2")]
        assert began[0].since.startswith("2000-01-01T00:00:0")
        rig.play("unplug display", "wait 2s")
        stuck, lost = status(rig).faults
        assert stuck == began[0]
        assert lost.fault is Fault.DISPLAY_LOST
        assert lost.detail
        assert lost.since > stuck.since
        rig.play("plug display", "wait 5s")
        assert status(rig).faults == began


def test_a_fault_of_before_the_power_cut_keeps_its_time(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", "wait 2s")
        before = status(rig).faults
        rig.play("wait 1h", "power off", "power on", "wait 2s")
        assert status(rig).faults == before


def test_a_locked_ledger_says_why(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 1", "disk full", "press COIN_IN")
        (fault,) = status(rig).faults
        assert fault.fault is Fault.LEDGER_FAULT
        assert "disk" in fault.detail or "full" in fault.detail
        assert fault.since.startswith("2000-01-01")


def test_findings_are_told_with_the_status(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        assert status(rig).findings == ()
        rig.play("press GAME_OVER", "token 1 2", "jam 2", "press COIN_IN", "wait 2s")
        assert ("GATE_STICKS", "seat 2") in [
            (fault.code, fault.where) for fault in status(rig).findings
        ]


def test_every_input_is_told_the_combinations_by_their_names(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 3", "press FLUSH")
        answer = rig.ask_now(AskInputs())
        assert isinstance(answer, Inputs)
        inputs = {one.name: one for one in answer.inputs}
        assert inputs["seat 3"].closed
        assert inputs["FLUSH"].edges == 2
        assert not any(name.startswith("COMBINATION") for name in inputs)


def test_devices_are_told_with_so_many_frames_as_asked(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("wait 5s")
        for frames, most in ((0, 0), (3, 3), (10**9, 32), (-1, 0)):
            answer = rig.ask_now(AskDevices(frames))
            assert isinstance(answer, Devices)
            assert max(len(one.frames) for one in answer.devices) <= most
            devices = {one.device.value for one in answer.devices}
            assert devices == {"panel", "rail", "display", "shuffler"}


def test_the_log_is_told_as_far_as_it_fits(tmp_path: Path) -> None:
    ring = LogRing()
    with open_handled_table(tmp_path, parts=HandlerParts(log=ring)) as rig:
        assert rig.ask_now(AskLog(5)) == Log(())
        lines = tuple(LogLine("", "INFO", f"{number} {'x' * 6000}") for number in range(9))
        for line in lines:
            ring.add(line)
        assert rig.ask_now(AskLog(2)) == Log(lines[-2:])
        assert rig.ask_now(AskLog(9)) == Log(lines[-5:])
        assert rig.ask_now(AskLog(-9)) == Log(())
    with open_handled_table(tmp_path / "other") as rig:
        assert rig.refusal_of(AskLog(5)) == "CANNOT"


def test_a_simulation_without_a_file_tells_its_settings_and_changes_none(tmp_path: Path) -> None:
    with open_handled_table(tmp_path, "token 5.00") as rig:
        answer = rig.ask_now(AskSettings())
        assert isinstance(answer, SettingsView)
        assert {one.key: one.value for one in answer.settings}["money.token"] == "5.00"
        assert not any(one.changeable for one in answer.settings)
        rig.enter()
        rig.play("key S")
        assert rig.refusal_of(ChangeSetting("money.token", "2.00", really=True)) == "CANNOT"


def test_looking_puts_nothing_on_record(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        before = rig.kinds_on_record
        for request in (AskStatus(), AskInputs(), AskDevices(9), AskSettings()):
            rig.ask_now(request)
        assert rig.kinds_on_record == before


# Who may come in


def test_who_gives_name_and_pin_enters_and_that_is_on_record(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        assert rig.ask_now(ROSSI) == Person("rossi", (Duty.TECHNICIAN,), 600)
        assert rig.table.records[-1].body["act"] == {
            "who": "rossi",
            "duties": ["technician"],
            "uid": None,
        }
        rig.play("wait 1m")
        shown = status(rig)
        assert (shown.person, shown.duties, shown.person_left_s) == (
            "rossi",
            (Duty.TECHNICIAN,),
            540,
        )


def test_the_key_back_at_r_ends_every_login(tmp_path: Path) -> None:
    """Three wires do not show a pulled cable: the technician goes when the key does"""
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        assert status(rig).person == "rossi"
        rig.play("key JPH", "wait 1s")
        assert status(rig).person == "rossi"  # on its way
        rig.play("key R", "wait 1s")
        assert status(rig).person == ""
        assert rig.refusal_of(ClearFault(Fault.TRAY_COUNT)) == "NOT_ENTERED"
        left = [one.body["act"] for one in rig.table.records if one.kind == "left"]
        assert left == [{"who": "rossi", "why": "the key is back at R"}]


def test_a_wrong_pin_is_on_record_and_nobody_has_entered(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        assert rig.refusal_of(Enter("rossi", "000000")) == "WRONG_PIN"
        last = rig.table.records[-1]
        assert (last.kind, last.body["act"]) == (
            "entry-refused",
            {"who": "rossi", "wrong": 1, "wait_s": 0, "uid": None},
        )
        assert status(rig).person == ""
        for _ in range(9):
            rig.ask_now(Enter("rossi", "000000"))
        before = rig.kinds_on_record
        assert rig.refusal_of(ROSSI) == "WAIT"
        assert rig.kinds_on_record == before


@pytest.mark.parametrize("request_", DOING, ids=lambda asked: type(asked).__name__)
def test_nobody_who_has_not_entered_does_anything(request_: AnyRequest, tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        before = rig.kinds_on_record
        assert rig.refusal_of(request_) == "NOT_ENTERED"
        assert rig.kinds_on_record == before


@pytest.mark.parametrize("request_", DOING, ids=lambda asked: type(asked).__name__)
def test_each_does_what_is_his_duty(request_: AnyRequest, tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        wrong = ROSSI if isinstance(request_, Declare) else BIANCHI
        rig.ask_now(wrong)
        before = rig.kinds_on_record
        assert rig.refusal_of(request_) == "NOT_YOUR_DUTY"
        assert rig.kinds_on_record == before


def test_after_ten_minutes_the_pin_must_be_given_again(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        rig.play("wait 9m")
        assert isinstance(rig.ask_now(DRIVE), Done)
        rig.play("wait 59s", "expect slots 1", "wait 2s", "expect slots none")
        assert rig.refusal_of(DRIVE) == "NOT_ENTERED"
        driven, left = rig.table.records[-2:]
        assert (driven.kind, driven.body["act"]) == ("driven", {"who": "rossi", "drive": None})
        assert left.body["act"] == {"who": "rossi", "why": "time was up"}


def test_who_leaves_lets_go_of_what_he_drives(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        rig.ask_now(DRIVE)
        assert status(rig).driven
        assert rig.ask_now(LogOut()) == Done("done", phase="SERVICE")
        assert not status(rig).driven
        assert rig.kinds_on_record[-3:] == ["driven", "driven", "left"]
        assert rig.ask_now(LogOut()) == Done("done", phase="SERVICE")
        assert rig.kinds_on_record[-1:] == ["left"]
        rig.play("wait 11m")
        assert rig.kinds_on_record[-3:] == ["driven", "driven", "left"]


def test_a_connection_that_ends_takes_its_person_with_it(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        rig.ask_now(DRIVE)
        rig.handler.sessions.disconnect(rig.session)
        rig.play("wait 50ms", "expect slots none")
        assert rig.table.records[-1].body["act"] == {"who": "rossi", "why": "the connection ended"}


def test_who_drives_nothing_lets_go_of_nothing(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        other = rig.handler.sessions.connect()
        rig.ask_now(ROSSI)
        rig.run(rig.handler.ask(other, ROSSI))
        rig.ask_now(DRIVE)
        rig.run(rig.handler.ask(other, DRIVE))
        rig.ask_now(LogOut())
        rig.play("wait 50ms", "expect slots 1")
        rig.handler.sessions.disconnect(other)
        rig.play("wait 50ms", "expect slots none")


def test_another_may_enter_on_the_same_connection(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.ask_now(ROSSI)
        rig.refusal_of(Enter("bianchi", "000000"))
        assert status(rig).person == "rossi"
        rig.ask_now(BIANCHI)
        assert status(rig).person == "bianchi"
        left = [record for record in rig.table.records if record.kind == "left"]
        assert [record.body["act"] for record in left] == [
            {"who": "rossi", "why": "another entered"}
        ]


# The power, and a restart


def test_a_power_cut_is_told_and_everybody_is_out(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        rig.ask_now(DRIVE)
        rig.play("power off")
        for request in (AskStatus(), ROSSI, DRIVE, LogOut()):
            assert rig.refusal_of(request) == "NO_POWER"
        rig.play("wait 1m", "power on", "wait 2s", "expect slots none")
        shown = status(rig)
        assert (shown.person, shown.boot, shown.driven) == ("", 2, False)
        assert "left" not in rig.kinds_on_record
        assert isinstance(rig.ask_now(ROSSI), Person)


def test_a_restart_is_asked_for_with_the_key_at_s(tmp_path: Path) -> None:
    ended: list[float] = []
    loop: list[asyncio.AbstractEventLoop] = []
    parts = HandlerParts(restart=lambda: ended.append(loop[0].time()))
    with open_handled_table(tmp_path, parts=parts) as rig:
        loop.append(rig.table.machine.loop)
        rig.ask_now(ROSSI)
        assert rig.refusal_of(Restart()) == "NOT_IN_SERVICE"
        rig.play("key S")
        began = loop[0].time()
        assert isinstance(rig.ask_now(Restart()), Done)
        assert not ended  # the answer goes out first
        rig.play("wait 1s")
        assert ended == [pytest.approx(began + RESTART_AFTER_S)]
        assert rig.table.records[-1].body["act"] == {"who": "rossi", "why": "restart"}
        assert status(rig).person == ""
    with open_handled_table(tmp_path / "other") as rig:
        rig.play("key S")
        rig.ask_now(ROSSI)
        assert rig.refusal_of(Restart()) == "CANNOT"
