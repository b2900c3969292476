"""Prize files: a table's prizes as a house writes them (docs/reference/prizes.md, section 1)."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from jackpot.failures import Refused
from jackpot.foreign_text import quote
from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents, format_cents, format_percent, parse_cents, parse_percent
from jackpot.money.prizes import (
    EURO,
    LONGEST_TEXT,
    MOST_PRIZES,
    Combination,
    Prize,
    PrizeTable,
)
from jackpot.value_mistakes import describe_mistake

RESERVED = ("COIN_IN", "GAME_OVER", "JPOT", "NONE")
"""What a combination cannot be called: the panel and the scenarios have these words."""

FILE_KEYS = ("currency", "limit", "overflow", "prize")
NEEDED = {"combination": "2 to 20 of A-Z, 0-9 and _", "key": "JPH or JPL"}
PRIZE_KEYS = ("combination", "it", "en", "share", "amount", "from", "key", "envy", "ways")
T = TypeVar("T")

OVERFLOWS = {"reserve": Account.RESERVE, "house": Account.HOUSE}

_NAME = re.compile("[A-Z0-9_]{2,20}")
_CURRENCY = re.compile("[A-Z]{3}")
_WAYS = re.compile("[1-9][0-9]{0,17}/[1-9][0-9]{0,17}")
_BAD_LINE = re.compile(r"at line ([0-9]+)")


class PrizesUnusable(Refused):
    """A prize file that cannot be used; each mistake names file, line and key."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = mistakes


class _Wrong(ValueError):
    """A value that is not what its key needs: what would be right."""


def parse_prizes(text: str, name: str) -> PrizeTable:
    """Read a prize file's TOML; `name` is the file's. Raises PrizesUnusable with every mistake."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _BAD_LINE.search(str(error))
        raise PrizesUnusable(
            [f"{name}:{line[1] if line else len(text.splitlines())}: {describe_mistake(error)}"]
        ) from error
    reader = _Reader(text, name)
    table = reader.read_table(content)
    if reader.mistakes:
        raise PrizesUnusable(reader.mistakes)
    return table


@cache
def load_prizes(game: str) -> PrizeTable:
    """The house's own prizes of a game such as `caribbean-stud`.

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


def write_prize(prize: Prize) -> str:
    """A prize in one line, in the words of its file: `FLUSH key JPL share 1`."""
    words = {
        "key": "JPH" if prize.high else "JPL",
        "share": format_percent(prize.share) if prize.share else "",
        "amount": format_cents(prize.amount) if prize.amount else "",
        "from": "house" if prize.by_house else "",
        "envy": format_cents(prize.envy) if prize.envy else "",
        "ways": prize.ways,
        "it": prize.it,
        "en": prize.en,
    }
    named = (f"{key} {text}" for key, text in words.items() if text)
    return " ".join((prize.combination, *named))


