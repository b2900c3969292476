"""What every section of a configuration file is, and how a text in it is tried."""

from collections.abc import Callable

import msgspec


class ConfigurationSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the file; an unknown key is an error."""


def find_mistake(key: str, parse: Callable[[str], object], text: str) -> list[str]:
    """What is wrong with a text, its key first; nothing if it can be parsed."""
    try:
        parse(text)
    except ValueError as error:
        return [f"{key}: {error}"]
    return []
