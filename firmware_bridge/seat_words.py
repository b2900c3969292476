"""Seats, lamps and names in words, for people. Pure; the result is plain ASCII."""

from collections.abc import Iterable
from enum import Enum

DARK = "DARK"


def format_seats(seats: Iterable[int]) -> str:
    """`1 3`, or `none`."""
    return " ".join(map(str, sorted(seats))) or "none"


def format_lamps(lamps: Iterable[Enum]) -> str:
    """The lamps of seats 1 to 7: `invite 1 2 on 5`; `dark` if all are dark."""
    seats: dict[str, list[int]] = {}
    for seat, lamp in enumerate(lamps, start=1):
        if lamp.name != DARK:
            seats.setdefault(lamp.name.lower(), []).append(seat)
    return " ".join(f"{what} {format_seats(those)}" for what, those in seats.items()) or "dark"


def format_name(enumerated: Enum) -> str:
    """`SLOT_RAIL` as `slot rail`."""
    return enumerated.name.lower().replace("_", " ")


def plain_ascii(text: str) -> str:
    """A device's own text; a character that is unsafe for a terminal becomes a question mark."""
    return "".join(one if one.isascii() and one.isprintable() else "?" for one in text)
