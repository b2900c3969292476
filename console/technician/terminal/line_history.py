"""The lines typed before, as the arrows bring them back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from console.line.access.pins import LONGEST, SHORTEST

LINES = 100

_DIGITS_OF_A_PIN = re.compile(rf"\d(?:\s*\d){{{SHORTEST - 1},}}")
"""Wherever they stand in a line: a PIN is also typed behind its name."""


def is_like_pin(line: str) -> bool:
    """Whether a line can be a PIN, typed where none is asked for."""
    digits = line.replace(" ", "")
    return digits.isascii() and digits.isdigit() and SHORTEST <= len(digits) <= LONGEST


@dataclass(frozen=True, slots=True)
class History:
    """At most `LINES` lines, oldest first, none of them twice in a row, and no PIN."""

    lines: Sequence[str] = ()

    def with_line(self, line: str) -> "History":
        """The history after a line was typed; one in which a PIN may stand is not kept."""
        line = line.strip()
        newest = self.lines[-1] if self.lines else ""
        if line in ("", newest) or line.replace(" ", "").isdigit():
            return self
        if _DIGITS_OF_A_PIN.search(line):
            return self
        return History((*self.lines, line)[-LINES:])
