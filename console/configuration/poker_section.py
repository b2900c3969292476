"""[poker]: a poker table's settings (docs/reference/poker-rules.md, section 21)."""

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from console.configuration.section import ConfigurationSection
from console.rules.poker_clock import Steps
from console.rules.poker_houses import Form, PokerHouse
from console.rules.poker_settings import PokerSettings
from console.rules.typed import (
    parse_blinds,
    parse_break,
    parse_chips,
    parse_level,
    parse_time_allowed,
)
from jackpot.money.amounts import parse_cents, parse_percent
from jackpot.money.rake import parse_cap

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
