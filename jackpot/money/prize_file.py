"""Prize files: a table's prizes as a house writes them (docs/reference/prizes.md, section 1)."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, TypeVar

from msgspec import Struct

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

RESERVED = ("COIN_IN", "GAME_OVER", "JPOT", "NONE")
"""What a combination cannot be called: the panel and the scenarios have these words."""

FILE_KEYS = ("currency", "limit", "overflow", "prize")
PRIZE_KEYS = ("combination", "it", "en", "share", "amount", "from", "key", "envy", "ways")
T = TypeVar("T")
N = TypeVar("N", bound=int)

OVERFLOWS = {"reserve": Account.RESERVE, "house": Account.HOUSE}

_NAME = "[A-Z0-9_]{2,20}"
_CURRENCY = "[A-Z]{3}"
_WAYS = "[1-9][0-9]{0,17}/[1-9][0-9]{0,17}"
_BAD_LINE = r"at line ([0-9]+)"


class MistakeKind(Enum):
    """What a prize file may have wrong; its words are in console/texts/file_texts.py."""

    NOT_TOML = auto()
    UNKNOWN_KEY = auto()
    NO_PRIZES = auto()
    NO_SECTION = auto()
    NAMED_TWICE = auto()
    NO_COMBINATION = auto()
    NO_KEY = auto()
    SHARE_OR_AMOUNT = auto()
    NO_DISPLAY_TEXT = auto()
    SHARE_BY_HOUSE = auto()
    NOT_TEXT = auto()
    BAD_NAME = auto()
    RESERVED_NAME = auto()
    BAD_KEY = auto()
    BAD_SHARE = auto()
    BAD_AMOUNT = auto()
    ZERO = auto()
    BAD_PAYER = auto()
    BAD_OVERFLOW = auto()
    BAD_CURRENCY = auto()
    BAD_DISPLAY_TEXT = auto()
    BAD_WAYS = auto()


NEEDED = {"combination": MistakeKind.NO_COMBINATION, "key": MistakeKind.NO_KEY}
"""The keys that every prize has, and what is wrong without them."""


class PrizeMistake(Struct, frozen=True):
    """What is wrong, and where, as `prizes.toml:3`.

    `prize`: which one, from 1; 0: what stands above them. `values`: what the words need.
    """

    place: str
    kind: MistakeKind
    values: tuple[object, ...] = ()
    prize: int = 0
    key: str = ""


class PrizesUnusable(Refused):
    """A prize file that cannot be used, with every mistake in it."""

    def __init__(self, mistakes: list[PrizeMistake]) -> None:
        super().__init__("\n".join(f"{one.place}: {one.key} {one.kind.name}" for one in mistakes))
        self.mistakes = mistakes


def parse_prizes(text: str, name: str) -> PrizeTable:
    """Read a prize file's TOML; `name` is the file's. Raises PrizesUnusable with every mistake."""
    try:
        content = tomllib.loads(text)
    except (RecursionError, ValueError) as error:
        line = re.search(_BAD_LINE, str(error))
        place = f"{name}:{line[1] if line else len(text.splitlines())}"
        raise PrizesUnusable([PrizeMistake(place, MistakeKind.NOT_TOML, (error,))]) from error
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
        self.mistakes: list[PrizeMistake] = []
        self._name = name
        self._lines = text.splitlines()
        self._prize = 0
        """Which prize is being read, from 1; 0: what stands above them."""

    def read_table(self, content: Mapping[str, Any]) -> PrizeTable:
        for key in sorted(content.keys() - set(FILE_KEYS)):
            self._blame(key, MistakeKind.UNKNOWN_KEY, ", ".join(FILE_KEYS))
        rows = content.get("prize")
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_PRIZES:
            self._blame("prize", MistakeKind.NO_PRIZES, MOST_PRIZES)
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
                self._blame("", MistakeKind.NO_SECTION)
                continue
            if row.get("combination") in names:
                self._blame("combination", MistakeKind.NAMED_TWICE, quote(str(row["combination"])))
            names.append(row.get("combination"))
            yield self._read_prize(row)

    def _read_prize(self, row: Mapping[str, Any]) -> Prize:
        for key in sorted(row.keys() - set(PRIZE_KEYS)):
            self._blame(key, MistakeKind.UNKNOWN_KEY, ", ".join(PRIZE_KEYS))
        for key, missing in NEEDED.items():
            if key not in row:
                self._blame(key, missing)
        if ("share" in row) == ("amount" in row):
            self._blame("share", MistakeKind.SHARE_OR_AMOUNT)
        name = self._read(row, "combination", _read_name, "")
        prize = Prize(
            name,
            self._read(row, "share", _read_share, 0),
            self._read(row, "key", _read_key, False),
            self._read(row, "amount", _read_amount, Cents(0)),
            self._read(row, "envy", _read_amount, Cents(0)),
            self._read(row, "from", _read_payer, False),
            self._read(row, "it", _read_display_text, ""),
            self._read(row, "en", _read_display_text, ""),
            self._read(row, "ways", _read_ways, ""),
        )
        if name and name not in Combination.__members__:
            for key in ("it", "en"):
                if key not in row:
                    self._blame(key, MistakeKind.NO_DISPLAY_TEXT, name, LONGEST_TEXT)
        if prize.by_house and prize.share and not prize.envy:
            self._blame("from", MistakeKind.SHARE_BY_HOUSE)
        return prize

    def _read(self, row: Mapping[str, Any], key: str, read: Callable[[Any], T], absent: T) -> T:
        if key not in row:
            return absent
        try:
            return read(row[key])
        except PrizesUnusable as wrong:
            for one in wrong.mistakes:
                self._blame(key, one.kind, *one.values)
            return absent

    def _blame(self, key: str, kind: MistakeKind, *values: object) -> None:
        place = f"{self._name}:{find_line(self._lines, self._prize, key)}"
        self.mistakes.append(PrizeMistake(place, kind, values, self._prize, key))


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


def _wrong(kind: MistakeKind, *values: object) -> PrizesUnusable:
    """A value that is not what its key needs; whoever reads the key adds the place."""
    return PrizesUnusable([PrizeMistake("", kind, values)])


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(MistakeKind.NOT_TEXT, quote(str(value)))
    return value


def _read_name(value: Any) -> str:
    name = _read_text(value)
    if not re.fullmatch(_NAME, name):
        raise _wrong(MistakeKind.BAD_NAME, quote(name))
    if name in RESERVED:
        raise _wrong(MistakeKind.RESERVED_NAME, name, ", ".join(RESERVED))
    return name


def _read_key(value: Any) -> bool:
    if value not in ("JPH", "JPL"):
        raise _wrong(MistakeKind.BAD_KEY, quote(str(value)))
    return bool(value == "JPH")


def _read_share(value: Any) -> int:
    return _read_number(value, parse_percent, MistakeKind.BAD_SHARE)


def _read_amount(value: Any) -> Cents:
    return _read_number(value, parse_cents, MistakeKind.BAD_AMOUNT)


def _read_number(value: Any, parse: Callable[[str], N], bad: MistakeKind) -> N:
    text = _read_text(value)
    try:
        number = parse(text)
    except ValueError as error:
        raise _wrong(bad, quote(text)) from error
    if number == 0:
        raise _wrong(MistakeKind.ZERO)
    return number


def _read_payer(value: Any) -> bool:
    if value not in ("jackpot", "house"):
        raise _wrong(MistakeKind.BAD_PAYER, quote(str(value)))
    return bool(value == "house")


def _read_overflow(value: Any) -> Account:
    account = _read_text(value)
    if account not in OVERFLOWS:
        raise _wrong(MistakeKind.BAD_OVERFLOW, quote(account))
    return OVERFLOWS[account]


def _read_currency(value: Any) -> str:
    currency = _read_text(value)
    if not re.fullmatch(_CURRENCY, currency):
        raise _wrong(MistakeKind.BAD_CURRENCY, quote(currency))
    return currency


def _read_display_text(value: Any) -> str:
    text = write_capitals(_read_text(value)).strip()
    if not text or not text.isprintable() or len(text) > LONGEST_TEXT:
        raise _wrong(MistakeKind.BAD_DISPLAY_TEXT, quote(str(value)), LONGEST_TEXT)
    return text


def _read_ways(value: Any) -> str:
    ways = _read_text(value)
    if not re.fullmatch(_WAYS, ways) or Fraction(ways) > 1:
        raise _wrong(MistakeKind.BAD_WAYS, quote(ways))
    return ways
