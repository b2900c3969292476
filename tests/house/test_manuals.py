"""docs/manuals is what manuals.toml and the program's own texts give, one page of A4 each."""

import re
from pathlib import Path

import pytest

from console.texts.display import TEXTS
from console.texts.language import Language
from devices.roles import DISPLAY_COLUMNS
from jackpot.money.prize_file import load_prizes
from tests.house.manuals import FOLDER, JACKPOT_GAME, main, pages
from tests.house.sources import ROOT

PAGES = dict(pages())
EACH = pytest.mark.parametrize("name", PAGES)


@EACH
def test_a_manual_is_what_its_words_give(name: str) -> None:
    written = (ROOT / "docs" / FOLDER / name).read_text("utf-8")
    assert written == PAGES[name], "words have changed: make docs"


def test_all_of_them_are_written_and_no_others(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    made = {file.name for file in (tmp_path / FOLDER).iterdir()}
    assert made == set(PAGES) == {file.name for file in (ROOT / "docs" / FOLDER).iterdir()}


@EACH
def test_what_a_display_shows_fits_its_line(name: str) -> None:
    for one, other in re.findall(r"<title>([^<]+) / ([^<]+)</title>", PAGES[name]):
        assert max(len(one.replace("&#x27;", "'")), len(other)) <= DISPLAY_COLUMNS


@pytest.mark.parametrize("language", Language)
def test_the_croupiers_buttons_are_the_prizes_from_the_left(language: Language) -> None:
    page = PAGES[f"croupier.{language.value}.html"]
    bold = re.findall(r'font-weight="bold">([^<]+)<', page)
    names = [
        TEXTS[language].combinations[prize.combination]
        for prize in load_prizes(JACKPOT_GAME).prizes
    ]
    at = bold.index(names[0])
    assert bold[at : at + len(names)] == names


@EACH
def test_both_languages_link_to_nothing_outside(name: str) -> None:
    """A page is printed from the file alone"""
    assert re.findall(r"(?:src|href)=", PAGES[name]) == []
