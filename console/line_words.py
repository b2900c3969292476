"""The words of a scenario's lines, and what is wrong with them."""

from collections.abc import Mapping
from typing import TypeVar

Choice = TypeVar("Choice")

FLOOR_MANAGER = "capotavolo"
"""Under this name a scenario's declarations and clearings stand on record."""


class LineError(ValueError):
    """A line that cannot be understood: what is wrong with it, and what would be right."""


def words_of(line: str) -> list[str]:
    """A line's words in lower case: names are not case-sensitive."""
    return line.lower().split()


def one_of(words: list[str], choices: Mapping[str, Choice], what: str) -> Choice:
    """The one word there is, looked up. Raises LineError naming the choices."""
    if len(words) != 1 or words[0] not in choices:
        listed = ", ".join(choices)
        raise LineError(f"{what} is one of {listed}; not {' '.join(words)!r}")
    return choices[words[0]]
