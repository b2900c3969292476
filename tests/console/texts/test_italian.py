"""An Italian text holds no English word but those that are said in an Italian casino as well."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from console import texts
from console.texts.language import Words

SAID_IN_ITALIAN = frozenset(
    [
        "base",
        "bordereau",
        "cash",
        "croupier",
        "display",
        "driver",
        "envy",
        "euro",
        "jackpot",
        "led",
        "pin",
        "poker",
        "rake",
        "slot",
        "zero",
    ]
)
ABOUT_PROGRAMS = frozenset(
    [
        "ascii",
        "config",
        "eur",
        "file",
        "fpdf",
        "journal",
        "pdf",
        "root",
        "seed",
        "sha",
        "tls",
        "toml",
        "tpm",
    ]
)
TYPED = frozenset(
    [
        "abc",
        "banco",
        "board",
        "check",
        "ctrl",
        "diag",
        "enrol",
        "green",
        "journalctl",
        "ledger",
        "log",
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

UNITS = frozenset({"min"})

ALLOWED = SAID_IN_ITALIAN | ABOUT_PROGRAMS | TYPED | UNITS

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


def words_in(text: str) -> set[str]:
    """Its words of three letters or more, without codes and the names of what is filled in."""
    return set(re.findall("[a-zà-ù]{3,}", re.sub(r"\{.*?\}|[A-Z]+_[A-Z_]+", "", text).lower()))


def test_an_italian_text_has_no_english_word() -> None:
    shared = {
        name: sorted(both)
        for name, value in list_words()
        if (both := words_in(value.it) & (words_in(value.en) | NEVER) - ALLOWED)
    }
    assert shared == {}
