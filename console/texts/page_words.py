"""The words of the pages in both languages (`pages/*.toml`), and the module that a page loads.

The files have what only the pages say, for instance the sign's "bets open" and "betting suspended"
(`[betting]` in pages/sign.toml). What codes mean is taken from where the whole program takes
it (`table_texts`, `record_vocabulary`), so that no word stands twice.
"""

import json
import tomllib
from collections.abc import Mapping
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from console.texts.catalogue.brief import FAULTS, FINDINGS
from console.texts.catalogue.findings import FindingCode
from console.texts.language import Words
from console.texts.record_vocabulary import BACKS, DECK_STATES, DEVICES, FEMININE
from console.texts.table_texts import (
    ACCOUNTS,
    AWARD_PAID,
    AWARD_PENDING,
    DUTIES,
    GAME_NAMES,
    LAST_COUP,
    LAST_HANDS,
    MANY_HANDS,
    OUTCOMES,
    PHASES,
    POKER_PHASES,
)

Group = Mapping[str, Words]
PageWords = Mapping[str, Words | Group]
"""A page's words by name; some stand in a group, such as `phases` by their codes."""


class Page(Enum):
    """Whose words they are; the value is the file's name."""

    COMMON = "common"
    SIGN = "sign"
    CABINET = "cabinet"
    SUPERVISOR = "supervisor"
    ROOM = "room"
    TOURNAMENT = "tournament"


@cache
def page_words(page: Page) -> PageWords:
    """A page's own words; those of `Page.COMMON` are every page's.

    Raises ValueError for a file that is wrong.
    """
    file = resources.files("console.texts") / "pages" / f"{page.value}.toml"
    content = tomllib.loads(file.read_text("utf-8"))
    words = {name: _read(part) for name, part in content.items()}
    for name, part in CODES[page].items():
        own = words.get(name, {})
        words[name] = part if isinstance(part, Words) or isinstance(own, Words) else {**part, **own}
    return words


def page_word(page: Page, name: str) -> Words:
    """A word of a page that stands in no group. Raises KeyError."""
    word = page_words(page)[name]
    if not isinstance(word, Words):
        raise KeyError(name)
    return word


def words_module(page: Page) -> str:
    """The JavaScript module that exports the page's words as WORDS, the common ones among them."""
    own = json.dumps(msgspec.to_builtins(page_words(page)), ensure_ascii=False)
    if page is Page.COMMON:
        return f"export const WORDS = {own};\n"
    both = f"export const WORDS = {{ ...COMMON, ...{own} }};\n"
    return f'import {{ WORDS as COMMON }} from "./{Page.COMMON.value}.js";\n{both}'


def _read(part: Mapping[str, Any]) -> Words | Group:
    if isinstance(part.get("it"), str):
        return msgspec.convert(part, Words)
    return msgspec.convert(part, dict[str, Words])


def _sentence(words: Words) -> Words:
    """With a capital at the beginning."""
    return Words(words.it[:1].upper() + words.it[1:], words.en[:1].upper() + words.en[1:])


def _by_code(names: Mapping[Any, Words], *, capital: bool = False) -> Group:
    values = {code.value if isinstance(code, Enum) else code: names[code] for code in names}
    return {code: _sentence(name) if capital else name for code, name in values.items()}


ENDINGS = {device: Words("a" if device in FEMININE else "o", "") for device in DEVICES}
"""How Italian participles about a device end."""

CODES: Mapping[Page, PageWords] = {
    Page.COMMON: {},
    Page.SIGN: {
        "poker": _by_code(POKER_PHASES, capital=True),
        "outcomes": _by_code(OUTCOMES, capital=True),
        "lastCoup": _sentence(LAST_COUP),
        "lastHands": {str(left): _sentence(words) for left, words in enumerate(LAST_HANDS)},
        "manyHands": _sentence(MANY_HANDS),
    },
    Page.CABINET: {
        "games": _by_code(GAME_NAMES),
        "poker": _by_code(POKER_PHASES, capital=True),
        "phases": _by_code(PHASES, capital=True),
        "accounts": _by_code(ACCOUNTS, capital=True),
        "devices": _by_code(DEVICES, capital=True),
        "endings": ENDINGS,
        "deckStates": DECK_STATES,
        "backs": _by_code(BACKS, capital=True),
        "lastCoup": _sentence(LAST_COUP),
    },
    Page.SUPERVISOR: {
        "poker": _by_code(POKER_PHASES, capital=True),
        "phases": _by_code(PHASES, capital=True),
        "accounts": _by_code(ACCOUNTS),
        "devices": DEVICES,
        "endings": ENDINGS,
        "deckStates": DECK_STATES,
        "duties": _by_code(DUTIES),
        "lastCoup": LAST_COUP,
        "winPaid": AWARD_PAID,
        "winPending": AWARD_PENDING,
    },
    Page.ROOM: {
        "phases": _by_code(PHASES, capital=True),
        "games": _by_code(GAME_NAMES),
        "faults": {
            **{code.value: brief.means for code, brief in FAULTS.items()},
            FindingCode.PIN_GUESSED.value: FINDINGS[FindingCode.PIN_GUESSED],
        },
        "duties": _by_code(DUTIES),
    },
    Page.TOURNAMENT: {},
}
