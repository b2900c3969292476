"""The terminal for commands: reads lines with editing, prints pages, shows a changing picture.

It sends only CR, LF, BS, BEL and printable ASCII until the terminal itself has sent the escape
sequence of a cursor key.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from enum import Enum

from msgspec import Struct

from console.rules.structs import replace
from console.technician.talk import Interrupted
from console.technician.terminal import line_editor
from console.technician.terminal.keys import Key, Press
from console.technician.terminal.line_editor import EditedLine, EditResult, History
from console.technician.terminal.row_painter import NEW_LINE, repaint
from console.technician.terminal.session import TerminalSession
from console.texts.language import YES_IN_ANY
from console.texts.layout import plain
from firmware_bridge.line import Line as Port

MORE = "-- more --"

SPARED = 2
"""Rows that stay free: one for the question, one that minicom uses."""


ASKED_AGAIN_S = 1.0
"""How often the prompt is refreshed."""

BETWEEN_COMMANDS_S = 0.05
"""The pause between two commands: it bounds the cost of noise that looks like Enter."""

HANDLED_WITHIN_S = 0.5
"""A command that does not handle a Ctrl-C within this time is cancelled."""

ENDED_WITHIN_S = 2.0
"""Time for a cancelled command to clean up, for example to release a lamp."""

LEAST_COLUMNS = 20

NO = frozenset({"n", "no", ""})

_CHARACTERS = {Key.ENTER: "\r", Key.ESCAPE: "\x1b", Key.TAB: "\t", Key.BACKSPACE: "\b"}


class Turn(Enum):
    """The effect of a key at the question."""

    PAGE = "page"
    LINE = "line"
    QUIT = "quit"
    TYPING = "typing"


_TURNS: dict[Press, Turn] = {
    " ": Turn.PAGE,
    Key.ENTER: Turn.LINE,
    Key.DOWN: Turn.LINE,
    "q": Turn.QUIT,
    "Q": Turn.QUIT,
    Key.ESCAPE: Turn.QUIT,
    Key.INTERRUPT: Turn.QUIT,
    Key.END_OF_INPUT: Turn.QUIT,
}


def turn_of(press: Press) -> Turn | None:
    """Return the effect of a key, None for none. Any other character begins a command: TYPING."""
    if press in _TURNS:
        return _TURNS[press]
    return Turn.TYPING if isinstance(press, str) else None


class PageRows(Struct, frozen=True):
    """A page of output."""

    rows: int
    """Rows of a whole page."""

    left: int
    """Rows that may still be printed."""

    @classmethod
    def new(cls, rows: int) -> "PageRows":
        """Return a whole page for a terminal with this many rows."""
        whole = max(1, rows - SPARED)
        return cls(whole, whole)

    def after_rows(self, rows: int) -> "PageRows":
        """Return the page after printing rows."""
        return PageRows(self.rows, self.left - rows)

    def after_turn(self, how: Turn) -> "PageRows":
        """Return the page after a key."""
        return PageRows(self.rows, self.rows if how is Turn.PAGE else 1)

    def has_room(self, rows: int) -> bool:
        """Return whether the rows fit, or are more than any page holds."""
        return rows <= self.left or self.left == self.rows


def erase(question: str) -> bytes:
    """Return the bytes that erase the question on any terminal."""
    return b"\r" + b" " * len(question) + b"\r"


Prompt = Callable[[], Awaitable[Sequence[str]]]
Complete = Callable[[str], Sequence[str]]


class Escapes(Enum):
    """Whether a terminal may be sent escape sequences."""

    NEVER = "never"
    ONCE_SENT = "once it has sent one"
    ALWAYS = "always"


class Size(Struct, frozen=True):
    """Characters in a row, and rows."""

    columns: int = 80
    rows: int = 24


class Terminal:
    """A `CommandTerminal` at a port that may be lost and come back.

    `pace`: bytes per second of the wire; None for a port that takes what it can show.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        port: Port,
        *,
        size: Callable[[], Size] = Size,
        escapes: Escapes = Escapes.ONCE_SENT,
        pace: int | None = None,
    ) -> None:
        self.session = TerminalSession(loop, port, pace)
        self._loop = loop
        self._size = size
        self._may_escape = escapes
        self._edited: EditedLine | None = None
        self._history = History()
        self._page = PageRows.new(size().rows)
        self._picture: Sequence[str] = ()
        self._next_command_s = 0.0

    async def wait_for_user(self, *, at_once: bool, greeting: str = "") -> None:
        """See `TerminalSession.wait_for_user`."""
        await self.session.wait_for_user(at_once=at_once, greeting=greeting)
        self._page = PageRows.new(self._size().rows)
        self._picture = ()

    # Talk

    @property
    def columns(self) -> int:
        """See `Talk`."""
        return max(LEAST_COLUMNS, self._size().columns)

    async def say(self, *lines: str) -> None:
        """See `Talk`."""
        self._picture = ()
        for line in "\n".join(lines).split("\n") if lines else ():
            text = plain(line).rstrip()
            rows = max(1, -(-len(text) // self.columns))
            await self._turn_page(rows)
            await self.session.write(text.encode("ascii") + NEW_LINE)
            self._page = self._page.after_rows(rows)
        self.session.raise_if_disturbed()

    async def ask(self, question: str, *, hidden: bool = False, seconds: float = 120.0) -> str:
        """See `Talk`."""
        question = plain(question)
        if len(question) > self.columns - line_editor.LEAST_ROOM:
            await self.say(question)
            question = "> "
        line = EditedLine(question, self.columns, hidden, self._escapes)
        result, text = await self._read_line(line, self._loop.time() + seconds)
        if result is not EditResult.ENTERED:
            raise Interrupted
        return text.strip()

    async def confirm(self, question: str) -> bool | None:
        """See `Talk`. Keys typed before the question are ignored."""
        await self.forget_typed()
        answer = (await self.ask(question.rstrip() + " ")).lower()
        return True if answer in YES_IN_ANY else False if answer in NO else None

    async def key(self, seconds: float) -> str | None:
        """See `Talk`. Enter is `\\r`, Tab `\\t`, Escape `\\x1b`, Backspace `\\b`."""
        until = self._loop.time() + seconds
        while True:
            press = await self._read_key(until)
            if press is None or isinstance(press, str):
                return press
            if press is Key.INTERRUPT:
                raise Interrupted
            if press in _CHARACTERS:
                return _CHARACTERS[press]

    async def forget_typed(self) -> None:
        """See `Talk`."""
        await self.session.drain()
        self.session.drop_typed_ahead()

    async def pause(self, seconds: float) -> None:
        """See `Talk`."""
        disturbed = self._loop.create_task(self.session.wait_disturbed())
        try:
            await asyncio.wait({disturbed}, timeout=seconds)
        finally:
            disturbed.cancel()
        self.session.raise_if_disturbed()

    def give_back(self, key: str) -> None:
        """See `Talk`."""
        self.session.give_back(key)

    async def show(self, lines: Sequence[str]) -> None:
        """See `Talk`."""
        self.session.raise_if_disturbed()
        await asyncio.sleep(0)
        if self.session.waiting:
            return
        wanted = [plain(line).rstrip()[: self.columns - 1] for line in lines]
        in_place = self._escapes and len(wanted) == len(self._picture) < self._size().rows
        await self.session.write(repaint(self._picture, wanted, in_place=in_place))
        self._picture = wanted
        self._page = PageRows.new(self._size().rows)

    # Commands

    async def command(self, prompt: Prompt, complete: Complete) -> str:
        """See `CommandTerminal`. Ctrl-D on an empty line is `exit`."""
        await asyncio.sleep(self._next_command_s - self._loop.time())
        result, text = EditResult.INTERRUPTED, ""
        while result is EditResult.INTERRUPTED:
            self.session.forget_interrupt()
            with suppress(Interrupted):
                result, text = await self._read_command(prompt, complete)
        self._history = self._history.with_line(text)
        self._next_command_s = self._loop.time() + BETWEEN_COMMANDS_S
        return text if result is EditResult.ENTERED else "exit"

    async def attend(self, running: "asyncio.Future[None]") -> None:
        """See `CommandTerminal`."""
        while not running.done():
            disturbed = self._loop.create_task(self.session.wait_disturbed())
            try:
                await asyncio.wait({running, disturbed}, return_when=asyncio.FIRST_COMPLETED)
                await asyncio.wait({running}, timeout=HANDLED_WITHIN_S)
            finally:
                disturbed.cancel()
            if not running.done() and self.session.is_disturbed:
                running.cancel()
                await asyncio.wait({running}, timeout=ENDED_WITHIN_S)
                self.session.raise_if_disturbed()

    async def _read_command(self, prompt: Prompt, complete: Complete) -> tuple[EditResult, str]:
        lines = [plain(text) for text in await prompt()]
        above = "".join(f"{text}\r\n" for text in lines[:-1])
        await self.session.write(above.encode("ascii"))
        line = EditedLine(lines[-1], self.columns, False, self._escapes, self._history, complete)
        refreshing = self._loop.create_task(self._refresh(lines, prompt))
        try:
            return await self._read_line(line, None)
        finally:
            refreshing.cancel()
            await asyncio.wait({refreshing})
            if not refreshing.cancelled():
                refreshing.result()

    async def _refresh(self, shown: list[str], prompt: Prompt) -> None:
        """Show the prompt again when it has changed and no other output is waiting."""
        while True:
            await asyncio.sleep(ASKED_AGAIN_S)
            lines = [plain(text) for text in await prompt()]
            if lines != shown and self._edited is not None and not self.session.waiting:
                above = lines[:-1] if lines[:-1] != shown[:-1] else []
                self._edited, sent = line_editor.change_prompt(self._edited, above, lines[-1])
                self.session.put(sent)
                shown = lines

    async def _read_line(self, line: EditedLine, until: float | None) -> tuple[EditResult, str]:
        """Read a line; INTERRUPTED also if the time is up."""
        self._picture = ()
        await self.session.wait_for_room()
        self._edited, sent = line_editor.open_line(line)
        self.session.put(sent)
        self.session.echoes_interrupt = False
        try:
            result = EditResult.ON
            while result is EditResult.ON:
                press = await self._read_key(until)
                await self.session.wait_for_room()
                result = self._edit(Key.INTERRUPT if press is None else press)
            return result, self._edited.typed.text
        finally:
            self._edited = None
            self.session.echoes_interrupt = True

    def _edit(self, press: Press) -> EditResult:
        assert self._edited is not None
        line, columns = self._edited, self.columns
        if line.columns != columns:
            line, sent = line_editor.resize(line, columns)
            self.session.put(sent)
        if line.escapes != self._escapes:
            line = replace(line, escapes=self._escapes)
        self._edited, sent, result = line_editor.press_key(line, press)
        self.session.put(sent)
        return result

    # Keys and pages

    @property
    def _escapes(self) -> bool:
        once_sent = self._may_escape is Escapes.ONCE_SENT and self.session.moves_cursor
        return once_sent or self._may_escape is Escapes.ALWAYS

    async def _read_key(self, until: float | None) -> Press | None:
        self._page = PageRows.new(self._size().rows)
        return await self.session.read_key(until)

    async def _turn_page(self, rows: int) -> None:
        while not self._page.has_room(rows):
            page = self._page
            self.session.drop_typed_ahead(until=_begins_a_command)
            await self.session.write(MORE.encode("ascii"))
            turn, press = None, None
            while turn is None or press is None:
                press = await self._read_key(None)
                turn = turn_of(press) if press is not None else None
            await self.session.write(erase(MORE))
            if turn is Turn.TYPING:
                self.session.give_back(press)
            if turn in (Turn.QUIT, Turn.TYPING):
                raise Interrupted
            self._page = page.after_turn(turn)


def _begins_a_command(press: Press) -> bool:
    return turn_of(press) is Turn.TYPING
