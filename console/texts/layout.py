"""Lays out what a terminal shows: paragraphs, columns, durations; ASCII, at most 79 columns.

A serial terminal does not say which character set it has; ASCII is the same in all.
"""

import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Sequence

WIDTH = 79
GAP = "  "

_TENTHS_BELOW_MS = 10_000
_UNITS = ((120_000, 1_000, "s"), (7_200_000, 60_000, "min"), (172_800_000, 3_600_000, "h"))
_DAY_MS = 86_400_000

_IN_ASCII = {
    "\t": " ",
    "\u2018": "'",
    "\u2019": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2013": "-",
    "\u2014": "-",
    "\u2026": "...",
    "\u20ac": "EUR",
    "\u00b0": "o",
    "\u00b5": "u",
    "\u00d7": "x",
    "\u00df": "ss",
    "\u2192": "->",
    "\u2190": "<-",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u00a0": " ",
}
_GRAVE, _ACUTE = "\u0300", "\u0301"

LABEL = 10
"""The width of a line's label."""


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """The rows with aligned cells; the columns in `right` are aligned right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
    return [
        GAP.join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def format_duration(ms: int) -> str:
    """A duration: `0.4 s`, `12 s`, `3 min`, `5 h`, `2 d`."""
    if ms < _TENTHS_BELOW_MS:
        return f"{ms / 1000:.1f} s"
    for below, unit_ms, unit in _UNITS:
        if ms < below:
            return f"{ms // unit_ms} {unit}"
    return f"{ms // _DAY_MS} d"


def share(part: int, whole: int) -> str:
    """A part as a percentage of a whole; `-` for a whole of 0."""
    return f"{100 * part / whole:.1f}" if whole else "-"


def wrap(text: str, width: int = WIDTH, *, first: str = "", after: str = "") -> list[str]:
    """The text in lines of at most `width`; the first begins with `first`, the others `after`."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=after, break_on_hyphens=False
    ) or [first.rstrip()]


def plain(text: str) -> str:
    """The text in printable ASCII: `è` becomes `e'`, other characters `?`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_to_ascii, text))


def _to_ascii(character: str) -> str:
    if " " <= character <= "~":
        return character
    if character in _IN_ASCII:
        return _IN_ASCII[character]
    parts = unicodedata.normalize("NFD", character)
    letter, marks = parts[:1], parts[1:]
    if not ("a" <= letter.lower() <= "z") or not marks:
        return "?"
    return f"{letter}'" if marks[0] in (_GRAVE, _ACUTE) else letter


def first_rows(text: str, width: int, most: int) -> tuple[list[str], int]:
    """The text's first lines in at most so many rows of so many columns, and how many are left.

    The first line is there whole whatever it takes.
    """
    rows: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        broken = wrap(line, width) if len(line) > width else [line]
        if rows and len(rows) + len(broken) > most:
            return rows, len(lines) - number
        rows += broken
    return rows, 0


def paragraph(text: str, *, first: str = "", after: str | None = None) -> list[str]:
    """The text in lines.

    The first begins with `first`, the others with `after` or as many blanks.
    """
    begin = plain(first)
    return wrap(plain(text), first=begin, after=" " * len(begin) if after is None else after)


def label_text(label: str, text: str) -> list[str]:
    """`label     text`, further lines under the text."""
    return paragraph(text, first=f"{label:{LABEL - 1}} ")


def number_steps(steps: Iterable[str]) -> list[str]:
    """`1. this`, `2. that`."""
    return [
        line
        for number, step in enumerate(steps, start=1)
        for line in paragraph(step, first=f"  {number}. ")
    ]


def unquote(text: str) -> str:
    """The text without the backquotes around codes and commands."""
    return text.replace("`", "")


def cut(text: str, width: int = WIDTH) -> str:
    """The text in one line, with `...` at the end if it was cut."""
    shown = plain(text)
    return shown if len(shown) <= width else f"{shown[: width - 3]}..."
