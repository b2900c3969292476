"""[poker]: a poker table's settings (docs/reference/poker-rules.md, section 21).

A tournament's structure is a file of its own (section 16).
"""

import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from console.configuration.named_files import FileUnusable, parse_toml, read_file
from console.configuration.section import ConfigurationSection
from console.rules.poker_clock import Steps
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.rules.typed import (
    LineError,
    parse_blinds,
    parse_break,
    parse_chips,
    parse_level,
    parse_time_allowed,
)
from jackpot.foreign_text import quote
from jackpot.money.amounts import parse_cents, parse_percent
from jackpot.money.rake import parse_cap
from jackpot.value_mistakes import locate_mistake

Value = TypeVar("Value")


PARSERS = {"level": parse_level, "break": parse_break}


class PokerShuffler(Enum):
    """What shuffles the decks: hands, or a machine that gives out a whole deck."""

    NONE = "none"
    DECK = "deck"


class Structure(ConfigurationSection, frozen=True):
    """A tournament's levels and breaks, read from their file.

    `steps` in a scenario's words: `level 10m 100/200/50`, `break 5m`.
    """

    file: str
    late_registration: int
    steps: tuple[str, ...]

    def parse(self) -> Steps:
        """Its steps."""
        return tuple(PARSERS[kind](words) for kind, *words in map(str.split, self.steps))


class PokerSection(ConfigurationSection, frozen=True):
    """[poker]: whose rules are played, and what the house sets; all of it may be left out.

    The time of a call, and the rake's rate, fixed part and cap, are the house's where they are
    left out. `chips` in EUR: whole ones as numbers, others as text. `structure`: the name of its
    file, which reading the configuration replaces by what the file holds.
    """

    form: Form = Form.CASH
    house: PokerHouse = PokerHouse.SANREMO
    players: int = 9
    hole: int = 2
    shuffler: PokerShuffler = PokerShuffler.NONE
    blinds: str = "5/10"
    time: str | None = None
    rake_rate: str | None = None
    rake_fixed: str | None = None
    rake_cap: str | None = None
    chips: tuple[int | str, ...] = (500, 100, 25, 5, 1)
    structure: Structure | None = None

    def settings(self) -> PokerSettings:
        """The settings that go on record. Raises ValueError that begins with the key."""
        structure = self.structure
        return PokerSettings(
            house=self.house,
            form=self.form,
            players=self.players,
            hole=self.hole,
            deck_shuffler=self.shuffler is PokerShuffler.DECK,
            blinds=_parse("blinds", parse_blinds, self.blinds),
            steps=structure.parse() if structure is not None else (),
            late_registration=structure.late_registration if structure is not None else 0,
            time=_parse_set("time", parse_time_allowed, self.time),
            chips=_parse("chips", parse_chips, [str(chip) for chip in self.chips]),
            rate=_parse_set("rake_rate", parse_percent, self.rake_rate),
            fixed=_parse_set("rake_fixed", parse_cents, self.rake_fixed),
            cap=_parse_set("rake_cap", parse_cap, self.rake_cap),
        )


def _parse_set(key: str, parse: Callable[[str], Value], text: str | None) -> Value | None:
    return None if text is None else _parse(key, parse, text)


Text = TypeVar("Text")


def _parse(key: str, parse: Callable[[Text], Value], text: Text) -> Value:
    try:
        return parse(text)
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error


LONGEST_FILE = 64 * 1024
LONGEST_MINUTES = 24 * 60
MOST_ANTE = 9_999_999
RIGHT = 'a level: minutes = 10, blinds = "100/200", perhaps ante = 50; or a break: break = 5'


class _Step(ConfigurationSection, frozen=True):
    """[[step]]: a level, or a break; both in minutes."""

    minutes: int | None = None
    blinds: str | None = None
    ante: int | None = None
    pause: int | None = msgspec.field(default=None, name="break")


class _File(ConfigurationSection, frozen=True):
    step: tuple[_Step, ...]
    late_registration: int = 0


def with_structure(table: Path, content: dict[str, Any]) -> dict[str, Any]:
    """The table's content, with what its structure file holds in place of the file's name.

    A relative name is one in the folder of the table's file. Raises FileUnusable.
    """
    poker = content.get("poker")
    if not isinstance(poker, dict) or "structure" not in poker:
        return content
    return {**content, "poker": _with_named(table, poker, "poker.structure")}


