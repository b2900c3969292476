"""A scenario file: settings, then acts and expectations, one a line (docs/reference/scenarios.md).

A text becomes statements, or errors that name their lines. Nothing is played here.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import UNSET, Struct

from console.configuration.named_files import FileUnusable
from console.configuration.prizes_section import read_prizes
from console.configuration.table_plan import TablePlan
from console.rules.games import GAMES, GameKind, RailKind
from console.rules.link import Tie
from console.rules.linked_prizes import find_unlinked_envy
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.rules.typed import (
    LineError,
    number_in,
    one_of,
    parse_blinds,
    parse_break,
    parse_chips,
    parse_level,
    parse_time_allowed,
    words_of,
)
from console.simulation.scenario.acts import CabinetAct, Vocabulary, parse_act
from console.simulation.scenario.expectations import Expectation, parse_expectation
from console.texts.file_texts import word_unlinked_envy
from console.texts.language import Language
from devices.panel_wiring import DoorWiring, PanelWiring
from jackpot.failures import Refused
from jackpot.money.amounts import format_cents, parse_cents, parse_percent
from jackpot.money.prizes import PrizeTable, find_above_limit
from jackpot.money.rake import parse_cap
from jackpot.money.settings import MoneySettings

STEPS = "steps"
PRIZES = "prizes"

LINE_END = re.compile("\r\n|\r|\n")
"""Line ends as editors count them: a form feed is not one."""

MONEY_FIELDS = {
    "token": "token",
    "jackpot": "opening",
    "base": "base",
    "to-jackpot": "to_jackpot",
    "to-reserve": "to_reserve",
}


def _one(parse: Callable[[str], object]) -> Callable[[list[str]], object]:
    def parse_word(words: list[str]) -> object:
        if len(words) != 1:
            raise LineError("write one value")
        return parse(words[0])

    return parse_word


def _choice(choices: Mapping[str, object], what: str) -> Callable[[list[str]], object]:
    return lambda words: one_of(words, choices, what)


POKER_SETTINGS: Mapping[str, tuple[str, Callable[[list[str]], Any]]] = {
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


class Statement(Struct, frozen=True):
    """One line of a scenario: an act or an expectation. `text`: the line without its comment."""

    line: int
    text: str
    does: CabinetAct | Expectation


class Scenario(Struct, frozen=True):
    """A file ready to be played."""

    name: str
    plan: TablePlan
    statements: tuple[Statement, ...]
    tie: Tie = Tie.SPLIT
    """Of the linked jackpot (docs/reference/link-rules.md, section 3.6)."""


def parse_scenario(text: str, name: str) -> Scenario:
    """Parse a whole file. Raises Refused, with its name and number for every wrong line."""
    wanted: dict[str, Any] = {}
    poker: list[tuple[str, Any]] = []
    statements: list[Statement] = []
    errors: list[str] = []
    lines = [*_lines(text)]
    set_lines = [*takewhile(lambda line: words_of(line[1])[0] == "set", lines)]
    for number, line in set_lines:
        try:
            _add_setting(line, Path(name).parent, wanted, poker)
        except ValueError as error:
            errors.append(f"{name}:{number}: {error}")
    try:
        plan = _plan(wanted, poker)
    except ValueError as error:
        last = set_lines[-1][0] if set_lines else 1
        raise Refused("\n".join([*errors, f"{name}:{last}: {error}"])) from error
    vocabulary = vocabulary_of(plan)
    for number, line in lines[len(set_lines) :]:
        try:
            statements.append(Statement(number, line, parse_line(line, vocabulary)))
        except ValueError as error:
            errors.append(f"{name}:{number}: {error}")
    if errors:
        raise Refused("\n".join(errors))
    return Scenario(name, plan, tuple(statements), wanted.get("tie", Tie.SPLIT))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(LINE_END.split(text), 1):
        line = raw.partition("#")[0].strip()
        if line:
            yield number, line


def parse_line(line: str, vocabulary: Vocabulary) -> CabinetAct | Expectation:
    """Parse one act or expectation. Raises LineError."""
    words = words_of(line)
    if words[:1] == ["expect"]:
        return parse_expectation(line, vocabulary)
    return parse_act(words, vocabulary)


def vocabulary_of(plan: TablePlan) -> Vocabulary:
    """The words of a table."""
    poker = plan.poker if isinstance(plan.poker, PokerSettings) else None
    prizes = plan.prizes if isinstance(plan.prizes, PrizeTable) else None
    return Vocabulary.of(
        plan.game, linked=bool(plan.link), poker=poker, prizes=prizes, doors=plan.doors is not None
    )


def _add_setting(
    line: str, folder: Path, wanted: dict[str, Any], poker: list[tuple[str, Any]]
) -> None:
    """Add what `set NAME VALUE` sets, of a poker table or of any. Raises ValueError."""
    words = words_of(line)[1:]
    name, values = (words[0] if words else ""), words[1:]
    if name == PRIZES:
        wanted[PRIZES] = _read_prizes(line, folder)
    elif name in POKER_SETTINGS and values:
        field, parse = POKER_SETTINGS[name]
        poker.append((field, parse(values)))
    else:
        wanted.update([_parse_setting(words)])


def _read_prizes(line: str, folder: Path) -> tuple[str, PrizeTable]:
    """The prize file of `set prizes FILE`, beside the scenario. Raises LineError."""
    _, _, *files = line.split()
    if len(files) != 1:
        raise LineError("write 'set prizes FILE', such as prizes.toml beside the scenario")
    try:
        return files[0], read_prizes(folder / files[0])
    except FileUnusable as error:
        raise LineError(str(error)) from error


def _parse_setting(words: list[str]) -> tuple[str, Any]:
    match words:
        case [name, value] if name in SETTINGS:
            return name, SETTINGS[name](value)
        case _:
            known = ", ".join([*SETTINGS, PRIZES, *POKER_SETTINGS])
            raise LineError(f"write 'set NAME VALUE'; the names are {known}")


def _plan(wanted: Mapping[str, Any], poker: list[tuple[str, Any]]) -> TablePlan:
    """The table that all settings together describe. Raises ValueError."""
    game = GAMES[wanted.get("game", "caribbean-stud")]
    if poker and game.kind is not GameKind.POKER:
        raise LineError(f"{game.name} is no poker table: write 'set game texas-holdem'")
    rail = wanted.get("rail", game.rail)
    if rail is not None and not game.progressive:
        raise LineError(f"{game.name} has no rail")
    link = wanted.get("link", "")
    if link and not game.progressive:
        raise LineError(f"{game.name} has no jackpot to be linked")
    doors = wanted.get("doors")
    if doors is not None and doors.latch is not None and "inspector" in wanted:
        raise LineError("the latch has the line of the inspector's contact: leave one out")
    if "tie" in wanted and not link:
        raise LineError("only a linked jackpot has a tie: write 'set link NAME', too")
    prizes_file, prizes = wanted.get(PRIZES, ("", UNSET))
    if prizes_file and not game.progressive:
        raise LineError(f"{game.name} has no progressive to have prizes")
    money = {field: wanted[name] for name, field in MONEY_FIELDS.items() if name in wanted}
    settings = MoneySettings(**money)
    if isinstance(prizes, PrizeTable):
        for key, amount, limit in find_above_limit(prizes, settings):
            above = f"{format_cents(amount)}; it must be at most {format_cents(limit)}"
            raise LineError(f"{key}: {above}")
        for name in find_unlinked_envy(prizes) if link else ():
            raise LineError(word_unlinked_envy(prizes_file, name).en)
    return TablePlan(
        game=game.name,
        money=settings,
        rail=rail,
        inspector_fitted=wanted.get("inspector", False),
        doors=doors,
        language=wanted.get("language", Language.IT),
        link=link,
        poker=make_poker(poker) if game.kind is GameKind.POKER else UNSET,
        prizes=prizes,
        prizes_file=prizes_file,
    )


def _choice_of(choices: Mapping[str, object], what: str) -> Callable[[str], object]:
    return lambda value: one_of([value], choices, what)


DOORS: Mapping[str, object] = {
    "fitted": DoorWiring(),
    "latched": DoorWiring(latch=PanelWiring().inspector),
    "absent": None,
}


def _name(value: str) -> str:
    if re.fullmatch("[a-z0-9][a-z0-9-]{0,31}", value) is None:
        raise LineError("a name has 1 to 32 letters, digits and hyphens, and begins with no hyphen")
    return value


SETTINGS: Mapping[str, Callable[[str], object]] = {
    "game": _choice_of({name: name for name in GAMES}, "a game"),
    "token": parse_cents,
    "jackpot": parse_cents,
    "base": parse_cents,
    "to-jackpot": parse_percent,
    "to-reserve": parse_percent,
    "rail": _choice_of({kind.value: kind for kind in RailKind}, "a rail"),
    "doors": _choice_of(DOORS, "the doors' contacts"),
    "inspector": _choice_of({"fitted": True, "absent": False}, "the inspector's contact"),
    "link": _name,
    "tie": _choice_of({tie.value: tie for tie in Tie}, "the tie"),
    "language": _choice_of({language.value: language for language in Language}, "a language"),
}
