"""`selftest` with a person who skips, errs, says no, or is not there."""

import re
from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import Button
from tests.console.technician.commands.robot_technician import RobotTechnician
from tests.console.technician.commands.selftest_records import list_failures, list_untested, results
from tests.console.technician.commands.technician_bench import open_bench


def test_skipping_everything_fails_nothing(tmp_path: Path) -> None:
    with open_bench(tmp_path, "inspector fitted") as bench:
        printed = RobotTechnician(bench, "press", "put", "turn", "lit", "legible", "contact").run(
            "selftest"
        )
        assert list_failures(bench) == {}
        passed = [part for part, (ok, _) in results(bench).items() if ok]
        assert {"program", "ledger", "plug", "rail", "shuffler"} <= set(passed)
        assert set(list_untested(bench).values()) == {"SKIPPED", "NO_TOKEN"}
        assert re.search(r"46 parts: 0 FAIL, 3\d not tested", printed)


def test_a_button_nobody_presses_is_waited_for_20_s_and_fails(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest button JPOT")
        assert "FAIL" not in bench.wait(19)
        assert "FAIL button JPOT  has not moved" in bench.wait(2)


def test_what_failed_may_be_tried_again(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest button JPOT")
        assert "r: again" in bench.wait(21)
        bench.type("r")
        bench.cabinet.panel.press(Button.JPOT)
        bench.wait(2)
        assert results(bench) == {"button JPOT": (True, "PRESSED pulse=25")}


@pytest.mark.parametrize(
    ("pressed", "found"),
    [
        ([Button.JPOT, Button.JPOT], "MOVED_OFTEN times=2"),
        ([Button.COIN_IN], "OTHER_MOVED other=COIN_IN"),
    ],
)
def test_a_wrong_press_is_no_pass(tmp_path: Path, pressed: list[Button], found: str) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest button JPOT")
        for button in pressed:
            bench.cabinet.panel.press(button)
            bench.typist.wait(0.1)
        bench.wait(21)
        bench.type("\r")
        assert list_failures(bench) == {"button JPOT": found}


def test_a_lamp_that_is_not_seen_lit_fails_though_the_board_feels_it(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest slot lamp 4")
        bench.wait(1)
        bench.type("n")
        bench.wait(1)
        bench.type("\r")
        assert list_failures(bench) == {"slot lamp 4": "NOT_LIT"}


def test_a_question_nobody_answers_ends(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest slot lamp 4")
        bench.wait(121)
        assert list_untested(bench) == {"slot lamp 4": "NOT_ANSWERED"}
        assert not bench.is_driven()


def test_q_ends_the_test_and_keeps_its_report(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest")
        bench.wait(1)
        printed = bench.type("q")
        assert "on record" in printed + bench.wait(1)
        assert results(bench)["program"][0] is True
        assert results(bench)["seat 7"] == (None, "ENDED")
        assert not bench.is_driven()
        assert bench.at_the_prompt


def test_q_after_a_failure_keeps_the_failure(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.panel.weld(Button.GAME_OVER)
        bench.type_command("selftest buttons")
        bench.wait(11)
        bench.type("s")
        bench.wait(1)
        assert "FAIL button GAME_OVER" in bench.printed
        assert "8 parts: 1 FAIL, 7 not tested" in bench.type("q") + bench.wait(1)
        assert list(list_failures(bench)) == ["button GAME_OVER"]


def test_q_while_it_is_tried_again_keeps_the_failure_before(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest button JPOT")
        assert "r: again. Enter: on. q: end." in bench.wait(21)
        bench.wait(1)
        bench.type("r")
        bench.wait(1)
        bench.type("q")
        shown = bench.wait(1)
        assert "1 part: 1 FAIL, 0 not tested" in bench.printed + shown
        assert list_failures(bench) == {"button JPOT": "NOT_MOVED"}


def test_only_enter_goes_on_after_a_failure(tmp_path: Path) -> None:
    """The first letter of a command typed too early would have answered it."""
    with open_bench(tmp_path, language=Language.IT) as bench:
        bench.type_command("selftest button JPOT")
        assert "r: di nuovo. Invio: avanti. q: fine." in bench.wait(21)
        bench.type("g")
        assert not bench.at_the_prompt
        bench.type("\r")
        assert "1 parte: GUASTO 1, non provate 0" in bench.printed + bench.wait(1)
        assert bench.at_the_prompt


def test_a_lamp_that_is_seen_lit_though_the_board_feels_nothing_is_its_measurement(
    tmp_path: Path,
) -> None:
    with open_bench(tmp_path) as bench:
        bench.cabinet.rail.kill_lamp(4)
        bench.type_command("selftest slot lamp 4")
        bench.wait(1)
        bench.type("y")
        bench.wait(1)
        bench.type("\r")
        assert "you saw it lit; the board finds no current: its measurement" in bench.printed
        assert list_failures(bench) == {"slot lamp 4": "LIT_NO_CURRENT"}
