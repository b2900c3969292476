"""The words of a scenario's lines, and errors in them."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from jackpot.foreign_text import quote

Choice = TypeVar("Choice")
Declared = TypeVar("Declared")

MOST = 999_999_999

FLOOR_MANAGER, CASHIER = "capotavolo", "cassa"
"""The names on record for a scenario's declarations and clearings."""


class LineError(ValueError):
    """A line that cannot be understood; the text says what is wrong and what would be right."""


def words_of(line: str) -> list[str]:
    """A line's words in lower case: names are not case-sensitive."""
    return line.lower().split()


def number_in(words: list[str], right: str, *, most: int = MOST) -> int:
    """The only word, as a whole number in digits 0 to 9.

    Raises LineError; `right`: what would be right.
    """
    (word,) = words if len(words) == 1 else ("",)
    if re.fullmatch("[0-9]{1,9}", word) is None or int(word) > most:
        raise LineError(right)
    return int(word)


def one_of(words: list[str], choices: Mapping[str, Choice], what: str) -> Choice:
    """The only word, looked up in the choices. Raises LineError with the choices."""
    if len(words) != 1 or words[0] not in choices:
        listed = ", ".join(choices)
        raise LineError(f"{what} is one of {listed}; not {quote(' '.join(words))}")
    return choices[words[0]]


def parse_alone(
    name: str, declaration: Callable[[str], Declared]
) -> Callable[[list[str], str], Declared]:
    """What reads a declaration that takes no words; it gets who declares. Raises LineError."""

    def parse(words: list[str], who: str) -> Declared:
        if words:
            raise LineError(f"write 'declare {name}' alone")
        return declaration(who)

    return parse
