"""What every section of a configuration file is, and how a text in it is tried."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec


class ConfigurationSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the file; an unknown key is an error."""


@dataclass(frozen=True, slots=True)
class Within:
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
