"""How a message shows what was typed, or stands in a file: printable, and short."""

import re

LONGEST_QUOTED = 40
LONGEST_LINE = 600
"""Characters; a terminal shows them in eight lines."""

_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\r(?!\n)"
)
"""What a terminal would obey instead of showing it; the marks of direction hide what is written."""


def quote(text: str) -> str:
    """The text in quotes: its first 40 characters, and escapes for what cannot be printed."""
    return repr(text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}...")


def shorten(text: str) -> str:
    """Each line with at most 600 characters: its begin says where, its end what would be right."""
    return "\n".join(map(_shorten_line, text.split("\n")))


def escape_controls(text: str) -> str:
    """The text with an escape such as `\\x1b` for each character that controls a terminal."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def _shorten_line(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    end = LONGEST_LINE // 2
    return f"{line[:end]} ... {line[-end:]}"
