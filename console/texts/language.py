"""The two languages of a table, and a text in both."""

from collections.abc import Mapping
from enum import Enum

import msgspec


class Language(Enum):
    """A table's language, which also decides how amounts are written."""

    IT = "it"
    EN = "en"


YES = {
    Language.EN: frozenset({"y", "yes"}),
    Language.IT: frozenset({"s", "si", "sì", "si'"}),
}
"""What counts as yes when it is typed, in lower case."""

YES_IN_ANY = frozenset().union(*YES.values())
"""Whoever is asked in one language may answer in the other."""


def find_locale_language(environment: Mapping[str, str]) -> Language:
    """The language of the user's locale (POSIX, 8.2): Italian if it says so, fallback English."""
    named = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((name for name in named if name), "")
    return Language.IT if locale.partition("_")[0].partition(".")[0] == "it" else Language.EN


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    it: str
    en: str

    def in_(self, language: Language) -> str:
        """The text in this language."""
        return self.it if language is Language.IT else self.en

    def fill(self, *values: object) -> "Words":
        """The text with these values, or Words, in the places of `{0}`, `{1}`, ..."""
        return Words(*(self._fill_in(language, values) for language in Language))

    def _fill_in(self, language: Language, values: tuple[object, ...]) -> str:
        texts = (value.in_(language) if isinstance(value, Words) else value for value in values)
        return self.in_(language).format(*texts)
