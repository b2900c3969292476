"""Paragraphs for the technician's line: ASCII, at most 79 columns."""

from collections.abc import Iterable

from console.texts.layout.columns import WIDTH, wrap
from console.texts.layout.plain_text import plain

LABEL = 10
"""The width of a line's label."""


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
