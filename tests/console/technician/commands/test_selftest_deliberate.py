"""`selftest`: only what is typed after a question stands on the terminal answers it."""

from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import Button
from tests.console.technician.commands.selftest_records import (
    failures,
    last_record,
    results,
    untested,
)
from tests.console.technician.commands.visit import visit

HABITS = ["s\r", "s\r\r", "ss", "yy", "y\r", "n\r", "nn", "oo"]


def test_an_enter_after_s_answers_nothing(tmp_path: Path) -> None:
    """`s` acts at once; the habitual Enter after it passed the next lamp, that nobody saw"""
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.waits(2)
        seen.types("s\r")
        seen.waits(2)
        seen.types("q")
        seen.waits(2)
        found = {part: passed for part, (passed, _) in results(seen).items()}
        assert set(found.values()) == {None}


@pytest.mark.parametrize("typed", HABITS)
def test_one_question_has_one_answer(typed: str, tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest lamps")
        seen.waits(2)
        seen.types(typed)
        seen.waits(2)
        assert "slot lamp of seat 2: is it lit?" in seen.heard or "r: again" in seen.heard
        assert "slot lamp of seat 3: is it lit?" not in seen.heard


@pytest.mark.parametrize("typed", ["\r" * 40, "y" * 40, "s" * 40, "yn" * 20])
def test_what_was_typed_before_the_test_answers_nothing(typed: str, tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.types("selftest lamps\r" + typed)
        seen.waits(2)
        assert "slot lamp of seat 1: is it lit?" in seen.heard
        assert "slot lamp of seat 2: is it lit?" not in seen.heard


def test_on_a_slow_line_nothing_counts_before_the_question_stands_there(tmp_path: Path) -> None:
    """At 9600 baud a question may be on its way while somebody types"""
    with visit(tmp_path, pace=60) as seen:
        seen.types("selftest slot lamp 1\r")
        while "is it lit?" not in seen.heard:
            seen.types("y")
        seen.waits(5)
        assert last_record(seen) is None
        seen.types("y")
        seen.waits(5)
        assert results(seen) == {"slot lamp 1": (True, "LIT")}


@pytest.mark.parametrize(
    ("language", "yes", "keys"),
    [
        (Language.EN, "y", "(y: yes, n: no, s: skip)"),
        (Language.IT, "o", "(o: ok, n: no, s: salta)"),
    ],
)
def test_enter_is_no_answer_and_that_is_said_once(
    language: Language, yes: str, keys: str, tmp_path: Path
) -> None:
    with visit(tmp_path, language=language) as seen:
        seen.says("selftest slot lamp 4")
        seen.waits(2)
        assert keys in seen.heard
        for _ in range(3):
            seen.types("\r")
            seen.waits(1)
        assert seen.heard.count(keys) == 2
        seen.types(yes)
        seen.waits(2)
        assert results(seen) == {"slot lamp 4": (True, "LIT")}


def test_s_typed_before_a_step_skips_nothing(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.types("selftest button JPOT\rss")
        seen.waits(1)
        seen.cabinet.press(Button.JPOT)
        seen.waits(2)
        assert results(seen) == {"button JPOT": (True, "PRESSED pulse=25")}


def test_enter_typed_before_a_failure_does_not_go_on(tmp_path: Path) -> None:
    with visit(tmp_path) as seen:
        seen.says("selftest button JPOT")
        seen.types("\r", "\r")
        assert "r: again" in seen.waits(21)
        assert not seen.at_the_prompt
        seen.types("r")
        seen.cabinet.press(Button.JPOT)
        seen.waits(2)
        assert (failures(seen), untested(seen)) == ({}, {})
