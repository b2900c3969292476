"""Lays out a command's output: columns, durations, shares; plain ASCII, at most 79 columns."""

import textwrap
from collections.abc import Collection, Sequence

WIDTH = 79
GAP = "  "

_TENTHS_BELOW_MS = 10_000
_UNITS = ((120_000, 1_000, "s"), (7_200_000, 60_000, "min"), (172_800_000, 3_600_000, "h"))
_DAY_MS = 86_400_000


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
