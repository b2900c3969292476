"""A record's number, or the beginning of a wall-clock label, as it is typed."""

import re
from datetime import datetime

LABEL = re.compile(
    r"\d{4}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d{1,6})?)?)?([+]00:00)?)?)?)?", re.ASCII
)
"""The beginning of a wall-clock label, in UTC."""

_YEAR = re.compile(r"(19|20)[0-9]{2}")
_NUMBER = re.compile(r"[0-9]{1,15}")

FIRST = "0001-01-01T00:00:00"
"""Completes such a beginning to a whole label."""


def label_in(text: str) -> str | None:
    """The text as the beginning of a wall-clock label; None if it is not one of a real time."""
    label = text.strip().replace(" ", "T").removesuffix("+00:00")
    if not LABEL.fullmatch(label):
        return None
    try:
        datetime.fromisoformat(label + FIRST[len(label) :])
    except ValueError:
        return None
    return label


def parse_record_or_time(text: str, *, years: bool = False) -> int | str | None:
    """A record's number, or the beginning of a wall-clock label; None for anything else.

    `years`: 2026 is a year, not a record.
    """
    if _NUMBER.fullmatch(text) and not (years and _YEAR.fullmatch(text)):
        return int(text)
    return label_in(text)
