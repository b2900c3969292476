"""Every scenario holds; every sentence of sections 2 to 7 of docs/rules.md is tried by something.

tests/scenarios/SENTENCES.md lists the sentences. A scenario names those it tries in its first
lines (`# TABLE 2.7: "..."`), a test in its docstring (`TABLE 2.7, 2.8: ...`). Those of
linked tables (docs/link-rules.md) are named `LINK 3.1.2`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.simulation.scenario.play import HELD, play

TESTS = Path(__file__).parents[3]
SCENARIOS = sorted((TESTS / "scenarios").rglob("*.scenario"))
OF_THE_RULES = [scenario for scenario in SCENARIOS if scenario.parent.name == "scenarios"]
"""Those of the poker table are in a folder of their own."""
LISTED = re.compile(r"^\| (L?\d[.\d]+) \| (.+?) \| (.+) \|$", re.MULTILINE)
CLAIMED = re.compile(r'^# (TABLE|LINK) (\d[.\d]+): "(.+)"$')
IN_A_DOCSTRING = re.compile(r"(TABLE|LINK) (\d\.\d+(?:\.\d+)?(?:, \d\.\d+(?:\.\d+)?)*)")
PREFIX = {"TABLE": "", "LINK": "L"}
"""Of a number in the list: a sentence of docs/rules.md, or of docs/link-rules.md."""
LATER = "(shuffler and shoe)"
"""What stands in the list where a sentence is about the cards alone."""


def read_sentences() -> dict[str, tuple[str, set[str]]]:
    """Each sentence's number, its words, and what is listed to try it."""
    text = (TESTS / "scenarios" / "SENTENCES.md").read_text("utf-8")
    found = {
        number: (words, set(covers.split(", "))) for number, words, covers in LISTED.findall(text)
    }
    assert len(found) == len(LISTED.findall(text)), "a number is given twice"
    return found


def claims_of(scenario: Path) -> dict[str, str]:
    """The sentences a scenario's first lines name, with their words."""
    lines = scenario.read_text("utf-8").splitlines()
    return {PREFIX[m[1]] + m[2]: m[3] for line in lines if (m := CLAIMED.match(line))}


def claims_of_tests() -> Iterator[tuple[str, str]]:
    """(number, test) for each sentence that a test's docstring names."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                match = IN_A_DOCSTRING.match(ast.get_docstring(node) or "")
                if match is not None:
                    for number in match[2].split(", "):
                        yield PREFIX[match[1]] + number, f"{path.name}::{node.name}"


@pytest.mark.sampled(of=2)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(scenario: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = play([str(scenario)], as_json=False, real_time=False)
    assert (status, capsys.readouterr().err) == (HELD, "")


def test_every_scenario_says_which_sentences_it_tries_in_their_own_words() -> None:
    sentences = read_sentences()
    for scenario in OF_THE_RULES:
        claims = claims_of(scenario)
        assert claims, scenario.name
        for number, words in claims.items():
            assert words == sentences[number][0], f"{scenario.name}: {number}"


def test_the_list_names_exactly_what_tries_each_sentence() -> None:
    tried: dict[str, set[str]] = {number: set() for number in read_sentences()}
    for scenario in OF_THE_RULES:
        for number in claims_of(scenario):
            tried[number].add(scenario.name.removesuffix(".scenario"))
    for number, test in claims_of_tests():
        tried[number].add(test)
    assert {number: covers - {LATER} for number, (_, covers) in read_sentences().items()} == tried


def test_no_sentence_is_left_untried() -> None:
    untried = [number for number, (_, covers) in read_sentences().items() if not covers - {""}]
    assert untried == []
