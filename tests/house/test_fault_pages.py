"""docs/how-to/faults.md and docs/how-to/guasti.md are what the catalogue gives, and lead from
anything seen.
"""

import re
from pathlib import Path

import pytest

from console.rules.codes import CLEARED_BY_TECHNICIAN
from console.technician.registry import COMMANDS
from console.texts.catalogue.entries import CodeKind, catalogue
from console.texts.display import TEXTS
from console.texts.language import Language
from tests.house.documents import prose, rows
from tests.house.fault_pages import PAGES, Symptoms, main, page, read_beside
from tests.house.sources import ROOT

LANGUAGES = pytest.mark.parametrize("language", Language)


@LANGUAGES
def test_the_page_is_what_the_catalogue_gives(language: Language) -> None:
    written = (ROOT / "docs" / PAGES[language]).read_text("utf-8")
    assert written == page(language), "the catalogue has changed: make docs"


def test_making_them_twice_changes_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        assert main([str(tmp_path)]) == 0
        made = {
            file.relative_to(tmp_path).as_posix(): file.read_text("utf-8")
            for file in tmp_path.rglob("*.md")
        }
        assert made == {name: page(language) for language, name in PAGES.items()}


@LANGUAGES
def test_everything_the_catalogue_tells_stands_on_the_page(language: Language) -> None:
    page_text = re.sub(r"\[(`\w+`)\]\(#\w+\)", r"\1", page(language))
    page_text = " ".join(re.sub(r"^ *\d+\. ", "", page_text, flags=re.M).split())
    for entry in catalogue():
        text = entry.in_(language)
        for part in (text.means, text.raised, *text.check, text.meanwhile, text.do, text.clears):
            if part and not (part == text.means and entry.kind is CodeKind.REFUSAL):
                assert part[1:] in page_text, entry.code


@LANGUAGES
def test_every_place_of_the_page_is_filled(language: Language) -> None:
    assert re.findall(r"@\w[\w ]*@", page(language)) == []


@LANGUAGES
def test_nothing_between_backquotes_is_torn_apart(language: Language) -> None:
    for paragraph in prose(page(language)).split("\n\n"):
        for code in re.findall(r"`([^`]*)`", paragraph):
            assert "\n" not in code


@LANGUAGES
def test_the_technician_clears_what_the_page_says(language: Language) -> None:
    (sentence,) = re.findall(r"^\d?.*(?:stay until|restano finché).*$", page(language), re.M)
    assert set(re.findall(r"\[`(\w+)`\]", sentence)) == {
        fault.value for fault in CLEARED_BY_TECHNICIAN
    }


@LANGUAGES
def test_every_fault_and_finding_is_reached_from_something_seen(language: Language) -> None:
    seen = page(language).split("\n## ")[1]
    reached = set(re.findall(r"\]\(#(\w+)\)", seen))
    wanted = {entry.code.lower() for entry in catalogue() if entry.kind is not CodeKind.REFUSAL}
    assert wanted <= reached


def test_what_is_seen_begins_with_a_command_of_the_line() -> None:
    names = {command.names[0] for command in COMMANDS}
    symptoms = read_beside("symptoms.toml", Symptoms).symptom
    assert {symptom.first.split()[0] for symptom in symptoms} <= names


@LANGUAGES
def test_what_is_seen_on_the_display_is_what_it_says(language: Language) -> None:
    shown = {
        text
        for texts in TEXTS.values()
        for text in (*texts.faults.values(), *texts.refusals.values())
    }
    seen = rows(page(language).split("\n## ")[1])[2:]
    quoted = [text for row in seen for text in re.findall(r"`([A-Z' ]+)`", row[0])]
    assert len(quoted) > 5
    assert set(quoted) <= shown
