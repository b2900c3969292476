"""A line as it is typed: what a key does to it, and what the terminal must be sent for that.

Pure: `press_key(line, key)` gives the next line, the bytes to send, and what it led to. The line
takes one row of the terminal; of a text too long for it a part is shown, with `<` and `>` where it
goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from console.technician.terminal.keys import Key, Press
from console.technician.terminal.line_history import History
from console.technician.terminal.row_painter import (
    BELL,
    NEW_LINE,
    TerminalRow,
    find_common_start,
    paint,
    paint_anew,
)
from console.texts.layout.plain_text import plain

LONGEST = 200
"""Characters of a line; a bell beyond."""

LEAST_ROOM = 20
"""Columns that a prompt, however long, leaves to the text."""

KEPT_IN_SIGHT = 16
"""Characters on the near side of the cursor when the row is moved along a long text."""

LISTED = 60
"""Candidates that a second Tab lists."""

Complete = Callable[[str], Sequence[str]]


class EditResult(Enum):
    """What a key led to."""

    ON = "on"  # the line is still being typed
    ENTERED = "entered"
    INTERRUPTED = "interrupted"
    ENDED = "ended"  # Ctrl-D where nothing was typed


@dataclass(frozen=True, slots=True)
class TypedText:
    """What has been typed, and where the next character goes."""

    text: str = ""
    cursor: int = 0

    def without(self, first: int, last: int) -> "TypedText":
        """The text with a piece taken out, the cursor where it was."""
        return TypedText(self.text[:first] + self.text[last:], first)

    def with_typed(self, characters: str) -> "TypedText":
        """The text with characters put in at the cursor."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        return TypedText(before + characters + after, self.cursor + len(characters))


@dataclass(frozen=True, slots=True)
class EditedLine:
    """A line being typed.

    `shown` is the row as the terminal shows it. `start`: the first character in sight. `recalled`:
    how many lines back in the history, 0 for the one typed here, which is kept as `draft`.
    """

    prompt: str
    columns: int = 80
    hidden: bool = False
    escapes: bool = False
    history: History = field(default_factory=History)
    complete: Complete | None = None
    typed: TypedText = field(default_factory=TypedText)
    start: int = 0
    recalled: int = 0
    draft: str = ""
    tabbed: bool = False
    shown: TerminalRow = field(default_factory=TerminalRow)


Pressed = tuple[EditedLine, bytes, EditResult]


def open_line(line: EditedLine) -> tuple[EditedLine, bytes]:
    """The line in an empty row."""
    row = _render_row(line)
    return replace(line, shown=row), paint(TerminalRow(), row, escapes=line.escapes)


def press_key(line: EditedLine, key: Press) -> Pressed:
    """What a key does."""
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
    """The line under another prompt; `above`: whole lines to be shown before it, in its place."""
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
    """The line on a terminal that has become wider or narrower, and may have moved its rows."""
    return redraw(_scroll(replace(line, columns=columns)))


def redraw(line: EditedLine) -> tuple[EditedLine, bytes]:
    """The line in the next row, whatever this one shows."""
    row = _render_row(line)
    return replace(line, shown=row), paint_anew(row, escapes=line.escapes)


# What keys do to the text


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


# Keys that do more


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
    """Complete what stands before the cursor; where nothing can be added, a second Tab lists."""
    if line.complete is None:
        return line, BELL, EditResult.ON
    typed = line.typed.text[: line.typed.cursor]
    offered = map(plain, line.complete(typed))
    fitting = [fit for fit in offered if fit.lower().startswith(typed.lower())]
    ahead = find_common_start(fitting)
    if len(fitting) == 1 and not line.typed.text[line.typed.cursor :].startswith(" "):
        ahead = ahead.rstrip(" ") + " "
    if len(ahead) > len(typed):
        return _insert(line, ahead[len(typed) :])
    if not line.tabbed or not fitting[1:]:
        return replace(line, tabbed=True), BELL, EditResult.ON
    line, sent = redraw(replace(line, tabbed=False))
    return line, _list_candidates(fitting, typed, line.columns) + sent, EditResult.ON


_OTHERS: Mapping[Key, Callable[[EditedLine], Pressed]] = {
    Key.ENTER: _enter,
    Key.INTERRUPT: _interrupt,
    Key.END_OF_INPUT: _end_of_input,
    Key.REDRAW: _redraw,
    Key.UP: _recall_older,
    Key.DOWN: _recall_newer,
    Key.TAB: _complete,
}


def _list_candidates(fitting: Sequence[str], typed: str, columns: int) -> bytes:
    """The candidates, each from the word on that is being typed."""
    word = typed.rfind(" ") + 1
    names = sorted({fit[word:].strip() for fit in fitting})
    shown = names[:LISTED] + [f"... ({len(names)})"] * (len(names) > LISTED)
    wide = min(columns - 1, max(map(len, shown)) + 2)
    each = max(1, (columns - 1) // wide)
    rows = [shown[at : at + each] for at in range(0, len(shown), each)]
    texts = ("".join(name[:wide].ljust(wide) for name in row).rstrip() for row in rows)
    return b"".join(NEW_LINE + text.encode("ascii", "replace") for text in texts)


# The row


def _lead(line: EditedLine) -> str:
    """What stands before the text: the prompt, its end if it is too long."""
    return line.prompt[-max(1, line.columns - 1 - LEAST_ROOM) :] if line.start == 0 else "<"


def _room(line: EditedLine) -> int:
    return max(1, line.columns - 1 - len(_lead(line)))


def _scroll(line: EditedLine) -> EditedLine:
    """The line with its row moved along the text until the cursor is in sight."""
    cursor, length = line.typed.cursor, len(line.typed.text)
    if _is_cursor_visible(line):
        return line
    at_start = replace(line, start=0)
    if _is_cursor_visible(at_start):
        return at_start
    ahead = cursor > line.start
    room = line.columns - 2
    kept = min(KEPT_IN_SIGHT, room // 2)
    start = cursor - kept if ahead or cursor == length else cursor - (room - kept)
    return replace(line, start=max(1, start))


def _is_cursor_visible(line: EditedLine) -> bool:
    room, cursor, length = _room(line), line.typed.cursor, len(line.typed.text)
    goes_on = length - line.start > room
    after_start = line.start == 0 or line.start < cursor
    return after_start and cursor - line.start <= (room - 2 if goes_on else room)


def _render_row(line: EditedLine) -> TerminalRow:
    text = "*" * len(line.typed.text) if line.hidden else line.typed.text
    lead, room = _lead(line), _room(line)
    seen = text[line.start : line.start + room]
    if len(text) - line.start > room:
        seen = seen[:-1] + ">"
    return TerminalRow(lead + seen, len(lead) + line.typed.cursor - line.start)
