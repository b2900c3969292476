"""Paging: how much is printed before a key is waited for. Pure."""

from dataclasses import dataclass
from enum import Enum

from console.technician.terminal.keys import Key, Press

MORE = "-- more --"

SPARED = 2
"""Rows of a terminal that are not filled: one for the question, one that minicom keeps."""


class Turn(Enum):
    """What a key at the question asks for."""

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
    """What a key asks for; None: nothing.

    TYPING: a character that turns no page begins the next command.
    """
    if press in _TURNS:
        return _TURNS[press]
    return Turn.TYPING if isinstance(press, str) else None


@dataclass(frozen=True, slots=True)
class Page:
    """How many rows are left of a page on a terminal of so many rows."""

    rows: int
    left: int

    @classmethod
    def new(cls, rows: int) -> "Page":
        """A whole page."""
        whole = max(1, rows - SPARED)
        return cls(whole, whole)

    def after_rows(self, rows: int) -> "Page":
        """The page after so many rows."""
        return Page(self.rows, self.left - rows)

    def after_turn(self, how: Turn) -> "Page":
        """The page after a key."""
        return Page(self.rows, self.rows if how is Turn.PAGE else 1)

    def has_room(self, rows: int) -> bool:
        """So many rows still fit, or they are more than any page."""
        return rows <= self.left or self.left == self.rows


def erase(question: str) -> bytes:
    """What takes the question away again, on any terminal."""
    return b"\r" + b" " * len(question) + b"\r"
