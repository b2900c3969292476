"""The simulated cabinet on a terminal: its picture, what was typed and answered, and a prompt."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Style
from prompt_toolkit.widgets import Frame, TextArea

from console.acts import Act
from console.faces.bulletin import Bulletin
from console.faces.cabinet_view import HEIGHT, Look, draw
from console.faces.guide import HELP, completed
from console.health.journal import Journal
from console.round import Step
from console.scenario.cabinet_facts import facts_of
from console.scenario.deeds import Vocabulary, Wait
from console.scenario.expectations import Expectation
from console.scenario.performance import disappointment, perform, statement_of
from console.scenario.rehearsal import Rehearsal, Stage
from console.scenario.script import Statement
from console.service import TableService

LOOK_EVERY_S = 0.1
"""The cabinet is looked at this often, and whenever the service has done something."""

SHOWN_ANSWERS = 6
FEWEST_ANSWERS = 2
WAITING_LINES = 32

STYLE = Style.from_dict(
    {
        "banner": "bg:ansired ansiwhite bold",
        "phase": "ansibrightcyan bold",
        "label": "ansigray",
        "note": "ansibrightmagenta bold",
        "frame": "ansigray",
        "display": "bg:ansiblack ansibrightgreen bold",
        "token": "ansiyellow",
        "lamp.dark": "ansigray",
        "lamp.invite": "ansibrightyellow bold",
        "lamp.invite.dim": "ansiyellow nobold",
        "lamp.on": "ansibrightgreen bold",
        "lamp.alert": "bg:ansired ansiwhite bold",
        "lamp.alert.dim": "bg:default ansired nobold",
        "button": "bg:ansiblue ansiwhite",
        "button.lit": "bg:ansibrightyellow ansiblack bold",
        "key": "ansibrightyellow bold",
        "fault": "ansibrightred bold",
        "award": "ansibrightyellow bold",
        "accounts": "ansiwhite",
        "good": "ansibrightgreen",
        "bad": "ansibrightred",
    }
)


async def run_screen(
    rehearsal: Rehearsal, vocabulary: Vocabulary, stage: Stage, bulletin: Bulletin | None = None
) -> int:
    """Show the cabinet and do what is typed until `quit`, Ctrl-D or Ctrl-C; always 0.

    What is told or logged meanwhile is shown among the answers.
    """
    screen = _Screen(rehearsal, vocabulary, stage)
    if bulletin is not None:
        bulletin.hear = screen.announce
    return await screen.run()


@dataclass(slots=True)
class _Line:
    """What was typed and, as soon as there is one, the answer to it."""

    typed: str
    answer: str = "..."
    good: bool = True


class _Screen:
    def __init__(self, rehearsal: Rehearsal, vocabulary: Vocabulary, stage: Stage) -> None:
        self._rehearsal = rehearsal
        self._vocabulary = vocabulary
        self._stage = stage
        self._watched: TableService | None = None
        self._lines: deque[_Line] = deque(maxlen=SHOWN_ANSWERS)
        self._waiting: asyncio.Queue[tuple[_Line, Statement]] = asyncio.Queue(WAITING_LINES)
        self._helping = False
        self._application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            refresh_interval=LOOK_EVERY_S,
        )

    async def run(self) -> int:
        """Until somebody leaves. Raises what doing an act raised."""
        acting = asyncio.create_task(self._act())
        acting.add_done_callback(lambda _: self._leave())
        try:
            with _log_shown(self._say):
                await self._application.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            acting.cancel()
            with suppress(asyncio.CancelledError):
                await acting
        return 0

    # What is typed

    def _typed(self, buffer: Buffer) -> bool:
        typed = buffer.text.strip()
        match typed.lower():
            case "quit":
                self._leave()
            case "help" | "?":
                self._helping = True
            case _:
                self._queue(typed)
        return False

    def _queue(self, typed: str) -> None:
        try:
            statement = statement_of(typed, 0, self._vocabulary)
        except ValueError as error:
            self._lines.append(_Line(typed, str(error), good=False))
            return
        if statement is None:
            return
        line = _Line(typed)
        try:
            self._waiting.put_nowait((line, statement))
        except asyncio.QueueFull:
            line = _Line(typed, f"not done: {WAITING_LINES} lines wait already", good=False)
        self._lines.append(line)

    def _complete(self, buffer: Buffer) -> None:
        begun = buffer.document.text_before_cursor
        further, choices = completed(begun, self._vocabulary)
        if further:
            buffer.insert_text(further)
        elif choices:
            self._lines.append(_Line("", "  ".join(choices)))

    async def _act(self) -> None:
        while True:
            line, statement = await self._waiting.get()
            await perform(self._rehearsal, statement.does)
            self._answer(line, statement)
            self._application.invalidate()

    def _answer(self, line: _Line, statement: Statement) -> None:
        seen = self._rehearsal.observe()
        answer = disappointment(statement.does, seen)
        if seen.refused is not None and not isinstance(statement.does, Expectation | Wait):
            answer = f"refused {seen.refused.value}"
        line.answer, line.good = answer or "ok", answer is None

    def announce(self, text: str) -> None:
        """Show a line among the answers."""
        self._lines.append(_Line("", text))
        self._application.invalidate()

    def _say(self, text: str) -> None:
        self._lines.append(_Line("", text, good=False))
        self._application.invalidate()

    def _leave(self) -> None:
        if self._application.is_running and not self._application.is_done:
            self._application.exit()

    # What is seen

    def _layout(self) -> Layout:
        prompt = TextArea(
            prompt="> ",
            multiline=False,
            accept_handler=self._typed,
            history=InMemoryHistory(),
        )
        body = HSplit(
            [
                Window(FormattedTextControl(self._picture), height=self._picture_rows),
                Window(height=1, char="-", style="class:frame"),
                Window(
                    FormattedTextControl(self._answers), height=self._answer_rows, wrap_lines=True
                ),
                prompt,
                Window(),
            ]
        )
        guide = Frame(Window(FormattedTextControl(HELP)), title="F1", style="class:help")
        helping = ConditionalContainer(guide, Condition(lambda: self._helping))
        return Layout(FloatContainer(body, [Float(helping)]), focused_element=prompt)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("f1")
        def _(_: KeyPressEvent) -> None:
            self._helping = not self._helping

        @keys.add("tab")
        def _(event: KeyPressEvent) -> None:
            self._complete(event.current_buffer)

        @keys.add("c-d")
        @keys.add("c-c")
        def _(_: KeyPressEvent) -> None:
            self._leave()

        return keys

    def _rows(self) -> int:
        return self._application.output.get_size().rows

    def _answer_rows(self) -> int:
        return max(FEWEST_ANSWERS, min(SHOWN_ANSWERS, self._rows() - HEIGHT - 3))

    def _picture_rows(self) -> int:
        return max(1, min(HEIGHT + 1, self._rows() - self._answer_rows() - 2))

    def _picture(self) -> StyleAndTextTuples:
        self._watch()
        output = self._application.output
        look = Look(
            width=output.get_size().columns,
            unicode=_speaks_unicode(output),
            now_ms=round(asyncio.get_running_loop().time() * 1000),
        )
        facts = facts_of(self._stage.cabinet, self._stage.disk, self._rehearsal.service)
        return [*draw(self._rehearsal.observe(), facts, look)]

    def _answers(self) -> StyleAndTextTuples:
        """Oldest first, scrolled to the end."""
        fragments: StyleAndTextTuples = []
        for line in self._lines:
            typed = f"\n> {line.typed}   " if line.typed else "\n"
            fragments += [("", typed), ("class:good" if line.good else "class:bad", line.answer)]
        return [*fragments, ("[SetCursorPosition]", "")]

    def _watch(self) -> None:
        """Draw again on whatever a service does; another one runs after a power cut."""
        service = self._rehearsal.service
        if service is not self._watched:
            self._watched = service
            service.watchers.append(self._stepped)

    def _stepped(self, _act: Act, _step: Step) -> None:
        self._application.invalidate()


class _LogLines(logging.Handler):
    """Hands each record on as one line; statistics are none of a picture's."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """Hand it on, from whatever thread."""
        self._say(f"{record.levelname} {record.getMessage()}")


@contextmanager
def _log_shown(say: Callable[[str], None]) -> Iterator[None]:
    """While the screen is full, a log written to the terminal would spoil it."""
    root = logging.getLogger()
    journals = [handler for handler in root.handlers if isinstance(handler, Journal)]
    handlers, root.handlers = root.handlers, [*journals, _LogLines(say)]
    for journal in journals:
        journal.written = False
    try:
        yield
    finally:
        for journal in journals:
            journal.written = True
        root.handlers = handlers


def _speaks_unicode(output: Output) -> bool:
    """Whether the user's locale says so: Python alone takes every terminal for a UTF-8 one."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return all("utf8" in name.lower().replace("-", "") for name in (locale, output.encoding()))
