"""Edits a line of input: what a key does to it, what to send to the terminal, the lines before it.

Pure: `press_key(line, key)` returns the next line, the bytes to send, and the result. The line
takes one row of the terminal; of a longer text a part is shown, with `<` and `>` where it
continues.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from msgspec import Struct, field

from console.line.access import pins
from console.rules.structs import replace
from console.technician.terminal.keys import Key, Press
from console.technician.terminal.row_painter import (
    BELL,
    NEW_LINE,
    TerminalRow,
    find_common_start,
    paint,
    paint_anew,
)
from console.texts.layout import plain

LINES = 100
"""Most lines kept."""

_DIGITS_OF_A_PIN = re.compile(rf"\d(?:\s*\d){{{pins.SHORTEST - 1},}}")
"""Anywhere in a line: a PIN may be typed after its name."""

LONGEST = 200
"""Most characters of a line; further ones ring the bell."""

LEAST_ROOM = 20
"""Least columns for the text, however long the prompt is."""

KEPT_VISIBLE = 16
"""Characters kept visible beside the cursor when a long text is scrolled."""

MOST_LISTED = 60
"""Most candidates listed by a second Tab."""

Complete = Callable[[str], Sequence[str]]


def is_like_pin(line: str) -> bool:
    """Return whether a line may be a PIN typed in the wrong place."""
    digits = line.replace(" ", "")
    return digits.isascii() and digits.isdigit() and pins.SHORTEST <= len(digits) <= pins.LONGEST


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


class EditResult(Enum):
    """The result of a key."""

    ON = "on"  # the line is still being typed
    ENTERED = "entered"
    INTERRUPTED = "interrupted"
    ENDED = "ended"  # Ctrl-D on an empty line


class TypedText(Struct, frozen=True):
    """The text typed so far."""

    text: str = ""
    cursor: int = 0
    """Where the next character goes."""

    def without(self, first: int, last: int) -> "TypedText":
        """Return the text without a piece, the cursor at its place."""
        return TypedText(self.text[:first] + self.text[last:], first)

    def with_typed(self, characters: str) -> "TypedText":
        """Return the text with characters inserted at the cursor."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        return TypedText(before + characters + after, self.cursor + len(characters))


class EditedLine(Struct, frozen=True):
    """A line being edited."""

    prompt: str
    columns: int = 80
    hidden: bool = False
    escapes: bool = False
    history: History = field(default_factory=History)
    complete: Complete | None = None
    typed: TypedText = field(default_factory=TypedText)
    start: int = 0
    """The first visible character."""

    recalled: int = 0
    """How many lines back in the history; 0 for the new line."""

    draft: str = ""
    """The new line, kept while the history is shown."""

    tabbed: bool = False
    """Whether the last key was a Tab that added nothing."""

    shown: TerminalRow = field(default_factory=TerminalRow)
    """The row as the terminal shows it."""


Pressed = tuple[EditedLine, bytes, EditResult]


def open_line(line: EditedLine) -> tuple[EditedLine, bytes]:
    """Show the line in an empty row."""
    row = _render_row(line)
    return replace(line, shown=row), paint(TerminalRow(), row, escapes=line.escapes)


def press_key(line: EditedLine, key: Press) -> Pressed:
    """Apply a key to the line."""
    if line.tabbed and key is not Key.TAB:
        line = replace(line, tabbed=False)
    if isinstance(key, str):
        return _insert(line, key)
    if key in _EDITS:
        return _edit(line, _EDITS[key](line.typed))
    if key in _OTHERS:
        return _OTHERS[key](line)
    return line, b"", EditResult.ON


def change_prompt(line: EditedLine, above: Sequence[str], prompt: str) -> tuple[EditedLine, bytes]:
    """Show the line with another prompt; `above`: whole lines to print before it."""
    sent = b""
    shown = line.shown
    for text in above:
        row = TerminalRow(text, len(text))
        sent += paint(shown, row, escapes=line.escapes) + NEW_LINE
        shown = TerminalRow()
    line = _scroll(replace(line, prompt=prompt, shown=shown))
    row = _render_row(line)
    return replace(line, shown=row), sent + paint(shown, row, escapes=line.escapes)


