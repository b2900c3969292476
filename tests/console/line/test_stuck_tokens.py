"""A gate that stuck is noticed for as long as somebody may come to mend it, not for a round."""

from pathlib import Path

from console.line.fault_history import ROUNDS
from console.line.requests import AskStatus, DriveOutputs, Status
from console.rules.drive import Drive
from tests.console.line.handled_table import HandledTable, open_handled_table

STICKS = (
    "jam 2",
    "press GAME_OVER",
    "token 1 2",
    "press COIN_IN",
    "wait 3s",
    "press COIN_IN",
    "wait 3s",
)
LEFT_OUT = ("take 2", "press COIN_IN")


def list_stuck_gates(rig: HandledTable) -> list[tuple[str, str]]:
    status = rig.ask_now(AskStatus())
    assert isinstance(status, Status)
    return [(one.where, one.detail) for one in status.findings if one.code == "GATE_STICKS"]


def a_round(rig: HandledTable, seat: int = 1) -> None:
    rig.play("press GAME_OVER", f"token {seat}", "press COIN_IN", "wait 1s")


def test_it_is_noticed_when_the_seat_was_left_out(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*STICKS)
        assert list_stuck_gates(rig) == [("seat 2", "2 times")]
        rig.play(*LEFT_OUT)
        assert list_stuck_gates(rig) == [("seat 2", "2 times")]
        rig.play("press GAME_OVER", "press COIN_IN", "wait 2h")
        assert list_stuck_gates(rig) == [("seat 2", "2 times")], "the table closed for the night"


def test_ten_rounds_and_half_an_hour_later_it_is_forgotten(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*STICKS, *LEFT_OUT, "unjam 2")
        for _ in range(ROUNDS):
            a_round(rig)
        assert list_stuck_gates(rig) == [("seat 2", "2 times")], "half an hour is not over"
        rig.play("wait 31m")
        assert list_stuck_gates(rig) == []


def test_a_token_let_fall_in_service_proves_it_mended(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*STICKS, *LEFT_OUT, "press GAME_OVER", "press COIN_IN", "unjam 2", "key S")
        rig.enter()
        rig.play("token 2", "wait 1s")
        rig.ask_now(DriveOutputs(Drive(gates=frozenset({2}))))
        rig.play("wait 3s")
        assert list_stuck_gates(rig) == []


def test_one_that_sticks_now_is_told_also_after_a_power_cut(tmp_path: Path) -> None:
    with open_handled_table(tmp_path) as rig:
        rig.play(*STICKS, "power off", "power on", "wait 3s")
        assert list_stuck_gates(rig) == [("seat 2", "once")]
