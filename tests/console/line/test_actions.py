"""What those who have entered do: declared, cleared, driven, kept; and what is refused."""

from pathlib import Path

import pytest

from console.line.access.login import SESSION_MS, EnteredPerson
from console.line.act_reporter import ANSWER_S
from console.line.requests import (
    AnyAnswer,
    AskStatus,
    ClearFault,
    Declare,
    Done,
    DriveOutputs,
    Enter,
    KeepSelfTest,
    No,
    Status,
)
from console.line.sessions import LineSession
from console.rules.acts import CounterpartChanged, PartTested
from console.rules.codes import Duty, Fault
from console.rules.drive import Drive
from console.rules.structs import replace
from console.service.table_service import WAITING_ACTS
from devices.roles import ALL_DARK, Button, ButtonPressed, DisplayText, Lamp, PanelLights
from tests.console.line.handled_table import (
    PINS,
    HandledTable,
    handler_of,
    open_handled_table,
    table_with_held_disk,
)
from tests.console.table import TO_PHASE

ONE_LAMP = (Lamp.ON, *ALL_DARK[1:])
COUP = ("shoe load", "shoe burn", "draw AS", "draw 2H")
PUNTO_BANCO, BLACK_JACK = "game mini-punto-banco", "game black-jack"


def check_done(answer: AnyAnswer) -> Done:
    assert isinstance(answer, Done), answer
    return answer


def decisions(answer: AnyAnswer) -> list[str]:
    return [decision["decision"] for decision in check_done(answer).decisions]


# Declarations


@pytest.mark.parametrize(
    ("settings", "before", "words", "what"),
    [
        ((), TO_PHASE["PLAYING"], "hand-void 2", "hand-void"),
        ((), TO_PHASE["PLAYING"], "hand-void 2 returned", "hand-void"),
        ((), TO_PHASE["PLAYING"], "round-void", "round-void"),
        ((), (), "last-hands 3", "last-hands"),
        ((), (), "tray 12", "tray-counted"),
        ((), (), "deck-replaced", "deck-replaced"),
        ((), TO_PHASE["AWARDING"], "award-verified 2", "award-verified"),
        ((PUNTO_BANCO,), COUP, "coup-void", "coup-void"),
        ((PUNTO_BANCO,), COUP, "coup-without-stakes", "coup-without-stakes"),
        ((PUNTO_BANCO,), COUP, "card-annulled", "card-annulled"),
        ((PUNTO_BANCO,), COUP, "shoe-replaced", "shoe-replaced"),
    ],
)
def test_each_declaration_is_shown_first_then_done_and_on_record(
    settings: tuple[str, ...],
    before: tuple[str, ...],
    words: str,
    what: str,
    tmp_path: Path,
) -> None:
    with open_handled_table(tmp_path, *settings) as rig:
        rig.play(*before)
        rig.enter("bianchi", Duty.FLOOR_MANAGER)
        kinds, state = rig.kinds_on_record, rig.table.state
        would = rig.ask_now(Declare(words.upper()))
        assert (rig.kinds_on_record, rig.table.state) == (kinds, state)
        did = rig.ask_now(Declare(words, really=True))
        assert did == would
        assert decisions(did)
        act = rig.table.records[-1].body["act"]
        assert isinstance(act, dict)
        assert act["who"] == "bianchi"
        assert rig.kinds_on_record == [*kinds, what]


def test_a_declaration_tells_what_moves_and_where_the_round_then_stands(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*TO_PHASE["PLAYING"])
        rig.enter()
        answer = check_done(rig.ask_now(Declare("hand-void 2 returned", really=True)))
        assert answer.accounts == {
            "jackpot": ("10002.80", "10001.40"),
            "reserve": ("0.40", "0.20"),
            "house": ("-9999.20", "-9999.60"),
            "tray": ("-4.00", "-2.00"),
        }
        assert (answer.outcome, answer.phase) == ("done", "PLAYING")


