"""What every section of a configuration file is, and the form of names and texts in it."""

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from jackpot.foreign_text import quote


class ConfigurationSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the file; an unknown key is an error."""


class Within(msgspec.Struct, frozen=True):
    """The range of a number, declared with its field: `Annotated[int, Within(0, 20)]`."""

    least: int
    most: int


def find_range_mistakes(section: ConfigurationSection, name: str = "") -> Iterator[str]:
    """Every number outside its range, its key first; `name`: the section's, "" for the file."""
    for field, of in get_type_hints(type(section), include_extras=True).items():
        key, value = f"{name}.{field}" if name else field, getattr(section, field)
        if isinstance(value, ConfigurationSection):
            yield from find_range_mistakes(value, key)
        for limits in _ranges_of(of):
            if value is not None and not limits.least <= value <= limits.most:
                yield f"{key}: {value}; it must be {limits.least} to {limits.most}"


def _ranges_of(of: Any) -> Iterator[Within]:
    if get_origin(of) is Annotated:
        yield from (extra for extra in of.__metadata__ if isinstance(extra, Within))


def find_type(section: type[ConfigurationSection], key: str) -> type | None:
    """The class of a key's value, such as `rail.kind`; "" is the section. None: no such class."""
    name, _, below = key.partition(".")
    if not name:
        return section
    for of in _classes_of(get_type_hints(section).get(name)):
        if not below:
            return of
        if issubclass(of, ConfigurationSection):
            return find_type(of, below)
    return None


def _classes_of(of: Any) -> Iterator[type]:
    """The classes that a field may have, without None."""
    for one in get_args(of) or (of,):
        if isinstance(one, type) and one is not type(None):
            yield one


def find_mistake(key: str, parse: Callable[[str], object], text: str) -> list[str]:
    """What is wrong with a text, its key first; nothing if it can be parsed."""
    try:
        parse(text)
    except ValueError as error:
        return [f"{key}: {error}"]
    return []


class NameForm(NamedTuple):
    """`pattern`: the whole name; `right`: the same in words; `taken`: in small letters."""

    pattern: str
    right: str
    taken: frozenset[str] = frozenset()
    """Names that a database of the house has for something else."""

    def read(self, text: str) -> str:
        """The text, if it is such a name. Raises ValueError."""
        if re.fullmatch(self.pattern, text) is None:
            raise ValueError(f"{quote(text)}; {self.right}")
        if text.lower() in self.taken:
            raise ValueError(f"{quote(text)}; {TAKEN}")
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