def resize(line: EditedLine, columns: int) -> tuple[EditedLine, bytes]:
    """Show the line after the terminal's width has changed."""
    return redraw(_scroll(replace(line, columns=columns)))


def redraw(line: EditedLine) -> tuple[EditedLine, bytes]:
    """Show the line in the next row, whatever the current row shows."""
    row = _render_row(line)
    return replace(line, shown=row), paint_anew(row, escapes=line.escapes)


# Keys that edit the text


def _backspace(typed: TypedText) -> TypedText:
    return typed.without(max(0, typed.cursor - 1), typed.cursor)


def _delete(typed: TypedText) -> TypedText:
    return typed.without(typed.cursor, typed.cursor + 1)


def _erase_word(typed: TypedText) -> TypedText:
    return typed.without(_move_word_left(typed).cursor, typed.cursor)


def _erase_before(typed: TypedText) -> TypedText:
    return typed.without(0, typed.cursor)


def _erase_after(typed: TypedText) -> TypedText:
    return typed.without(typed.cursor, len(typed.text))


def _move_left(typed: TypedText) -> TypedText:
    return TypedText(typed.text, max(0, typed.cursor - 1))


def _move_right(typed: TypedText) -> TypedText:
    return TypedText(typed.text, min(len(typed.text), typed.cursor + 1))


def _move_home(typed: TypedText) -> TypedText:
    return TypedText(typed.text, 0)


def _move_end(typed: TypedText) -> TypedText:
    return TypedText(typed.text, len(typed.text))


def _move_word_left(typed: TypedText) -> TypedText:
    before = typed.text[: typed.cursor].rstrip(" ")
    return TypedText(typed.text, before.rfind(" ") + 1)


def _move_word_right(typed: TypedText) -> TypedText:
    after = typed.text[typed.cursor :]
    blanks = len(after) - len(after.lstrip(" "))
    end = after.find(" ", blanks)
    return TypedText(typed.text, len(typed.text) if end < 0 else typed.cursor + end)


_EDITS: Mapping[Key, Callable[[TypedText], TypedText]] = {
    Key.BACKSPACE: _backspace,
    Key.DELETE: _delete,
    Key.ERASE_WORD: _erase_word,
    Key.ERASE_BEFORE: _erase_before,
    Key.ERASE_AFTER: _erase_after,
    Key.LEFT: _move_left,
    Key.RIGHT: _move_right,
    Key.HOME: _move_home,
    Key.END: _move_end,
    Key.WORD_LEFT: _move_word_left,
    Key.WORD_RIGHT: _move_word_right,
}


def _insert(line: EditedLine, characters: str) -> Pressed:
    if len(line.typed.text) + len(characters) > LONGEST:
        return line, BELL, EditResult.ON
    return _edit(line, line.typed.with_typed(characters))


def _edit(line: EditedLine, typed: TypedText) -> Pressed:
    line = _scroll(replace(line, typed=typed))
    row = _render_row(line)
    sent = paint(line.shown, row, escapes=line.escapes)
    return replace(line, shown=row), sent, EditResult.ON


# Other keys


def _enter(line: EditedLine) -> Pressed:
    return line, NEW_LINE, EditResult.ENTERED


def _interrupt(line: EditedLine) -> Pressed:
    return line, b"^C" + NEW_LINE, EditResult.INTERRUPTED


def _end_of_input(line: EditedLine) -> Pressed:
    if line.typed.text:
        return _edit(line, _delete(line.typed))
    return line, NEW_LINE, EditResult.ENDED


def _redraw(line: EditedLine) -> Pressed:
    return *redraw(line), EditResult.ON


def _recall_older(line: EditedLine) -> Pressed:
    return _recall(line, line.recalled + 1)


def _recall_newer(line: EditedLine) -> Pressed:
    return _recall(line, line.recalled - 1)