@pytest.mark.parametrize(
    ("before", "words", "code"),
    [
        ((), "hand-void 2", "NO_HAND"),
        (TO_PHASE["PLAYING"], "hand-void 3", "SEAT_NOT_PLAYING"),
        (TO_PHASE["BETTING"], "round-void", "NO_HAND"),
        (TO_PHASE["BETTING"], "tray 3", "ALREADY_OPEN"),
        (TO_PHASE["COLLECTING"], "round-void", "COLLECTING"),
        (TO_PHASE["AWARDING"], "round-void", "AWARD_PENDING"),
        (("disk full", "press JPOT"), "last-hands 3", "LOCKED"),
        ((), "hand-void 8", "NOT_UNDERSTOOD"),
        ((), "last-hands many", "NOT_UNDERSTOOD"),
        ((), "coup-void now", "NOT_UNDERSTOOD"),
        ((), "", "NOT_UNDERSTOOD"),
    ],
)
def test_what_is_refused_is_refused_beforehand_with_the_same_code(
    before: tuple[str, ...], words: str, code: str, tmp_path: Path
) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*before)
        rig.enter()
        state = rig.table.state
        assert rig.refusal_of(Declare(words)) == code
        assert rig.table.state == state
        assert rig.refusal_of(Declare(words, really=True)) == code


# Faults


