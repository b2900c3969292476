"""Words that people type: numbers, choices, durations, the floor manager's poker values.

For the scenario language (console/simulation/scenario), `banco declare` and the
technician's line.
"""

import re
from collections.abc import Mapping
from typing import TypeVar

from console.rules.poker_clock import Blinds, Step
from console.rules.poker_settings import CHIPS, TimeAllowed
from devices.roles import SEATS
from jackpot.foreign_text import quote
from jackpot.money.amounts import Cents, parse_cents

Choice = TypeVar("Choice")

MOST = 999_999_999

UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
LONGEST_MS = 24 * UNITS_MS["h"]
_DURATION = "([0-9]{1,9})(ms|s|m|h)"
_CLOCK = "([0-9]{1,4})(?::([0-5][0-9]))?"

MOST_SECONDS = 600
_BLINDS = r"([0-9]{1,7})/([0-9]{1,7})(?:/([0-9]{1,7}))?"
_TIME = r"([0-9]{1,3})(?:\+([0-9]{1,3}))?"


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
    found = re.fullmatch(_DURATION, text)
    if found is None:
        raise LineError(f"{quote(text)} is no duration such as 300ms, 2s, 5m or 1h")
    ms = int(found[1]) * UNITS_MS[found[2]]
    if ms > LONGEST_MS:
        raise LineError(f"{quote(text)}: at most 24h")
    return ms


def parse_clock_time(text: str) -> int:
    """Read a tournament clock's time in milliseconds, at most 24 h: `7:30`, `7` minutes, or `7m`.

    Raises LineError.
    """
    found = re.fullmatch(_CLOCK, text)
    if found is None and re.fullmatch(_DURATION, text) is None:
        raise LineError(f"{quote(text)} is no time such as 7:30, 7m or 90s")
    if found is None:
        return parse_duration(text)
    ms = int(found[1]) * UNITS_MS["m"] + int(found[2] or 0) * UNITS_MS["s"]
    if ms > LONGEST_MS:
        raise LineError(f"{quote(text)}: at most 24h")
    return ms


def parse_blinds(text: str) -> Blinds:
    """Read `5/10` or `200/400/50`. Raises LineError."""
    found = re.fullmatch(_BLINDS, text)
    if found is None or not 0 < int(found[1]) <= int(found[2]):
        raise LineError(f"{quote(text)}: write blinds as 200/400, or with an ante as 200/400/50")
    return Blinds(int(found[1]), int(found[2]), int(found[3] or 0))


def parse_time_allowed(text: str) -> TimeAllowed:
    """Read the time of a call: `25+5` or `60`, in seconds. Raises LineError."""
    found = re.fullmatch(_TIME, text)
    if found is None or not 0 < int(found[1]) + int(found[2] or 0) <= MOST_SECONDS:
        raise LineError(f"{quote(text)}: write 25+5 or 60, together at most {MOST_SECONDS} s")
    return TimeAllowed(int(found[1]), int(found[2] or 0))


def parse_level(words: list[str]) -> Step:
    """Read `10m 100/200/50`. Raises LineError."""
    match words:
        case [duration, blinds]:
            return Step(parse_duration(duration), parse_blinds(blinds))
    raise LineError("write a level as 10m 100/200 or 10m 100/200/50")


def parse_break(words: list[str]) -> Step:
    """Read `5m`. Raises LineError."""
    match words:
        case [duration]:
            return Step(parse_duration(duration))
    raise LineError("write a break as 5m")


def parse_chips(words: list[str]) -> tuple[Cents, ...]:
    """Read the values of the five buttons' chips: `500 100 25 5 1`, in EUR. Raises LineError."""
    if len(words) != CHIPS:
        raise LineError(f"write the values of the {CHIPS} chips, such as 500 100 25 5 1")
    return tuple(parse_cents(word) for word in words)