def write_capitals(text: str) -> str:
    """The text in the display's characters: capitals without accents."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().upper()


class _Reader:
    """Reads one file and collects its mistakes."""

    def __init__(self, text: str, name: str) -> None:
        self.mistakes: list[str] = []
        self._name = name
        self._lines = text.splitlines()
        self._prize = 0
        """Which prize is being read, from 1; 0: what stands above them."""

    def read_table(self, content: Mapping[str, Any]) -> PrizeTable:
        for key in sorted(content.keys() - set(FILE_KEYS)):
            self._blame(key, f"unknown key; there are {', '.join(FILE_KEYS)}")
        rows = content.get("prize")
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_PRIZES:
            self._blame("prize", f"1 to {MOST_PRIZES} [[prize]] are needed")
            rows = []
        currency = self._read(content, "currency", _read_currency, EURO)
        limit = self._read(content, "limit", _read_amount, None)
        overflow = self._read(content, "overflow", _read_overflow, Account.RESERVE)
        prizes = tuple(self._read_prizes(rows))
        return PrizeTable(prizes, currency, limit, overflow)

    def _read_prizes(self, rows: list[Any]) -> Iterator[Prize]:
        names: list[object] = []
        for self._prize, row in enumerate(rows, 1):
            if not isinstance(row, dict):
                self._blame("", "a prize is a section [[prize]]")
                continue
            if row.get("combination") in names:
                name = quote(str(row["combination"]))
                self._blame("combination", f"{name} stands there twice: leave one of them out")
            names.append(row.get("combination"))
            yield self._read_prize(row)

    def _read_prize(self, row: Mapping[str, Any]) -> Prize:
        for key in sorted(row.keys() - set(PRIZE_KEYS)):
            self._blame(key, f"unknown key; there are {', '.join(PRIZE_KEYS)}")
        for key, right in NEEDED.items():
            if key not in row:
                self._blame(key, f"is missing: write {right}")
        if ("share" in row) == ("amount" in row):
            self._blame("share", "a prize has a share or an amount, one of the two")
        name = self._read(row, "combination", _read_name, "")
        prize = Prize(
            name,
            self._read(row, "share", _read_share, 0),
            self._read(row, "key", _read_key, False),
            self._read(row, "amount", _read_amount, Cents(0)),
            self._read(row, "envy", _read_amount, Cents(0)),
            self._read(row, "from", _read_payer, False),
            self._read(row, "it", _read_words, ""),
            self._read(row, "en", _read_words, ""),
            self._read(row, "ways", _read_ways, ""),
        )
        if name and name not in Combination.__members__:
            for key in ("it", "en"):
                if key not in row:
                    what = f"the display's words for {name} are needed, at most {LONGEST_TEXT}"
                    self._blame(key, f"{what} characters")
        if prize.by_house and prize.share and not prize.envy:
            self._blame("from", "a share is the jackpot's: leave it out, or name an envy")
        return prize

    def _read(self, row: Mapping[str, Any], key: str, read: Callable[[Any], T], absent: T) -> T:
        if key not in row:
            return absent
        try:
            return read(row[key])
        except ValueError as error:
            self._blame(key, str(error))
            return absent

    def _blame(self, key: str, what: str) -> None:
        where = f"prize {self._prize}: " if self._prize else ""
        line = find_line(self._lines, self._prize, key)
        self.mistakes.append(f"{self._name}:{line}: {where}{key}{': ' if key else ''}{what}")


def find_line(lines: list[str], prize: int, key: str) -> int:
    """The number of the line that has the key of the prize, from 1; 0: what stands above them.

    Where the key is missing, the line where its section begins.
    """
    begun, header = 0, 1
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*\[\[\s*prize\s*\]\]", line):
            begun += 1
            header = number if begun <= prize else header
        elif begun == prize and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
            return number
    return header


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong(f"{quote(str(value))} is not text: write it in quotes")
    return value


def _read_name(value: Any) -> str:
    name = _read_text(value)
    if not _NAME.fullmatch(name):
        raise _Wrong(f"{quote(name)} is no name: write 2 to 20 of A-Z, 0-9 and _")
    if name in RESERVED:
        raise _Wrong(f"{name} is taken: choose another name than {', '.join(RESERVED)}")
    return name


def _read_key(value: Any) -> bool:
    if value not in ("JPH", "JPL"):
        raise _Wrong(f"{quote(str(value))} is neither JPH nor JPL")
    return bool(value == "JPH")


def _read_share(value: Any) -> int:
    share = parse_percent(_read_text(value))
    if share == 0:
        raise _Wrong("it must be more than 0")
    return share


def _read_amount(value: Any) -> Cents:
    amount = parse_cents(_read_text(value))
    if amount == 0:
        raise _Wrong("it must be more than 0.00")
    return amount


def _read_payer(value: Any) -> bool:
    if value not in ("jackpot", "house"):
        raise _Wrong(f"{quote(str(value))} is neither jackpot nor house")
    return bool(value == "house")


def _read_overflow(value: Any) -> Account:
    if value not in OVERFLOWS:
        raise _Wrong(f"{quote(str(value))} is neither reserve nor house")
    return OVERFLOWS[value]


def _read_currency(value: Any) -> str:
    currency = _read_text(value)
    if not _CURRENCY.fullmatch(currency):
        raise _Wrong(f"{quote(currency)} is no currency: write three capitals, such as EUR")
    return currency


def _read_words(value: Any) -> str:
    words = write_capitals(_read_text(value)).strip()
    if not words or not words.isprintable() or len(words) > LONGEST_TEXT:
        raise _Wrong(
            f"{quote(str(value))} does not fit the display: write 1 to {LONGEST_TEXT} characters"
        )
    return words


def _read_ways(value: Any) -> str:
    ways = _read_text(value)
    if not _WAYS.fullmatch(ways) or Fraction(ways) > 1:
        raise _Wrong(f"{quote(ways)} is not hands of all hands: write them as 4/2598960")
    return ways