def _recall(line: EditedLine, back: int) -> Pressed:
    lines = line.history.lines
    if not 0 <= back <= len(lines):
        return line, BELL, EditResult.ON
    draft = line.draft if line.recalled else line.typed.text
    text = lines[-back] if back else draft
    return _edit(replace(line, recalled=back, draft=draft), _move_end(TypedText(text)))


def _complete(line: EditedLine) -> Pressed:
    """Complete the text before the cursor. If nothing can be added, a second Tab lists."""
    if line.complete is None:
        return line, BELL, EditResult.ON
    typed = line.typed.text[: line.typed.cursor]
    offered = map(plain, line.complete(typed))
    matches = [match for match in offered if match.lower().startswith(typed.lower())]
    ahead = find_common_start(matches)
    if len(matches) == 1 and not line.typed.text[line.typed.cursor :].startswith(" "):
        ahead = ahead.rstrip(" ") + " "
    if len(ahead) > len(typed):
        return _insert(line, ahead[len(typed) :])
    if not line.tabbed or not matches[1:]:
        return replace(line, tabbed=True), BELL, EditResult.ON
    line, sent = redraw(replace(line, tabbed=False))
    return line, _list_candidates(matches, typed, line.columns) + sent, EditResult.ON


_OTHERS: Mapping[Key, Callable[[EditedLine], Pressed]] = {
    Key.ENTER: _enter,
    Key.INTERRUPT: _interrupt,
    Key.END_OF_INPUT: _end_of_input,
    Key.REDRAW: _redraw,
    Key.UP: _recall_older,
    Key.DOWN: _recall_newer,
    Key.TAB: _complete,
}


def _list_candidates(matches: Sequence[str], typed: str, columns: int) -> bytes:
    """List the candidates, each from the word that is being typed."""
    word = typed.rfind(" ") + 1
    names = sorted({match[word:].strip() for match in matches})
    shown = names[:MOST_LISTED] + [f"... ({len(names)})"] * (len(names) > MOST_LISTED)
    width = min(columns - 1, max(map(len, shown)) + 2)
    per_row = max(1, (columns - 1) // width)
    rows = [shown[at : at + per_row] for at in range(0, len(shown), per_row)]
    texts = ("".join(name[:width].ljust(width) for name in row).rstrip() for row in rows)
    return b"".join(NEW_LINE + text.encode("ascii", "replace") for text in texts)


# The row


def _lead(line: EditedLine) -> str:
    """Return the text before the input: the prompt, or its end if it is too long."""
    return line.prompt[-max(1, line.columns - 1 - LEAST_ROOM) :] if line.start == 0 else "<"


def _space(line: EditedLine) -> int:
    return max(1, line.columns - 1 - len(_lead(line)))


def _scroll(line: EditedLine) -> EditedLine:
    """Scroll the line until the cursor is visible."""
    cursor, length = line.typed.cursor, len(line.typed.text)
    if _is_cursor_visible(line):
        return line
    at_start = replace(line, start=0)
    if _is_cursor_visible(at_start):
        return at_start
    ahead = cursor > line.start
    space = line.columns - 2
    kept = min(KEPT_VISIBLE, space // 2)
    start = cursor - kept if ahead or cursor == length else cursor - (space - kept)
    return replace(line, start=max(1, start))


def _is_cursor_visible(line: EditedLine) -> bool:
    space, cursor, length = _space(line), line.typed.cursor, len(line.typed.text)
    continues = length - line.start > space
    after_start = line.start == 0 or line.start < cursor
    return after_start and cursor - line.start <= (space - 2 if continues else space)


def _render_row(line: EditedLine) -> TerminalRow:
    text = "*" * len(line.typed.text) if line.hidden else line.typed.text
    lead, space = _lead(line), _space(line)
    visible = text[line.start : line.start + space]
    if len(text) - line.start > space:
        visible = visible[:-1] + ">"
    return TerminalRow(lead + visible, len(lead) + line.typed.cursor - line.start)
