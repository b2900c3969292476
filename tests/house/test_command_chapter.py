"""The pages of the technician's line say what its commands say of themselves."""

import re

import pytest

from console.technician.registry import COMMANDS
from console.texts.language import Language
from tests.house.command_chapter import BEGIN, PAGES, NoChapter, renew_chapter
from tests.house.documents import page


@pytest.mark.parametrize("language", Language)
def test_the_chapter_is_the_one_made_from_the_help(language: Language) -> None:
    text = page(f"docs/{PAGES[language]}")
    assert renew_chapter(text, language) == text, "a command's help has changed: make docs"


@pytest.mark.parametrize("language", Language)
def test_every_command_named_above_it_exists(language: Language) -> None:
    above = page(f"docs/{PAGES[language]}").partition(BEGIN)[0]
    known = {name for command in COMMANDS for name in command.names}
    tables = "\n".join(row for row in above.splitlines() if row.startswith("| `"))
    named = {code.split()[0] for code in re.findall(r"`([a-z][a-z ]*(?: [A-Z]+)*)`", tables)}
    assert named - {"banco"} <= known


def test_a_page_without_marks_is_no_page() -> None:
    with pytest.raises(NoChapter):
        renew_chapter("# The technician's line\n", Language.EN)
