"""The history of typed lines, for the arrow keys."""

import re
from collections.abc import Sequence

from msgspec import Struct

from console.line.access.pins import LONGEST, SHORTEST

LINES = 100
"""Most lines kept."""

_DIGITS_OF_A_PIN = re.compile(rf"\d(?:\s*\d){{{SHORTEST - 1},}}")
"""Anywhere in a line: a PIN may be typed after its name."""


def is_like_pin(line: str) -> bool:
    """Return whether a line may be a PIN typed in the wrong place."""
    digits = line.replace(" ", "")
    return digits.isascii() and digits.isdigit() and SHORTEST <= len(digits) <= LONGEST


class History(Struct, frozen=True):
    """At most `LINES` lines, oldest first, none of them twice in a row, and no PIN."""

    lines: Sequence[str] = ()

    def with_line(self, line: str) -> "History":
        """Return the history with a line added, unless it may contain a PIN."""
        line = line.strip()
        newest = self.lines[-1] if self.lines else ""
        if line in ("", newest) or line.replace(" ", "").isdigit():
            return self
        if _DIGITS_OF_A_PIN.search(line):
            return self
        return History((*self.lines, line)[-LINES:])
