"""A simulated terminal screen: CR, LF, BS, printable characters, and some escape sequences."""

import re

SEQUENCE = re.compile(rb"\x1b\[(\d*)([ACDK@P])")


class UnknownByte(AssertionError):
    """A byte that this terminal does not understand."""


class Screen:
    """A screen with unlimited rows; a dumb one understands no escape sequences.

    `bells` counts the bells. A full row wraps at the next character.
    """

    def __init__(self, columns: int = 80, *, dumb: bool = False) -> None:
        self.columns = columns
        self.dumb = dumb
        self.rows = [""]
        self.row = 0
        self.column = 0
        self.bells = 0
        self._unread = b""

    @property
    def text(self) -> str:
        """All rows, including those scrolled away."""
        return "\n".join(row.rstrip() for row in self.rows)

    @property
    def all(self) -> str:
        """All rows, with the blanks at their ends."""
        return "\n".join(self.rows)

    @property
    def line(self) -> str:
        """The row of the cursor."""
        return self.rows[self.row]

    def forget(self) -> None:
        """Forget all rows except the cursor's."""
        self.rows = [self.line]
        self.row = 0

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        data = self._unread + data
        self._unread = b""
        at = 0
        while at < len(data):
            if data[at] == 0x1B:
                sequence = SEQUENCE.match(data, at)
                if sequence is None and len(data) - at < 6:
                    self._unread = data[at:]
                    return
                if sequence is None or self.dumb:
                    raise UnknownByte(f"{data[at : at + 8]!r} after {self.text!r}")
                self._obey(sequence[2].decode(), int(sequence[1] or 1))
                at = sequence.end()
            else:
                self._take(data[at])
                at += 1

    def _take(self, byte: int) -> None:
        match byte:
            case 0x07:
                self.bells += 1
            case 0x08:
                self.column = max(0, self.column - 1)
            case 0x0A:
                self._down()
            case 0x0D:
                self.column = 0
            case _ if 0x20 <= byte < 0x7F:
                self._write(chr(byte))
            case _:
                raise UnknownByte(f"{byte:#04x} after {self.text!r}")

    def _write(self, character: str) -> None:
        if self.column == self.columns:
            self.column = 0
            self._down()
        row = self.line.ljust(self.column)
        self.rows[self.row] = row[: self.column] + character + row[self.column + 1 :]
        self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.rows):
            self.rows.append("")

    def _obey(self, what: str, number: int) -> None:
        row = self.line.ljust(self.column)
        before, after = row[: self.column], row[self.column :]
        match what:
            case "A":
                self.row = max(0, self.row - number)
            case "C":
                self.column = min(self.columns - 1, self.column + number)
            case "D":
                self.column = max(0, self.column - number)
            case "K":
                self.rows[self.row] = before
            case "@":
                self.rows[self.row] = (before + " " * number + after)[: self.columns]
            case "P":
                self.rows[self.row] = before + after[number:]
