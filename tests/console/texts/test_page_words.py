"""The pages' catalogue: both languages say the same, every word is there, and none is left over."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from console.texts.language import Words
from console.texts.page_words import CODES, Page, page_word, page_words, words_module

PAGES = Path("console/web/pages")
OWN = [page for page in Page if page is not Page.COMMON]

REFERENCE = re.compile(r"\bWORDS\.(\w+)(?:\.(\w+))?(\[)?")
"""`WORDS.name`, `WORDS.group.name`, or `WORDS.group[code]`."""

ATTRIBUTE = re.compile(r'data-(?:word|label|title)="([\w.]+)"')
STRING = re.compile(r'"([\w.]+)"')
"""A script names an element's word by its path: `dataset.word = "devices.shoe"`."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TEMPLATE = re.compile(r"`(\w+)\.\$\{")
"""Any word of a group: `accounts.${name}`."""


def texts_of(page: Page) -> Iterator[str]:
    """The scripts and the HTML of a page; those of `common` belong to every page."""
    for file in (PAGES / page.value).glob("*.js"):
        yield COMMENT.sub("", file.read_text("utf-8"))
    if page is not Page.COMMON:
        yield (PAGES / f"{page.value}.html").read_text("utf-8")


def all_words(page: Page) -> dict[str, Words]:
    """By the path that a page uses: `name` or `group.name`."""
    words: dict[str, Words] = {}
    for name, part in page_words(page).items():
        if isinstance(part, Words):
            words[name] = part
        else:
            words.update({f"{name}.{key}": word for key, word in part.items()})
    return words


def groups_of(page: Page) -> set[str]:
    return {name for name, part in page_words(page).items() if isinstance(part, Mapping)}


def references(text: str, groups: set[str]) -> Iterator[str]:
    """What a text refers to: paths of words, and `group.*` for any word of a group."""
    for name, key, dynamic in REFERENCE.findall(text):
        if name in groups:
            yield f"{name}.*" if dynamic or not key else f"{name}.{key}"
        else:
            yield name
    yield from ATTRIBUTE.findall(text)
    yield from (f"{group}.*" for group in TEMPLATE.findall(text))


@pytest.mark.parametrize("page", Page)
def test_both_languages_are_there_and_fill_in_the_same_names(page: Page) -> None:
    for path, word in all_words(page).items():
        if path.startswith("endings."):  # English participles have none
            continue
        assert all((word.it, word.en)), path
        italian, english = (sorted(re.findall(r"\{(\w+)\}", text)) for text in (word.it, word.en))
        assert [name for name in italian if name != "ending"] == english, path


@pytest.mark.parametrize("page", OWN)
def test_every_word_that_a_page_uses_is_in_the_catalogue(page: Page) -> None:
    known = {**all_words(Page.COMMON), **all_words(page)}
    groups = groups_of(Page.COMMON) | groups_of(page)
    for text in texts_of(page):
        for path in references(text, groups):
            assert path in known or path.removesuffix(".*") in groups, path


def test_every_word_that_all_pages_share_is_in_the_catalogue() -> None:
    groups = groups_of(Page.COMMON)
    for text in texts_of(Page.COMMON):
        for path in references(text, groups):
            assert path in all_words(Page.COMMON) or path.removesuffix(".*") in groups, path


@pytest.mark.parametrize("page", Page)
def test_no_word_of_the_catalogue_is_left_over(page: Page) -> None:
    groups = groups_of(page)
    used: set[str] = set()
    for reader in Page if page is Page.COMMON else (page,):
        for text in texts_of(reader):
            used.update(references(text, groups))
            used.update(STRING.findall(text))
    left = [path for path in all_words(page) if path not in used]
    assert [path for path in left if f"{path.partition('.')[0]}.*" not in used] == []


@pytest.mark.parametrize("page", OWN)
def test_no_word_stands_in_two_files(page: Page) -> None:
    assert not set(page_words(page)) & set(page_words(Page.COMMON))


@pytest.mark.parametrize("page", Page)
def test_what_codes_mean_is_not_written_a_second_time(page: Page) -> None:
    file = Path(f"console/texts/pages/{page.value}.toml").read_text("utf-8")
    for name, part in CODES[page].items():
        assert not re.search(rf"^{name} =", file, re.MULTILINE)
        if not isinstance(part, Words):
            own = re.search(rf"^\[{name}\]\n((?:\w+ = .*\n)*)", file, re.MULTILINE)
            assert not own or not set(part) & set(re.findall(r"^(\w+) =", own[1], re.MULTILINE))


def test_no_script_has_texts_of_its_own() -> None:
    for page in Page:
        for file in (PAGES / page.value).glob("*.js"):
            assert not re.search(r"\bit: [\"'`][^\"'`]* ", file.read_text("utf-8")), file


def test_a_page_loads_its_own_words_and_those_of_all_pages() -> None:
    assert words_module(Page.COMMON).startswith("export const WORDS = {")
    assert 'from "./common.js"' in words_module(Page.SIGN)
    assert "Nessun guasto" not in words_module(Page.CABINET), "it is a word of all pages"


def test_a_group_is_no_word() -> None:
    assert page_word(Page.SIGN, "gone").en == "Connection to the table interrupted."
    with pytest.raises(KeyError):
        page_word(Page.SIGN, "betting")
