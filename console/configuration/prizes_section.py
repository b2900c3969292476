"""The prize file that `[game] prizes` names, beside the table's file (docs/reference/prizes.md)."""

from pathlib import Path
from typing import Any

import msgspec

from console.configuration.named_files import FileUnusable, read_file
from console.configuration.section import ConfigurationSection
from console.texts.file_texts import (
    MISTAKES,
    NAMED_ELSEWHERE,
    NO_FILE,
    NO_GAME,
    PLACED,
    word_mistake,
)
from jackpot.foreign_text import quote
from jackpot.money.prize_file import MistakeKind, PrizesUnusable, parse_prizes
from jackpot.money.prizes import PrizeTable

LONGEST_FILE = 64 * 1024
GAME_KEYS = ("name", "prizes")
PRIZES = "prizes"
"""The section that no file has: its [game] names a prize file instead."""


class PrizesSection(ConfigurationSection, frozen=True):
    """What `[game] prizes` names: the file as it is called there, and the prizes in it."""

    file: str
    table: PrizeTable


def with_prizes(table: Path, content: dict[str, Any]) -> dict[str, Any]:
    """The table's content, with what its prize file holds in place of the section [game].

    `game = "caribbean-stud"` is short for `[game] name = "caribbean-stud"`. A relative name is one
    in the folder of the table's file. Raises FileUnusable.
    """
    if PRIZES in content:
        raise FileUnusable(PLACED.fill(PRIZES, NAMED_ELSEWHERE.fill("[game]")))
    game = content.get("game")
    if not isinstance(game, dict):
        return content
    unknown = sorted(game.keys() - set(GAME_KEYS))
    if unknown:
        known = MISTAKES[MistakeKind.UNKNOWN_KEY].fill(", ".join(GAME_KEYS))
        raise FileUnusable(*(PLACED.fill(f"game.{key}", known) for key in unknown))
    if "name" not in game:
        raise FileUnusable(PLACED.fill("game.name", NO_GAME.fill('"caribbean-stud"')))
    named = {**content, "game": game["name"]}
    if "prizes" in game:
        named[PRIZES] = _read_named(table, game["prizes"])
    return named


def read_prizes(file: Path) -> PrizeTable:
    """The prizes in a file. Raises FileUnusable: each mistake names the file and its line."""
    return _read_file(file, str(file))


def _read_named(table: Path, file: object) -> dict[str, Any]:
    if not isinstance(file, str) or not file:
        what = NO_FILE.fill(quote(str(file)), '"prizes.toml"')
        raise FileUnusable(PLACED.fill("game.prizes", what))
    beside = table.parent / file
    prizes = _read_file(beside, f"game.prizes: {beside}")
    return {"file": file, "table": msgspec.to_builtins(prizes)}


def _read_file(file: Path, name: str) -> PrizeTable:
    try:
        return parse_prizes(read_file(file, LONGEST_FILE), name)
    except FileUnusable as error:
        raise FileUnusable(*(PLACED.fill(name, one) for one in error.mistakes)) from error
    except PrizesUnusable as error:
        raise FileUnusable(*map(word_mistake, error.mistakes)) from error
