"""Text laid out for the line: ASCII as the terminal writes it, at most 79 columns."""

from collections.abc import Iterable

from console.texts.layout.columns import WIDTH, wrap
from console.texts.layout.plain_text import plain

LABEL = 10
"""Columns of the word that says what a line is about."""


def paragraph(text: str, *, first: str = "", after: str | None = None) -> list[str]:
    """The text in lines; the first begins with `first`, the others with as many blanks."""
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
    """Without the backquotes around codes and commands."""
    return text.replace("`", "")


def cut(text: str, width: int = WIDTH) -> str:
    """The text in one line, with `...` where it is cut."""
    shown = plain(text)
    return shown if len(shown) <= width else f"{shown[: width - 3]}..."