def test_a_technician_clears_a_latched_fault_with_the_key_at_s(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("press GAME_OVER", "token 1 2", "jam 1 2", "press COIN_IN", "power off")
        rig.play("unjam 1", "take 1", "power on", "wait 2s", "expect fault TRAY_COUNT")
        rig.play("take 2", "press COIN_IN", "expect phase PAUSED")
        rig.enter("rossi", Duty.TECHNICIAN)
        assert rig.refusal_of(ClearFault(Fault.TRAY_COUNT)) == "NOT_IN_SERVICE"
        rig.play("key S")
        assert rig.refusal_of(ClearFault(Fault.DISPLAY_LOST)) == "NOT_CLEARABLE"
        cleared = rig.ask_now(ClearFault(Fault.TRAY_COUNT))
        assert check_done(cleared).decisions == (
            {"decision": "fault-cleared", "fault": "TRAY_COUNT"},
        )
        assert rig.table.records[-1].body["act"] == {
            "fault": "TRAY_COUNT",
            "who": "rossi",
            "mended": False,
        }
        rig.play("expect fault none")


def test_a_changed_witness_is_cleared_by_two(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.table.simulated_table.service.report(CounterpartChanged("seal", "it is missing"))
        rig.play("wait 50ms", "expect fault COUNTERPART_CHANGED", "key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        alone = ClearFault(Fault.COUNTERPART_CHANGED)
        assert rig.refusal_of(alone) == "WRONG_VALUE"
        assert rig.refusal_of(replace(alone, second="rossi", pin=PINS["rossi"])) == "WRONG_VALUE"
        assert rig.refusal_of(replace(alone, second="verdi", pin=PINS["rossi"])) == "WRONG_PIN"
        rig.play("wait 50ms", "expect fault COUNTERPART_CHANGED")
        check_done(rig.ask_now(replace(alone, second="verdi", pin=PINS["verdi"])))
        (cleared,) = [one.body["act"] for one in rig.table.records if one.kind == "cleared"]
        assert cleared == {
            "fault": "COUNTERPART_CHANGED",
            "who": "rossi",
            "mended": False,
            "second": "verdi",
        }
        rig.play("expect fault none")


def test_a_ledger_fault_is_cleared_once_it_is_mended(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*TO_PHASE["PLAYING"], "disk full", "press FLUSH", "expect fault LEDGER_FAULT")
        rig.play("key S")
        rig.enter()
        assert rig.refusal_of(ClearFault(Fault.LEDGER_FAULT)) == "STILL_FAULTY"
        assert rig.refusal_of(ClearFault(Fault.TRAY_COUNT)) == "LOCKED"
        rig.play("disk ok")
        answer = check_done(rig.ask_now(ClearFault(Fault.LEDGER_FAULT)))
        assert ("fault-cleared", "LEDGER_FAULT") in [
            (one["decision"], one.get("fault")) for one in answer.decisions
        ]
        rig.play("expect fault none", "key R", "expect phase PLAYING")


# Outputs


def test_outputs_are_driven_with_the_key_at_s_alone(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.enter()
        drive = Drive(slots=ONE_LAMP, display=DisplayText(("PROVA", "1234")))
        assert rig.refusal_of(DriveOutputs(drive)) == "NOT_IN_SERVICE"
        rig.play("key S")
        assert check_done(rig.ask_now(DriveOutputs(drive))).phase == "SERVICE"
        rig.play("expect slots 1", "expect display PROVA", "expect display 1234")
        assert check_done(rig.ask_now(DriveOutputs(None))).outcome == "done"
        rig.play("wait 3s", "expect slots none", "expect display JACKPOT")
        assert check_done(rig.ask_now(DriveOutputs(None))).outcome == "no effect"
        rig.ask_now(DriveOutputs(drive))
        rig.play("key R", "expect slots none", "expect display JACKPOT")
        assert rig.kinds_on_record[-2:] == ["key", "left"]  # there was nothing to let go of


def test_a_gate_opens_once(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S")
        rig.enter()
        check_done(rig.ask_now(DriveOutputs(Drive(gates=frozenset({4})))))
        rig.play("token 4", "wait 50ms")
        assert rig.table.machine.cabinet.tray_count == 1
        rig.play("wait 3s", "token 4", "wait 50ms")
        assert rig.table.machine.cabinet.tray_count == 1


@pytest.mark.parametrize(
    ("game", "drive", "what"),
    [
        ("black-jack", Drive(slots=ONE_LAMP), "no slot lamps"),
        ("black-jack", Drive(gates=frozenset({1})), "no gates"),
        ("tre-card-stud", Drive(gates=frozenset({1})), "no gates"),
    ],
)
def test_a_table_does_not_pretend_to_drive_what_it_has_not(
    game: str, drive: Drive, what: str, tmp_path: Path
) -> None:
    with open_handled_table(tmp_path, f"game {game}") as rig:
        rig.play("key S")
        rig.enter()
        answer = rig.ask_now(DriveOutputs(drive))
        assert isinstance(answer, No)
        assert (answer.code, what in answer.why) == ("CANNOT", True)
        panel = Drive(panel=PanelLights(ONE_LAMP))
        assert isinstance(rig.ask_now(DriveOutputs(panel)), Done)
        rig.play("wait 50ms", "expect seats 1")


# A test of the cabinet


def test_a_test_of_the_cabinet_is_kept(tmp_path: Path) -> None:
    parts = (PartTested("seat 3 lamp", True, ""), PartTested("gate 2", None, "not tested"))
    with open_handled_table(tmp_path) as rig:
        rig.enter("rossi", Duty.TECHNICIAN)
        assert check_done(rig.ask_now(KeepSelfTest(parts))).outcome == "done"
        body = rig.table.records[-1].body["act"]
        assert isinstance(body, dict)
        assert (body["who"], len(body["parts"])) == ("rossi", 2)
        for too_much in ((PartTested("x" * 201, True, ""),), parts * 33):
            assert rig.refusal_of(KeepSelfTest(too_much)) == "NOT_UNDERSTOOD"


# A disk that is slow, or dead


def test_it_is_answered_when_it_is_on_the_disk(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.enter()
        disk.held = True
        asked = rig.begin(rig.ask(Declare("last-hands 3", really=True)))
        rig.play("wait 3s")
        assert not asked.done()
        assert rig.kinds_on_record.count("last-hands") == 0
        status = rig.ask_now(AskStatus())  # looking waits for nothing
        assert isinstance(status, Status)
        assert status.waiting_acts == 0
        disk.held = False
        disk.go_on()
        assert decisions(rig.wait_for(asked)) == ["last-hands"]
        assert rig.kinds_on_record.count("last-hands") == 1


def test_acts_that_waited_together_are_each_answered_with_their_own_step(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.enter()
        disk.held = True
        rig.play("declare last-hands 9")  # by somebody else, at the cabinet
        tasks = [
            rig.begin(rig.ask(Declare(words, really=True)))
            for words in ("last-hands 5", "last-hands 6", "hand-void 3", "tray 7")
        ]
        rig.play("wait 1s")
        disk.held = False
        disk.go_on()
        first, second, third, fourth = (rig.wait_for(task) for task in tasks)
        assert [check_done(one).decisions[0]["hands"] for one in (first, second)] == [5, 6]
        assert isinstance(third, No)
        assert third.code == "NO_HAND"
        assert decisions(fourth) == ["tray-counted"]


def test_a_dead_disk_is_answered_in_time_and_may_still_do_it(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.enter()
        disk.held = True
        began = rig.table.machine.loop.time()
        answer = rig.ask_now(Declare("last-hands 3", really=True))
        assert isinstance(answer, No)
        assert (answer.code, "may still" in answer.why) == ("NO_ANSWER", True)
        assert rig.table.machine.loop.time() - began == pytest.approx(ANSWER_S)
        disk.held = False
        disk.go_on()
        assert rig.kinds_on_record.count("last-hands") == 1


def test_who_was_let_in_too_late_has_left_again(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        handler = handler_of(rig.table.machine, people=tmp_path)
        handler.follow(rig.table.simulated_table.service)
        session = handler.sessions.connect()
        disk.held = True
        answer = rig.run(handler.ask(session, Enter("rossi", PINS["rossi"])))
        assert isinstance(answer, No)
        assert answer.code == "NO_ANSWER"
        disk.held = False
        disk.go_on()
        assert rig.kinds_on_record[-2:] == ["entered", "left"]
        assert session.who == ""


def test_nothing_more_is_taken_when_too_much_waits(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.enter()
        disk.held = True
        for _ in range(WAITING_ACTS + 2):
            rig.table.simulated_table.service.report(ButtonPressed(Button.JPOT))
        answer = rig.ask_now(Declare("last-hands 3", really=True))
        assert isinstance(answer, No)
        assert (answer.code, "not done" in answer.why) == ("NO_ANSWER", True)


def test_what_is_driven_while_the_disk_is_held_is_let_go_all_the_same(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.play("key S")
        rig.enter()
        disk.held = True
        asked = rig.begin(rig.ask(DriveOutputs(Drive(slots=ONE_LAMP))))
        rig.play("wait 1s")
        rig.handler.sessions.disconnect(rig.session)
        disk.held = False
        disk.go_on()
        assert check_done(rig.wait_for(asked)).outcome == "done"
        rig.play("wait 50ms", "expect slots none")
        assert rig.kinds_on_record[-3:] == ["driven", "driven", "left"]


def connect_another(rig: HandledTable) -> LineSession:
    """A second technician, Neri, on a connection of his own."""
    other = rig.handler.sessions.connect()
    until_ms = round(rig.table.machine.loop.time() * 1000) + SESSION_MS
    rig.handler.sessions.admit(other, EnteredPerson("neri", (Duty.TECHNICIAN,), until_ms, "neri"))
    return other


def test_a_drive_that_is_refused_leaves_the_other_one_his_who_drives(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play("key S", "disk full", "press JPOT", "expect fault LEDGER_FAULT")
        rig.enter("rossi", Duty.TECHNICIAN)
        check_done(rig.ask_now(DriveOutputs(Drive(slots=ONE_LAMP))))
        other = connect_another(rig)
        gate = DriveOutputs(Drive(gates=frozenset({2})))
        answer = rig.run(rig.handler.ask(other, gate))
        assert isinstance(answer, No)
        assert answer.code == "LOCKED"
        rig.play("expect slots 1")
        rig.handler.sessions.disconnect(rig.session)
        rig.play("wait 50ms", "expect slots none")


def test_who_was_not_taken_a_request_of_releases_nobodys_outputs(tmp_path: Path) -> None:
    """Too many acts wait for the disk: the request is not reported, and never settles."""
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        check_done(rig.ask_now(DriveOutputs(Drive(slots=ONE_LAMP))))
        other = connect_another(rig)
        disk.held = True
        for _ in range(WAITING_ACTS + 2):
            rig.table.simulated_table.service.report(ButtonPressed(Button.JPOT))
        answer = rig.run(rig.handler.ask(other, DriveOutputs(Drive(slots=ONE_LAMP))))
        assert isinstance(answer, No)
        assert answer.code == "NO_ANSWER"
        disk.held = False
        disk.go_on()
        rig.handler.sessions.disconnect(other)
        rig.play("wait 50ms", "expect slots 1")


def test_who_leaves_before_a_request_is_refused_releases_nobodys_outputs(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        check_done(rig.ask_now(DriveOutputs(Drive(slots=ONE_LAMP))))
        other = connect_another(rig)
        disk.held = True
        gate = DriveOutputs(Drive(gates=frozenset({2})))
        asked = rig.begin(rig.handler.ask(other, gate))
        rig.play("wait 1s", "disk full")
        rig.handler.sessions.disconnect(other)
        disk.held = False
        disk.go_on()
        answer = rig.wait_for(asked)
        assert isinstance(answer, No)
        assert answer.code == "LOCKED"
        rig.play("wait 50ms", "expect fault LEDGER_FAULT", "expect slots 1")
        rig.handler.sessions.disconnect(rig.session)
        rig.play("wait 50ms", "expect slots none")


@pytest.mark.parametrize("first_leaves", [True, False])
def test_of_two_who_ask_the_later_one_drives_when_the_other_has_left(
    first_leaves: bool, tmp_path: Path
) -> None:
    """And if the later one has left, nobody does."""
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        other = connect_another(rig)
        disk.held = True
        first = rig.begin(rig.ask(DriveOutputs(Drive(slots=ONE_LAMP))))
        rig.play("wait 1s")
        second = rig.begin(rig.handler.ask(other, DriveOutputs(Drive(slots=ONE_LAMP))))
        rig.play("wait 1s")
        rig.handler.sessions.disconnect(rig.session if first_leaves else other)
        disk.held = False
        disk.go_on()
        assert [check_done(rig.wait_for(one)).outcome for one in (first, second)] == ["done"] * 2
        rig.play("wait 50ms", "expect slots 1" if first_leaves else "expect slots none")
        rig.handler.sessions.disconnect(other if first_leaves else rig.session)
        rig.play("wait 50ms", "expect slots none")


def test_who_comes_after_on_the_same_connection_drives_without_the_one_before(
    tmp_path: Path,
) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.play("key S")
        rig.enter("rossi", Duty.TECHNICIAN)
        other = connect_another(rig)
        disk.held = True
        asked = [
            rig.begin(rig.handler.ask(one, DriveOutputs(Drive(slots=ONE_LAMP))))
            for one in (other, rig.session)
        ]
        rig.play("wait 1s")
        rig.enter("verdi", Duty.TECHNICIAN)
        disk.held = False
        disk.go_on()
        assert [check_done(rig.wait_for(one)).outcome for one in asked] == ["done"] * 2
        rig.play("wait 50ms", "expect slots none")
        acts = [one.body["act"] for one in rig.table.records if one.kind == "driven"]
        assert acts[-1] == {"who": "rossi", "drive": None}


def test_a_power_cut_ends_the_wait_for_an_answer(tmp_path: Path) -> None:
    with table_with_held_disk(tmp_path) as (rig, disk):
        rig.enter()
        disk.held = True
        asked = rig.begin(rig.ask(Declare("last-hands 3", really=True)))
        rig.play("wait 1s")
        assert not asked.done()
        rig.play("power off")
        answer = rig.wait_for(asked)
        assert isinstance(answer, No)
        assert answer.code == "NO_POWER"


def test_a_technician_alone_says_why_a_door_was_opened(tmp_path: Path) -> None:
    with open_handled_table(tmp_path, "doors fitted") as rig:
        rig.play("door open", "door shut", "wait 2s", "key S")
        declared = Declare("opened gate 3 exchanged", really=True)
        rig.enter("bianchi", Duty.FLOOR_MANAGER)
        answer = rig.ask_now(declared)
        assert isinstance(answer, No)
        assert answer.code == "NOT_YOUR_DUTY"
        rig.enter("rossi", Duty.TECHNICIAN)
        assert check_done(rig.ask_now(declared)).outcome == "done"
        act = rig.table.records[-1].body["act"]
        assert act == {"reason": "gate 3 exchanged", "who": "rossi"}
        assert rig.table.state.faults == ()
