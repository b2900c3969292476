"""Repaints a row of a terminal, or a changing picture, with as few bytes as possible.

Pure. Without escapes only CR, LF, BS and printable characters are used; with them also `ESC [ n C`,
`ESC [ n D`, `ESC [ K`, `ESC [ n @` and `ESC [ n P`. A row never reaches the last column, where
terminals differ.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

NEW_LINE = b"\r\n"
BELL = b"\a"

NEW_ROW_COSTS = 24
"""Starting a new row below must save this many bytes, because it scrolls the screen."""


class TerminalRow(Struct, frozen=True):
    """The text of a row, and the column of the cursor."""

    text: str = ""
    column: int = 0


def paint(shown: TerminalRow, wanted: TerminalRow, *, escapes: bool) -> bytes:
    """Return the bytes that change a row from `shown` to `wanted`."""
    best = paint_over(shown, wanted, escapes=escapes)
    if len(best) <= NEW_ROW_COSTS:
        return best
    afresh = paint_anew(wanted, escapes=escapes)
    return afresh if len(afresh) + NEW_ROW_COSTS <= len(best) else best


def paint_over(shown: TerminalRow, wanted: TerminalRow, *, escapes: bool) -> bytes:
    """Return the bytes that change it without leaving the row."""
    if shown == wanted:
        return b""
    ways = [_overwrite(shown, wanted, escapes)]
    if escapes:
        ways += _shift(shown, wanted)
    return min(ways, key=len)


def paint_anew(wanted: TerminalRow, *, escapes: bool) -> bytes:
    """Return the bytes that paint the next row, whatever this one shows."""
    end = TerminalRow(wanted.text, len(wanted.text))
    return f"\r\n{wanted.text}".encode("ascii") + _move_cursor(end, wanted.column, escapes)


def _overwrite(shown: TerminalRow, wanted: TerminalRow, escapes: bool) -> bytes:
    """Write from the first difference to the last."""
    old, new = shown.text, wanted.text
    if old == new:
        return _move_cursor(shown, wanted.column, escapes)
    first, last = len(find_common_start((old, new))), len(new)
    if len(old) == len(new):
        last -= len(find_common_start((old[::-1], new[::-1])))
    written = _move_cursor(shown, first, escapes) + new[first:last].encode("ascii")
    blanks = " " * (len(old) - len(new))
    ways = [
        blanks.encode("ascii")
        + _move_cursor(TerminalRow(new + blanks, last + len(blanks)), wanted.column, escapes)
    ]
    if blanks and escapes:
        ways.append(b"\x1b[K" + _move_cursor(TerminalRow(new, last), wanted.column, escapes))
    return written + min(ways, key=len)


def _shift(shown: TerminalRow, wanted: TerminalRow) -> Iterator[bytes]:
    """Insert or delete characters at one place."""
    old, new = shown.text, wanted.text
    first = len(find_common_start((old, new)))
    more = len(new) - len(old)
    if more > 0 and old[first:] == new[first + more :]:
        inserted = f"\x1b[{more}@" if more > 1 else "\x1b[@"
        written = inserted + new[first : first + more]
        at = TerminalRow(new, first + more)
    elif more < 0 and old[first - more :] == new[first:]:
        written = f"\x1b[{-more}P" if more < -1 else "\x1b[P"
        at = TerminalRow(new, first)
    else:
        return
    yield (
        _move_cursor(shown, first, escapes=True)
        + written.encode("ascii")
        + _move_cursor(at, wanted.column, escapes=True)
    )


def _move_cursor(row: TerminalRow, column: int, escapes: bool) -> bytes:
    """Move the cursor to another column of the row."""
    steps = column - row.column
    if steps == 0:
        return b""
    if steps > 0:
        ways = [row.text[row.column : column].encode("ascii")]
    else:
        ways = [b"\b" * -steps, b"\r" + row.text[:column].encode("ascii")]
    if escapes:
        ways.append(
            f"\x1b[{abs(steps) if abs(steps) > 1 else ''}{'C' if steps > 0 else 'D'}".encode()
        )
        if column > 0:
            ways.append(f"\r\x1b[{column if column > 1 else ''}C".encode())
    return min(ways, key=len)


def repaint(old: Sequence[str], new: Sequence[str], *, in_place: bool) -> bytes:
    """Return the bytes for the new picture. The cursor is in the first column below.

    `in_place`: the old picture is right above, has as many lines, and may be overwritten.
    Otherwise the changed lines are printed below.
    """
    if not in_place:
        known = dict(enumerate(old))
        changed = [text for at, text in enumerate(new) if known.get(at) != text]
        return b"".join(text.encode("ascii") + NEW_LINE for text in changed)
    sent, row = b"", len(old)
    for at, (before, after) in enumerate(zip(old, new, strict=True)):
        if before != after:
            sent += _down(at - row) + paint_over(
                TerminalRow(before), TerminalRow(after), escapes=True
            )
            row = at
    return sent + _down(len(old) - row)


def _down(rows: int) -> bytes:
    if rows >= 0:
        return b"\n" * rows
    return f"\x1b[{-rows if rows < -1 else ''}A".encode("ascii")


def find_common_start(texts: Sequence[str]) -> str:
    """Return the common beginning of all texts."""
    if not texts:
        return ""
    first, last = min(texts), max(texts)
    same = 0
    while same < len(first) and first[same] == last[same]:
        same += 1
    return first[:same]
