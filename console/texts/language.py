"""The two languages of a table, and a text in both."""

from enum import Enum

import msgspec


class Language(Enum):
    """A table's language, which also decides how amounts are written."""

    IT = "it"
    EN = "en"


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    it: str
    en: str

    def in_(self, language: Language) -> str:
        """The text in this language."""
        return self.it if language is Language.IT else self.en

    def fill(self, *values: object) -> "Words":
        """The text with these values in the places of `{0}`, `{1}`, ..."""
        return Words(self.it.format(*values), self.en.format(*values))
