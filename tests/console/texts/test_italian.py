"""An Italian text holds no English word but those that are said in an Italian casino as well."""

import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from console import texts
from console.rules.codes import Phase
from console.texts.language import Words

SAID_IN_ITALIAN = frozenset(
    [
        "ante",
        "base",
        "big",
        "bordereau",
        "boy",
        "cash",
        "cockroach",
        "croupier",
        "display",
        "driver",
        "drop",
        "envy",
        "euro",
        "eye",
        "flop",
        "jackpot",
        "late",
        "led",
        "link",
        "misdeal",
        "pig",
        "pin",
        "poker",
        "punto",
        "preflop",
        "rake",
        "registration",
        "river",
        "road",
        "slot",
        "small",
        "stack",
        "turn",
        "zero",
    ]
)
ABOUT_PROGRAMS = frozenset(
    [
        "ascii",
        "backup",
        "byte",
        "cctalk",
        "computer",
        "config",
        "dsr",
        "eur",
        "file",
        "firmware",
        "fpdf",
        "gpio",
        "hardware",
        "byte",
        "hash",
        "hub",
        "journal",
        "pdf",
        "raspberry",
        "root",
        "seed",
        "server",
        "sha",
        "tls",
        "toml",
        "tpm",
        "usb",
        "utf",
    ]
)
TYPED = frozenset(
    [
        "abc",
        "audit",
        "banco",
        "board",
        "check",
        "chip",
        "ctrl",
        "diag",
        "enrol",
        "green",
        "journalctl",
        "ledger",
        "less",
        "log",
        "rejoin",
        "report",
        "restart",
        "run",
        "settings",
        "sim",
        "size",
        "start",
        "systemctl",
        "vacuum",
    ]
)
"""Names of commands, options and keys."""

UNITS = frozenset({"max", "min"})

ITALIAN_TOO = frozenset({"all", "come", "per", "scenario", "state"})

PRINTED = r"\b(?:COIN IN|GAME OVER|JPOT|JPL|JPH|PUNTO|LINK|DROP|HAND|DECK|TIME)\b"
"""What stands on the panel or on the felt, and codes of the display."""

ALLOWED = SAID_IN_ITALIAN | ABOUT_PROGRAMS | TYPED | UNITS | ITALIAN_TOO

NEVER = frozenset(
    [
        "answers",
        "faults",
        "key",
        "nobody",
        "of",
        "paused",
        "reserve",
        "status",
        "table",
        "the",
        "with",
    ]
)


def list_words() -> Iterator[tuple[str, Words]]:
    """Each text of the modules in console/texts."""
    for module in walk_packages(texts.__path__, "console.texts."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, Words):
                yield f"{module.name}.{name}", value


def list_catalogue_words() -> Iterator[tuple[str, Words]]:
    """Each text of the TOML files: the codes' remedies, and what the pages say."""
    for file in sorted(Path(texts.__path__[0]).rglob("*.toml")):
        yield from _pairs(file.stem, tomllib.loads(file.read_text("utf-8")))


def _pairs(name: str, part: object) -> Iterator[tuple[str, Words]]:
    match part:
        case {"it": italian, "en": english}:
            yield name, Words(_join_texts(italian), _join_texts(english))
        case dict():
            for key, inner in part.items():
                yield from _pairs(f"{name}.{key}", inner)


def _join_texts(part: object) -> str:
    """One text of a text, a list or a table of them, without what is typed, and addresses."""
    match part:
        case str():
            return re.sub(r"`[^`]*`|[\w./-]+\.md(#[\w-]+)?", "", part)
        case list():
            return " ".join(map(_join_texts, part))
        case dict():
            return " ".join(map(_join_texts, part.values()))
    raise TypeError(part)


PHASES = "|".join(Phase.__members__)


def test_no_italian_text_names_a_phase_by_its_code() -> None:
    coded = {
        name: found
        for name, value in (*list_words(), *list_catalogue_words())
        if (found := re.findall(rf"\b(?:{PHASES})\b", value.it))
    }
    assert coded == {}


def words_in(text: str) -> set[str]:
    """Its words of three letters or more, without codes and the names of what is filled in."""
    named = re.sub(rf"\{{.*?\}}|[A-Z]+_[A-Z_]+|{PRINTED}", "", text)
    return set(re.findall("[a-zà-ù]{3,}", named.lower()))


def test_an_italian_text_has_no_english_word() -> None:
    shared = {
        name: sorted(both)
        for name, value in (*list_words(), *list_catalogue_words())
        if (both := words_in(value.it) & (words_in(value.en) | NEVER) - ALLOWED)
    }
    assert shared == {}
