"""A simulated customer display: two lines of 20 characters, with ESC/POS commands."""

import re
from collections.abc import Callable

from firmware_bridge.repetition import Repetition

ROWS = 2
COLUMNS = 20
SIZE = ROWS * COLUMNS
BLANK = " " * SIZE

COMMAND = re.compile(
    rb"(?P<text>[\x20-\x7e]+)|\x1f\$(?P<move>..)|\x1f[CEX#.,;r].|(?P<reset>\x1b@)"
    rb"|(?P<clear>\x0c)|(?P<home>\x0b)|\x1f[\x01-\x03]|\x1b[tR].|[^\x1b\x1f]",
    re.DOTALL,
)
LONGEST_COMMAND = 4


class SimulatedDisplay:
    """What the table sees; nothing while the display is unplugged or has no power."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when it shows something else."""
        self._changed = changed
        self._cells = BLANK
        self._cursor = 0
        self._rest = b""
        self._lit = True

    def power(self, on: bool) -> None:
        """Switch the power; the display starts cleared, as after ESC @."""
        if on and not self._lit:
            self._reset()
        self._lit = on
        self._rest = b""

    def lines(self) -> tuple[str, str]:
        """The two lines of 20 characters; two empty ones when it is dark."""
        if not self._lit:
            return ("", "")
        return (self._cells[:COLUMNS], self._cells[COLUMNS:])

    def repetition(self) -> Repetition:
        """What is written again changes nothing."""
        return Repetition(1, (), lambda _us: None)

    def receive(self, data: bytes) -> None:
        """Take bytes from the controller, in pieces of any size."""
        if not self._lit:
            return
        before, data = self._cells, self._rest + data
        at = 0
        while at < len(data):
            command = COMMAND.match(data, at)
            if command is None:
                if len(data) - at < LONGEST_COMMAND:
                    break
                at += 1  # an unknown command
                continue
            self._obey(command)
            at = command.end()
        self._rest = data[at:]
        if self._cells != before:
            self._changed()

    def _obey(self, command: re.Match[bytes]) -> None:
        kind = command.lastgroup
        if kind == "text":
            self._write(command.group().decode("ascii"))
        elif kind == "move":
            column, row = command["move"]
            if 1 <= column <= COLUMNS and 1 <= row <= ROWS:
                self._cursor = (row - 1) * COLUMNS + column - 1
        elif kind in ("reset", "clear"):
            self._reset()
        elif kind == "home":
            self._cursor = 0

    def _write(self, text: str) -> None:
        for begin in range(0, len(text), SIZE):
            self._overwrite(text[begin : begin + SIZE])

    def _overwrite(self, text: str) -> None:
        at, end = self._cursor, self._cursor + len(text)
        if end <= SIZE:
            self._cells = self._cells[:at] + text + self._cells[end:]
        else:
            wrapped = end - SIZE
            fits = len(text) - wrapped
            self._cells = text[fits:] + self._cells[wrapped:at] + text[:fits]
        self._cursor = end % SIZE

    def _reset(self) -> None:
        self._cells = BLANK
        self._cursor = 0