def with_clock_structures(room: Path, content: dict[str, Any]) -> dict[str, Any]:
    """The same of a room's content, for each of its clocks. Raises FileUnusable."""
    clocks = content.get("clocks")
    if not isinstance(clocks, list):
        return content
    return {
        **content,
        "clocks": [
            _with_named(room, clock, f"clocks[{place}].structure")
            if isinstance(clock, dict) and "structure" in clock
            else clock
            for place, clock in enumerate(clocks)
        ],
    }


def _with_named(file: Path, section: dict[str, Any], key: str) -> dict[str, Any]:
    """The section with what its structure's file holds in place of the file's name."""
    named = section["structure"]
    if not isinstance(named, str) or not named:
        raise FileUnusable(f'{key}: name its file, such as "structure.toml"')
    return {**section, "structure": {"file": named, **_read_structure(file.parent / named, key)}}


def _read_structure(file: Path, key: str) -> dict[str, Any]:
    try:
        content = parse_toml(read_file(file, LONGEST_FILE))
        structure = msgspec.convert(content, _File)
    except FileUnusable as error:
        raise FileUnusable(f"{key}: {file}: {error}") from error
    except msgspec.ValidationError as error:
        raise FileUnusable(f"{key}: {file}: {_explain_error(error)}") from error
    mistakes = [
        f"{key}: {file}: step {number}: {mistake}"
        for number, step in enumerate(structure.step, 1)
        for mistake in _step_mistakes(step)
    ]
    mistakes += [f"{key}: {file}: {mistake}" for mistake in _file_mistakes(structure)]
    if mistakes:
        raise FileUnusable(*mistakes)
    return {
        "late_registration": structure.late_registration,
        "steps": [_write_step(step) for step in structure.step],
    }


def _explain_error(error: msgspec.ValidationError) -> str:
    """msgspec's message, with the step's number and what would be right."""
    key, what = locate_mistake(error)
    in_step = re.fullmatch(r"step\[(\d+)\]\.?(.*)", key)
    if in_step is not None:
        place = f"step {int(in_step[1]) + 1}{': ' if in_step[2] else ''}{in_step[2]}"
        return f"{place}: {what}; a step is {RIGHT}"
    return f"{key or 'the file'}: {what}; its keys are late_registration and [[step]]"


def _step_mistakes(step: _Step) -> list[str]:
    if step.pause is not None:
        if (step.minutes, step.blinds, step.ante) != (None, None, None):
            return [f"a step is {RIGHT}; this is both"]
        return _minutes_mistakes("break", step.pause)
    if step.minutes is None or step.blinds is None:
        return [f"a step is {RIGHT}"]
    mistakes = _minutes_mistakes("minutes", step.minutes)
    try:
        if parse_blinds(step.blinds).ante:
            mistakes.append(f"blinds: {quote(step.blinds)}; write the ante as ante = 50")
    except LineError:
        mistakes.append(f"blinds: {quote(step.blinds)}; write them as 100/200, the small one first")
    if step.ante is not None and not 0 <= step.ante <= MOST_ANTE:
        mistakes.append(f"ante: {step.ante}; it must be 0 to {MOST_ANTE}")
    return mistakes


def _minutes_mistakes(key: str, minutes: int) -> list[str]:
    if 1 <= minutes <= LONGEST_MINUTES:
        return []
    return [f"{key}: {minutes}; it must be 1 to {LONGEST_MINUTES} minutes"]


def _file_mistakes(structure: _File) -> list[str]:
    mistakes = []
    if not structure.step or structure.step[0].pause is not None:
        mistakes.append(f"step: a tournament begins with {RIGHT.split(';', maxsplit=1)[0]}")
    if structure.late_registration < 0:
        mistakes.append(
            f"late_registration: {structure.late_registration}; it must be a level, or 0 for none"
        )
    return mistakes


def _write_step(step: _Step) -> str:
    """In a scenario's words."""
    if step.pause is not None:
        return f"break {step.pause}m"
    return f"level {step.minutes}m {step.blinds}{f'/{step.ante}' if step.ante else ''}"
