"""Repaints a changing picture with as few bytes as possible. Pure."""

from collections.abc import Sequence

from console.technician.terminal.row_painter import NEW_LINE, TerminalRow, paint_over


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
