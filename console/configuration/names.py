"""The form of each name that a table and the house's databases must write alike."""

import re
from typing import NamedTuple

from console.configuration.section import find_mistake
from jackpot.foreign_text import quote


class NameUnusable(ValueError):
    """A text has not the form of the name; it says what would be right."""


class NameForm(NamedTuple):
    """`pattern`: the whole name; `right`: the same in words; `taken`: in small letters."""

    pattern: str
    right: str
    taken: frozenset[str] = frozenset()
    """Names that a database of the house has for something else."""

    def read(self, text: str) -> str:
        """The text, if it is such a name. Raises NameUnusable."""
        if re.fullmatch(self.pattern, text) is None:
            raise NameUnusable(f"{quote(text)}; {self.right}")
        if text.lower() in self.taken:
            raise NameUnusable(f"{quote(text)}; {TAKEN}")
        return text

    def find_mistake(self, key: str, text: str) -> list[str]:
        """What is wrong with the text, its key first; nothing if it is such a name."""
        return find_mistake(key, self.read, text)


TAKEN = "the databases of the house keep this name to themselves: choose another one"

GROUPS = frozenset(
    {
        *("link_owner", "link_member", "link_operator", "link_reader"),
        *("link_cash_desk", "link_poker_table"),
        *("witness_owner", "witness_table", "witness_reader"),
        *("public", "postgres", "none"),
    }
)
"""A role of such a name would be a group of tables or people, the server's own, or everybody."""

TABLE_NAME = NameForm(
    r"(?!pg_)(?=.{1,63}\Z)[A-Za-z0-9]+([ ._-][A-Za-z0-9]+)*",
    "letters a to z and A to Z, digits, and between two of them a blank, -, _ or .; at most 63",
    GROUPS,
)
"""A table's, and of every role in the house's databases: PostgreSQL cuts a name after 63 bytes.

ASCII, because a certificate's CN holds it, too; no blank that cannot be seen. PostgreSQL keeps
what begins with `pg_` to itself.
"""

JACKPOT_NAME = NameForm("[a-z0-9-]{1,40}", "up to 40 of a-z, 0-9 and -")
"""A linked jackpot's; the centre's schema has the same."""

TOURNAMENT_NAME = NameForm("[A-Za-z0-9.-]{1,40}", "up to 40 of A-Z, a-z, 0-9, . and -")
"""A tournament's, and a ticket's; the centre's schema has the same."""
