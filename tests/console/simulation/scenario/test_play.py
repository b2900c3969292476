"""Every scenario holds; something tries every sentence of docs/reference/rules.md and
docs/reference/poker-rules.md.

The lists of sentences are tests/scenarios/SENTENCES.md (sections 2 to 9) and poker/SENTENCES.md
beside it (13 to 20). A scenario names those it tries in its first lines (`# TABLE 2.7: "..."`), a
test in its docstring (`TABLE 2.7, 2.8: ...`). Those of linked tables (docs/reference/link-rules.md)
are named `LINK 3.1.2`, those of the poker table `POKER 13.7`, and those of prize files
(docs/reference/prizes.md) `PRIZES 2.4`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from console.simulation.scenario.play import HELD, play

TESTS = Path(__file__).parents[3]
SCENARIOS = sorted((TESTS / "scenarios").rglob("*.scenario"))
LISTS = [
    TESTS / "scenarios" / "SENTENCES.md",
    TESTS / "scenarios" / "poker" / "SENTENCES.md",
    TESTS / "scenarios" / "prizes" / "SENTENCES.md",
]
LISTED = re.compile(r"^\| ([LP]?\d[.\d]+) \| (.+?) \| (.+) \|$", re.MULTILINE)
CLAIMED = re.compile(r'^# (TABLE|LINK|POKER|PRIZES) (\d[.\d]+): "(.+)"$')
NUMBER = r"\d+\.\d+(?:\.\d+)?"
IN_A_DOCSTRING = re.compile(rf"(TABLE|LINK|POKER|PRIZES) ({NUMBER}(?:, {NUMBER})*)")
PREFIX = {"TABLE": "", "LINK": "L", "POKER": "", "PRIZES": "P"}
"""Of a number in a list: a sentence of docs/reference/rules.md.

docs/reference/link-rules.md, docs/reference/poker-rules.md or docs/reference/prizes.md.
"""
PEOPLE = "(people)"
"""What stands in a list where a sentence is about people and their cards alone."""


def read_sentences(*lists: Path) -> dict[str, tuple[str, set[str]]]:
    """Each sentence's number, its words, and what is listed to try it."""
    listed = [entry for file in lists for entry in LISTED.findall(file.read_text("utf-8"))]
    found = {number: (words, set(covers.split(", "))) for number, words, covers in listed}
    assert len(found) == len(listed), "a number is given twice"
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


def test_what_was_played_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {
        "good": "press GAME_OVER\nexpect phase BETTING\ntoken 1\n",
        "bad": "press GAME_OVER\nexpect phase PLAYING\ntoken 1\n",
    }
    files = []
    for name, text in lines.items():
        (tmp_path / name).write_text(text, "utf-8")
        files.append(str(tmp_path / name))
    for chosen, summary in (
        (files[:1], "1 scenario, it held: 2 acts done, 1 expectation held"),
        (
            [*files, files[1]],
            f"3 scenarios, 2 failed, first {files[1]}:2: 4 acts done, 1 expectation held",
        ),
    ):
        play(chosen, as_json=False, real_time=False)
        assert capsys.readouterr().out.splitlines()[-1] == summary
    play(files[:1], as_json=True, real_time=False)
    assert "scenario," not in capsys.readouterr().out


def test_every_scenario_says_which_sentences_it_tries_in_their_own_words() -> None:
    sentences = read_sentences(*LISTS)
    for scenario in SCENARIOS:
        claims = claims_of(scenario)
        assert claims, scenario.name
        for number, words in claims.items():
            assert words == sentences[number][0], f"{scenario.name}: {number}"


def test_the_list_names_exactly_what_tries_each_sentence() -> None:
    sentences = read_sentences(*LISTS)
    tried: dict[str, set[str]] = {number: set() for number in sentences}
    for scenario in SCENARIOS:
        for number in claims_of(scenario):
            tried[number].add(scenario.name.removesuffix(".scenario"))
    for number, test in claims_of_tests():
        tried[number].add(test)
    assert {number: covers - {PEOPLE} for number, (_, covers) in sentences.items()} == tried


@pytest.mark.parametrize("file", LISTS, ids=lambda path: path.parent.name)
def test_no_sentence_is_left_untried(file: Path) -> None:
    untried = [number for number, (_, covers) in read_sentences(file).items() if not covers - {""}]
    assert untried == []


def test_the_poker_list_holds_every_sentence_of_its_law() -> None:
    law = (TESTS.parent / "docs" / "reference" / "poker-rules.md").read_text("utf-8")
    begin, end = law.index("## 13. "), law.index("## 21. ")
    lines = re.sub(r"^(?:#+ .*|\|.*\n\|-.*)$", "", law[begin:end], flags=re.MULTILINE)
    listed = "".join(words for words, _ in read_sentences(LISTS[1]).values())
    assert letters_of(listed) == letters_of(lines)


def test_the_list_of_prize_files_holds_every_sentence_of_its_law() -> None:
    page = (TESTS.parent / "docs" / "reference" / "prizes.md").read_text("utf-8")
    sentences = re.findall(r"^- \*\*(\d\.\d+)\*\* (.+(?:\n  .+)*)", page, flags=re.MULTILINE)
    law = {PREFIX["PRIZES"] + number: " ".join(words.split()) for number, words in sentences}
    assert law == {number: words for number, (words, _) in read_sentences(LISTS[2]).items()}


def letters_of(text: str) -> str:
    """Letters and digits alone: a list breaks its lines elsewhere, and its tables."""
    return re.sub(r"\W", "", text)
