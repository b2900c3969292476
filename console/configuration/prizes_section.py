"""The prize file that `[game] prizes` names, beside the table's file (docs/reference/prizes.md)."""

from pathlib import Path
from typing import Any

import msgspec

from console.configuration.named_files import FileUnusable, read_file
from console.configuration.section import ConfigurationSection
from jackpot.failures import Refused
from jackpot.foreign_text import quote
from jackpot.money.prize_file import PrizesUnusable, parse_prizes
from jackpot.money.prizes import PrizeTable

LONGEST_FILE = 64 * 1024
GAME_KEYS = ("name", "prizes")
PRIZES = "prizes"
"""The section that no file has: its [game] names a prize file instead."""


class PrizesSection(ConfigurationSection, frozen=True):
    """What `[game] prizes` names: the file as it is called there, and the prizes in it."""

    file: str
    table: PrizeTable


class GameErrors(Refused):
    """A section [game] that cannot be used; each mistake begins with its key."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


def with_prizes(table: Path, content: dict[str, Any]) -> dict[str, Any]:
    """The table's content, with what its prize file holds in place of the section [game].

    `game = "caribbean-stud"` is short for `[game] name = "caribbean-stud"`. A relative name is one
    in the folder of the table's file. Raises GameErrors.
    """
    if PRIZES in content:
        raise GameErrors(["prizes: unknown key; name the file in [game], with name and prizes"])
    game = content.get("game")
    if not isinstance(game, dict):
        return content
    unknown = sorted(game.keys() - set(GAME_KEYS))
    if unknown:
        raise GameErrors([f"game.{key}: unknown key; there are name and prizes" for key in unknown])
    if "name" not in game:
        raise GameErrors(['game.name: is missing: name the game, such as "caribbean-stud"'])
    named = {**content, "game": game["name"]}
    if "prizes" in game:
        named[PRIZES] = _read_named(table, game["prizes"])
    return named


def read_prizes(file: Path) -> PrizeTable:
    """The prizes in a file. Raises PrizesUnusable: each mistake names the file and its line."""
    try:
        text = read_file(file, LONGEST_FILE)
    except FileUnusable as error:
        raise PrizesUnusable([f"{file}: {error}"]) from error
    return parse_prizes(text, str(file))


def _read_named(table: Path, file: object) -> dict[str, Any]:
    if not isinstance(file, str) or not file:
        raise GameErrors([f'game.prizes: {quote(str(file))}: name its file, such as "prizes.toml"'])
    try:
        prizes = read_prizes(table.parent / file)
    except PrizesUnusable as error:
        raise GameErrors([f"game.prizes: {mistake}" for mistake in error.mistakes]) from error
    return {"file": file, "table": msgspec.to_builtins(prizes)}
