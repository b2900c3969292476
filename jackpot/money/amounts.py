"""Exact amounts: accounts in 1/10,000 of a cent, payments in whole cents.

docs/reference/rules.md 4.
"""

import re
from typing import NewType

from jackpot.foreign_text import quote

Units = NewType("Units", int)
"""1/10,000 of a cent: the unit of accounts."""

Cents = NewType("Cents", int)
"""Whole cents: the unit of display and payments."""

UNITS_PER_CENT = 10_000
WHOLE = 10_000
"""100 % in basis points; cents x basis points are units, without rounding."""

# Nine digits keep every sum of a lifetime of tokens within the ledger's 64-bit integers.
_MOST_DIGITS = 9
_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")
_PERCENT = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?")


def to_units(cents: int) -> Units:
    """The amount in units."""
    return Units(cents * UNITS_PER_CENT)


def to_cents(units: int) -> Cents:
    """The whole cents of an amount, rounded towards minus infinity (-0.5 cent is -1)."""
    return Cents(units // UNITS_PER_CENT)


def parse_cents(text: str) -> Cents:
    """Read `12345.67`, `2.5` or `2`: no sign, no exponent, no thousands separators.

    Raises ValueError that says what would be right.
    """
    return Cents(_hundredths(_AMOUNT, text, "an amount such as 12345.67"))


def parse_signed_cents(text: str) -> Cents:
    """Read what `format_cents` writes: `-9999.20`. Raises ValueError."""
    amount = parse_cents(text.removeprefix("-"))
    return Cents(-amount) if text.startswith("-") else amount


def parse_percent(text: str) -> int:
    """Read a percentage such as `70` or `12.25` as basis points, 0 to 10,000.

    Raises ValueError that says what would be right.
    """
    right = "a percentage from 0 to 100 such as 70 or 12.25"
    points = _hundredths(_PERCENT, text, right)
    if points > WHOLE:
        raise ValueError(f"{quote(text)} is not {right}")
    return points


def format_cents(cents: int) -> str:
    """Write cents as `12345.67`, `0.05` or `-9999.20`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02}"


def format_units(units: int) -> str:
    """Write units as exact EUR with two to six decimals: `1.40`, `-0.6666`."""
    whole, rest = divmod(abs(units), 100 * UNITS_PER_CENT)
    decimals = f"{rest:06}".rstrip("0").ljust(2, "0")
    return f"{'-' if units < 0 else ''}{whole}.{decimals}"


def format_percent(points: int) -> str:
    """Write basis points as the shortest exact percentage: `70`, `12.5`, `12.25`."""
    whole, rest = divmod(points, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")


def _hundredths(pattern: re.Pattern[str], text: str, right: str) -> int:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(f"{quote(text)} is not {right} (at most two decimals)")
    whole, decimals = found.groups(default="")
    if len(whole) > _MOST_DIGITS:
        raise ValueError(f"{quote(text)} is too large: at most {'9' * _MOST_DIGITS}.99")
    return int(whole) * 100 + int(decimals.ljust(2, "0"))
