"""A poker table's settings in a scenario (docs/poker-rules.md, section 21)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from console.rules.poker.clock import Blinds, Step
from console.rules.poker.houses import Form, PokerHouse, TimeAllowed
from console.rules.poker.settings import CHIPS, PokerSettings
from console.rules.typed.durations import parse_duration
from console.rules.typed.lines import LineError, number_in, one_of
from jackpot.amounts import parse_cents, parse_percent
from jackpot.rake import parse_cap

MOST_BLIND = 9_999_999
MOST_SECONDS = 600
_BLINDS = re.compile(r"([0-9]{1,7})/([0-9]{1,7})(?:/([0-9]{1,7}))?")
_TIME = re.compile(r"([0-9]{1,3})(?:\+([0-9]{1,3}))?")


def parse_blinds(text: str) -> Blinds:
    """Read `5/10` or `200/400/50`. Raises LineError."""
    found = _BLINDS.fullmatch(text)
    if found is None or not 0 < int(found[1]) <= int(found[2]):
        raise LineError(f"{text!r}: write blinds as 200/400, or with an ante as 200/400/50")
    return Blinds(int(found[1]), int(found[2]), int(found[3] or 0))


def _parse_time(words: list[str]) -> TimeAllowed:
    found = _TIME.fullmatch(" ".join(words))
    if found is None or not 0 < int(found[1]) + int(found[2] or 0) <= MOST_SECONDS:
        raise LineError(f"write 'set time 25+5' or 'set time 60', at most {MOST_SECONDS} s")
    return TimeAllowed(int(found[1]), int(found[2] or 0))


def _parse_level(words: list[str]) -> Step:
    match words:
        case [duration, blinds]:
            return Step(parse_duration(duration), parse_blinds(blinds))
    raise LineError("write 'set level 10m 100/200' or 'set level 10m 100/200/50'")


def _parse_break(words: list[str]) -> Step:
    match words:
        case [duration]:
            return Step(parse_duration(duration))
    raise LineError("write 'set break 5m'")


def _parse_shuffler(words: list[str]) -> bool:
    if words == ["deck"]:
        raise LineError("there is no deck shuffler yet: shuffling is by hand, 'set shuffler none'")
    return one_of(words, {"none": False}, "the shuffler")


def _parse_chips(words: list[str]) -> tuple[int, ...]:
    if len(words) != CHIPS:
        raise LineError(f"write the values of the {CHIPS} chips: 'set chips 500 100 25 5 1'")
    return tuple(parse_cents(word) for word in words)


def _one(parse: Callable[[str], object]) -> Callable[[list[str]], object]:
    def parse_word(words: list[str]) -> object:
        if len(words) != 1:
            raise LineError("write one value")
        return parse(words[0])

    return parse_word


def _choice(choices: Mapping[str, object], what: str) -> Callable[[list[str]], object]:
    return lambda words: one_of(words, choices, what)


STEPS = "steps"
SETTINGS: Mapping[str, tuple[str, Callable[[list[str]], Any]]] = {
    "form": ("form", _choice({form.value: form for form in Form}, "the form")),
    "house": ("house", _choice({house.value: house for house in PokerHouse}, "a house")),
    "players": ("players", lambda words: number_in(words, "write 'set players N'")),
    "hole": ("hole", _choice({"2": 2, "4": 4}, "hole")),
    "shuffler": ("deck_shuffler", _parse_shuffler),
    "blinds": ("blinds", _one(parse_blinds)),
    "time": ("time", _parse_time),
    "level": (STEPS, _parse_level),
    "break": (STEPS, _parse_break),
    "late-registration": (
        "late_registration",
        lambda words: number_in(words, "write 'set late-registration LEVEL'"),
    ),
    "rake-rate": ("rate", _one(parse_percent)),
    "rake-fixed": ("fixed", _one(parse_cents)),
    "rake-cap": ("cap", lambda words: parse_cap(" ".join(words))),
    "chips": ("chips", _parse_chips),
}
"""The field that each one sets, and what reads its words."""


def make_poker(wanted: list[tuple[str, Any]]) -> PokerSettings:
    """The settings that these fields describe. Raises ValueError for what does not fit together."""
    fields = {name: value for name, value in wanted if name != STEPS}
    steps = tuple(value for name, value in wanted if name == STEPS)
    return PokerSettings(**fields, steps=steps)
