"""Paging: how many rows are printed before a key is required. Pure."""

from enum import Enum

from msgspec import Struct

from console.technician.terminal.keys import Key, Press

MORE = "-- more --"

SPARED = 2
"""Rows that stay free: one for the question, one that minicom uses."""


class Turn(Enum):
    """The effect of a key at the question."""

    PAGE = "page"
    LINE = "line"
    QUIT = "quit"
    TYPING = "typing"


_TURNS: dict[Press, Turn] = {
    " ": Turn.PAGE,
    Key.ENTER: Turn.LINE,
    Key.DOWN: Turn.LINE,
    "q": Turn.QUIT,
    "Q": Turn.QUIT,
    Key.ESCAPE: Turn.QUIT,
    Key.INTERRUPT: Turn.QUIT,
    Key.END_OF_INPUT: Turn.QUIT,
}


def turn_of(press: Press) -> Turn | None:
    """Return the effect of a key, None for none. Any other character begins a command: TYPING."""
    if press in _TURNS:
        return _TURNS[press]
    return Turn.TYPING if isinstance(press, str) else None


class PageRows(Struct, frozen=True):
    """A page of output."""

    rows: int
    """Rows of a whole page."""

    left: int
    """Rows that may still be printed."""

    @classmethod
    def new(cls, rows: int) -> "PageRows":
        """Return a whole page for a terminal with this many rows."""
        whole = max(1, rows - SPARED)
        return cls(whole, whole)

    def after_rows(self, rows: int) -> "PageRows":
        """Return the page after printing rows."""
        return PageRows(self.rows, self.left - rows)

    def after_turn(self, how: Turn) -> "PageRows":
        """Return the page after a key."""
        return PageRows(self.rows, self.rows if how is Turn.PAGE else 1)

    def has_room(self, rows: int) -> bool:
        """Return whether the rows fit, or are more than any page holds."""
        return rows <= self.left or self.left == self.rows


def erase(question: str) -> bytes:
    """Return the bytes that erase the question on any terminal."""
    return b"\r" + b" " * len(question) + b"\r"
