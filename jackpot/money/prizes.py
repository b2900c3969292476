"""Prize tables: the share of the jackpot for each combination.

docs/reference/rules.md, section 3.
"""

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources

from msgspec import Struct

from jackpot.foreign_text import quote
from jackpot.money.amounts import parse_percent
from jackpot.value_mistakes import describe_mistake


class Combination(StrEnum):
    """A winning combination of some game."""

    ROYAL_FLUSH = "ROYAL_FLUSH"
    STRAIGHT_FLUSH = "STRAIGHT_FLUSH"
    FOUR_OF_A_KIND = "FOUR_OF_A_KIND"
    FULL_HOUSE = "FULL_HOUSE"
    FLUSH = "FLUSH"
    DOUBLE_THREE_PLAYER = "DOUBLE_THREE_PLAYER"
    DOUBLE_THREE_DEALER = "DOUBLE_THREE_DEALER"
    THREE_OF_A_KIND = "THREE_OF_A_KIND"


class Prize(Struct, frozen=True):
    """One winner's `share` of the jackpot in basis points; `high`: the key must be at JPH."""

    combination: Combination
    share: int
    high: bool


class PrizeTable(Struct, frozen=True):
    """A game's prizes, in the order of its combination buttons from the left."""

    prizes: tuple[Prize, ...]

    def of(self, combination: Combination) -> Prize:
        """The combination's prize. Raises ValueError if this game does not have it."""
        for prize in self.prizes:
            if prize.combination is combination:
                return prize
        raise ValueError(f"{combination} wins nothing in this game")


@cache
def load_prizes(game: str) -> PrizeTable:
    """The prize table of a game such as `caribbean-stud`.

    Raises ValueError for a game without a progressive jackpot, and for an invalid table, with file
    and key.
    """
    folder = resources.files("jackpot") / "prizes"
    known = {file.name.removesuffix(".toml").replace("_", "-"): file for file in folder.iterdir()}
    if game not in known:
        raise ValueError(
            f"{quote(game)} has no progressive; those that have: {', '.join(sorted(known))}"
        )
    file = known[game]
    return parse_prizes(file.read_text(encoding="utf-8"), file.name)


def parse_prizes(text: str, name: str) -> PrizeTable:
    """Read a prize table's TOML. Raises ValueError with the file's `name` and the key."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {describe_mistake(error)}") from error
    rows = content.pop("prize", None)
    if content:
        raise ValueError(f"{name}: {next(iter(content))}: unknown key")
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{name}: prize: at least one [[prize]] is needed")
    prizes = tuple(_prize(row, f"{name}: prize {number}") for number, row in enumerate(rows, 1))
    seen = {prize.combination for prize in prizes}
    if len(seen) != len(prizes):
        raise ValueError(f"{name}: combination: one of them stands there twice")
    return PrizeTable(prizes)


def _prize(row: object, where: str) -> Prize:
    if not isinstance(row, dict) or set(row) != {"combination", "share", "key"}:
        raise ValueError(f"{where}: it needs exactly the keys combination, share and key")
    if row["combination"] not in Combination.__members__:
        raise ValueError(f"{where}: combination: {quote(row['combination'])} is not known")
    try:
        share = parse_percent(str(row["share"]))
    except ValueError as error:
        raise ValueError(f"{where}: share: {error}") from error
    if share == 0:
        raise ValueError(f"{where}: share: it must be more than 0")
    if row["key"] not in ("JPH", "JPL"):
        raise ValueError(f"{where}: key: {quote(row['key'])} is neither JPH nor JPL")
    return Prize(Combination(row["combination"]), share, row["key"] == "JPH")
