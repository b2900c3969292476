"""A poker table's settings as people type them.

docs/reference/poker-rules.md, sections 16 and 21.
"""

import re

from console.rules.poker_clock import Blinds, Step
from console.rules.poker_houses import TimeAllowed
from console.rules.poker_settings import CHIPS
from console.rules.typed.lines import LineError, parse_duration
from jackpot.foreign_text import quote
from jackpot.money.amounts import Cents, parse_cents

MOST_SECONDS = 600
_BLINDS = re.compile(r"([0-9]{1,7})/([0-9]{1,7})(?:/([0-9]{1,7}))?")
_TIME = re.compile(r"([0-9]{1,3})(?:\+([0-9]{1,3}))?")


def parse_blinds(text: str) -> Blinds:
    """Read `5/10` or `200/400/50`. Raises LineError."""
    found = _BLINDS.fullmatch(text)
    if found is None or not 0 < int(found[1]) <= int(found[2]):
        raise LineError(f"{quote(text)}: write blinds as 200/400, or with an ante as 200/400/50")
    return Blinds(int(found[1]), int(found[2]), int(found[3] or 0))


def parse_time_allowed(text: str) -> TimeAllowed:
    """Read the time of a call: `25+5` or `60`, in seconds. Raises LineError."""
    found = _TIME.fullmatch(text)
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
