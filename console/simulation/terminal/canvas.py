"""A grid of characters with styles, painted piece by piece and read as styled text."""

from collections.abc import Sequence
from itertools import groupby

Fragments = list[tuple[str, str]]
"""(style, text) pairs, as a full-screen application shows them."""

BLANK = ("", " ")


class Canvas:
    """A grid of `width` x `height` characters; what is painted beyond its edges is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self._rows = [[BLANK] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Paint from column x of row y to the right."""
        for column, character in enumerate(text, start=x):
            if 0 <= column < self._width and 0 <= y < len(self._rows):
                self._rows[y][column] = (style, character)

    def centre(self, x: int, y: int, text: str, style: str = "") -> None:
        """Paint with the text's middle at column x."""
        self.put(x - len(text) // 2, y, text, style)

    def frame(self, x: int, y: int, size: tuple[int, int], line: str, style: str = "") -> None:
        """Paint a box of (columns, rows); `line`: four corners, horizontal, vertical: `++++-|`."""
        width, height = size
        self.put(x, y, line[0] + line[4] * (width - 2) + line[1], style)
        self.put(x, y + height - 1, line[2] + line[4] * (width - 2) + line[3], style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, line[5], style)
            self.put(x + width - 1, row, line[5], style)

    def fragments(self, width: int) -> Fragments:
        """The rows one below the other, in the middle of `width` columns, or what fits in them."""
        margin = " " * ((width - self._width) // 2)
        result: Fragments = []
        for row in self._rows:
            result.append(("", margin))
            result.extend(_runs(row[:width]))
            result.append(("", "\n"))
        return result[:-1]


def _runs(row: Sequence[tuple[str, str]]) -> Fragments:
    return [
        (style, "".join(character for _, character in cells))
        for style, cells in groupby(row, key=lambda cell: cell[0])
    ]
