"""`selftest`: only what is typed after a question stands on the terminal answers it."""

from pathlib import Path

import pytest

from console.texts.language import Language
from devices.roles import Button
from tests.console.technician.commands.selftest_records import (
    last_record,
    list_failures,
    list_untested,
    results,
)
from tests.console.technician.commands.technician_bench import open_bench

HABITS = ["s\r", "s\r\r", "ss", "yy", "y\r", "n\r", "nn", "oo"]


def test_an_enter_after_s_answers_nothing(tmp_path: Path) -> None:
    """`s` acts at once; the habitual Enter after it passed the next lamp, that nobody saw"""
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest lamps")
        bench.wait(2)
        bench.type("s\r")
        bench.wait(2)
        bench.type("q")
        bench.wait(2)
        found = {part: passed for part, (passed, _) in results(bench).items()}
        assert set(found.values()) == {None}


@pytest.mark.parametrize("typed", HABITS)
def test_one_question_has_one_answer(typed: str, tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest lamps")
        bench.wait(2)
        bench.type(typed)
        bench.wait(2)
        assert "slot lamp of seat 2: is it lit?" in bench.printed or "r: again" in bench.printed
        assert "slot lamp of seat 3: is it lit?" not in bench.printed


@pytest.mark.parametrize("typed", ["\r" * 40, "y" * 40, "s" * 40, "yn" * 20])
def test_what_was_typed_before_the_test_answers_nothing(typed: str, tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type("selftest lamps\r" + typed)
        bench.wait(2)
        assert "slot lamp of seat 1: is it lit?" in bench.printed
        assert "slot lamp of seat 2: is it lit?" not in bench.printed


def test_on_a_slow_line_nothing_counts_before_the_question_stands_there(tmp_path: Path) -> None:
    """At 9600 baud a question may be on its way while somebody types"""
    with open_bench(tmp_path, pace=60) as bench:
        bench.type("selftest slot lamp 1\r")
        while "is it lit?" not in bench.printed:
            bench.type("y")
        bench.wait(5)
        assert last_record(bench) is None
        bench.type("y")
        bench.wait(5)
        assert results(bench) == {"slot lamp 1": (True, "LIT")}


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
    with open_bench(tmp_path, language=language) as bench:
        bench.type_command("selftest slot lamp 4")
        bench.wait(2)
        assert keys in bench.printed
        for _ in range(3):
            bench.type("\r")
            bench.wait(1)
        assert bench.printed.count(keys) == 2
        bench.type(yes)
        bench.wait(2)
        assert results(bench) == {"slot lamp 4": (True, "LIT")}


def test_s_typed_before_a_step_skips_nothing(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type("selftest button JPOT\rss")
        bench.wait(1)
        bench.cabinet.panel.press(Button.JPOT)
        bench.wait(2)
        assert results(bench) == {"button JPOT": (True, "PRESSED pulse=25")}


def test_enter_typed_before_a_failure_does_not_go_on(tmp_path: Path) -> None:
    with open_bench(tmp_path) as bench:
        bench.type_command("selftest button JPOT")
        bench.type("\r", "\r")
        assert "r: again" in bench.wait(21)
        assert not bench.at_the_prompt
        bench.type("r")
        bench.cabinet.panel.press(Button.JPOT)
        bench.wait(2)
        assert (list_failures(bench), list_untested(bench)) == ({}, {})
