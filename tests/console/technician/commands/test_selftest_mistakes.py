"""`selftest` with a person who skips, errs, says no, or is not there."""

import re
from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import Button
from tests.console.technician.commands.hands import Hands
from tests.console.technician.commands.selftest_records import failures, results, untested
from tests.console.technician.commands.visit import visit


def test_skipping_everything_fails_nothing(tmp_path: Path) -> None:
    with visit(tmp_path, "inspector fitted") as seen:
        told = Hands(seen, "press", "put", "turn", "lit", "legible", "contact").follows("selftest")
        assert failures(seen) == {}
        passed = [part for part, (ok, _) in results(seen).items() if ok]
        assert {"program", "ledger", "plug", "rail", "shuffler"} <= set(passed)
        assert set(untested(seen).values()) == {"SKIPPED", "NO_TOKEN"}
        assert re.search(r"46 parts: 0 FAIL, 3\d not tested", told)


def test_a_button_nobody_presses_is_waited_for_20_s_and_fails(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "FAIL" not in seen.waits(19)
        assert "FAIL button JPOT  has not moved" in seen.waits(2)


def test_what_failed_may_be_tried_again(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "r: again" in seen.waits(21)
        seen.types("r")
        seen.cabinet.press(Button.JPOT)
        seen.waits(2)
        assert results(seen) == {"button JPOT": (True, "PRESSED pulse=25")}


@pytest.mark.parametrize(
    ("pressed", "found"),
    [
        ([Button.JPOT, Button.JPOT], "MOVED_OFTEN times=2"),
        ([Button.COIN_IN], "OTHER_MOVED other=COIN_IN"),
    ],
)
def test_a_wrong_press_is_no_pass(tmp_path: Path, pressed: list[Button], found: str) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        for button in pressed:
            seen.cabinet.press(button)
            seen.typist.waits(0.1)
        seen.waits(21)
        seen.types("\r")
        assert failures(seen) == {"button JPOT": found}


def test_a_lamp_that_is_not_seen_lit_fails_though_the_board_feels_it(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest slot lamp 4")
        seen.waits(1)
        seen.types("n")
        seen.waits(1)
        seen.types("\r")
        assert failures(seen) == {"slot lamp 4": "NOT_LIT"}


def test_a_question_nobody_answers_ends(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest slot lamp 4")
        seen.waits(121)
        assert untested(seen) == {"slot lamp 4": "NOT_ANSWERED"}
        assert not seen.driven()


def test_q_ends_the_test_and_keeps_its_report(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest")
        seen.waits(1)
        told = seen.types("q")
        assert "on record" in told + seen.waits(1)
        assert results(seen)["program"][0] is True
        assert results(seen)["seat 7"] == (None, "ENDED")
        assert not seen.driven()
        assert seen.at_the_prompt


def test_q_after_a_failure_keeps_the_failure(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.panel.stick(Button.GAME_OVER)
        seen.says("selftest buttons")
        seen.waits(11)
        seen.types("s")
        seen.waits(1)
        assert "FAIL button GAME_OVER" in seen.heard
        assert "8 parts: 1 FAIL, 7 not tested" in seen.types("q") + seen.waits(1)
        assert list(failures(seen)) == ["button GAME_OVER"]


def test_q_while_it_is_tried_again_keeps_the_failure_before(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        assert "r: again. Enter: on. q: end." in seen.waits(21)
        seen.waits(1)
        seen.types("r")
        seen.waits(1)
        seen.types("q")
        told = seen.waits(1)
        assert "1 part: 1 FAIL, 0 not tested" in seen.heard + told
        assert failures(seen) == {"button JPOT": "NOT_MOVED"}


def test_only_enter_goes_on_after_a_failure(tmp_path: Path) -> None:
    """The first letter of a command typed too early would have answered it."""
    with visit(tmp_path, language=Language.IT) as seen:
        seen.says("selftest button JPOT")
        assert "r: di nuovo. Invio: avanti. q: fine." in seen.waits(21)
        seen.types("g")
        assert not seen.at_the_prompt
        seen.types("\r")
        assert "1 parte: GUASTO 1, non provate 0" in seen.heard + seen.waits(1)
        assert seen.at_the_prompt


def test_a_lamp_that_is_seen_lit_though_the_board_feels_nothing_is_its_measurement(
    tmp_path: Path,
) -> None:
    with visit(tmp_path) as seen:
        seen.cabinet.rail.kill_lamp(4)
        seen.says("selftest slot lamp 4")
        seen.waits(1)
        seen.types("y")
        seen.waits(1)
        seen.types("\r")
        assert "you saw it lit; the board finds no current: its measurement" in seen.heard
        assert failures(seen) == {"slot lamp 4": "LIT_NO_CURRENT"}
