"""A poker table's settings in a scenario (docs/reference/poker-rules.md, section 21)."""

from collections.abc import Callable, Mapping
from typing import Any

from console.rules.poker_houses import Form, PokerHouse
from console.rules.poker_settings import PokerSettings
from console.rules.typed.lines import LineError, number_in, one_of
from console.rules.typed.poker_values import (
    parse_blinds,
    parse_break,
    parse_chips,
    parse_level,
    parse_time_allowed,
)
from jackpot.money.amounts import parse_cents, parse_percent
from jackpot.money.rake import parse_cap


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
    "shuffler": ("deck_shuffler", _choice({"none": False, "deck": True}, "the shuffler")),
    "blinds": ("blinds", _one(parse_blinds)),
    "time": ("time", _one(parse_time_allowed)),
    "level": (STEPS, parse_level),
    "break": (STEPS, parse_break),
    "late-registration": (
        "late_registration",
        lambda words: number_in(words, "write 'set late-registration LEVEL'"),
    ),
    "rake-rate": ("rate", _one(parse_percent)),
    "rake-fixed": ("fixed", _one(parse_cents)),
    "rake-cap": ("cap", lambda words: parse_cap(" ".join(words))),
    "chips": ("chips", parse_chips),
}
"""The field that each one sets, and what reads its words."""


def make_poker(wanted: list[tuple[str, Any]]) -> PokerSettings:
    """The settings that these fields describe. Raises ValueError for what does not fit together."""
    fields = {name: value for name, value in wanted if name != STEPS}
    steps = tuple(value for name, value in wanted if name == STEPS)
    return PokerSettings(**fields, steps=steps)
