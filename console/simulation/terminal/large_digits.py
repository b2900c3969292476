"""Digits three rows high, from blocks or from plain strokes."""

ROWS = 3

BLOCKS = (
    "█▀█ ▀█  ▀▀█ ▀▀█ █ █ █▀▀ █▀▀ ▀▀█ █▀█ █▀█",
    "█ █  █  █▀▀ ▀▀█ ▀▀█ ▀▀█ █▀█   █ █▀█ ▀▀█",
    "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀   ▀ ▀▀▀ ▀▀▀",
)
STROKES = (
    " _       _   _       _   _   _   _   _ ",
    "| |   |  _|  _| |_| |_  |_    | |_| |_|",
    "|_|   | |_   _|   |  _| |_|   | |_|  _|",
)
GLYPH, STEP = 3, 4

COLONS = {True: ("▄", "▄", " "), False: (" ", ".", ".")}
"""By whether the terminal shows Unicode."""


def write_large(text: str, *, unicode: bool) -> tuple[str, ...]:
    """Digits and colons as rows of characters. Raises ValueError for any other character."""
    glyphs = [_glyph(character, unicode) for character in text]
    return tuple(" ".join(glyph[row] for glyph in glyphs) for row in range(ROWS))


def _glyph(character: str, unicode: bool) -> tuple[str, ...]:
    if character == ":":
        return COLONS[unicode]
    at = int(character) * STEP
    return tuple(row[at : at + GLYPH] for row in (BLOCKS if unicode else STROKES))
