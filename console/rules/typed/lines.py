"""The words of a scenario's lines, errors in them, and durations as they are typed."""

import re
from collections.abc import Mapping
from typing import TypeVar

from devices.roles import SEATS
from jackpot.foreign_text import quote

Choice = TypeVar("Choice")

MOST = 999_999_999

FLOOR_MANAGER, CASHIER = "capotavolo", "cassa"
"""The names on record for a scenario's declarations and clearings."""

UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
LONGEST_MS = 24 * UNITS_MS["h"]
_DURATION = re.compile("([0-9]{1,9})(ms|s|m|h)")


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


def seats_of(words: list[str]) -> tuple[int, ...]:
    """Parse seats: numbers from 1 to 7, or `none`. Raises LineError."""
    if words == ["none"]:
        return ()
    numbers = {str(seat): seat for seat in SEATS}
    if not words or any(word not in numbers for word in words):
        raise LineError(f"seats are numbers from 1 to 7, or none; not {quote(' '.join(words))}")
    return tuple(numbers[word] for word in words)


def parse_duration(text: str) -> int:
    """Read a duration in milliseconds, at most 24 h. Raises LineError."""
    found = _DURATION.fullmatch(text)
    if found is None:
        raise LineError(f"{quote(text)} is no duration such as 300ms, 2s, 5m or 1h")
    ms = int(found[1]) * UNITS_MS[found[2]]
    if ms > LONGEST_MS:
        raise LineError(f"{quote(text)}: at most 24h")
    return ms
