"""The simulated cabinet on a terminal: its picture, what was typed and answered, and a prompt."""

import asyncio
import os
from collections import deque
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

from console.rules.acts import Act
from console.rules.round import Transition
from console.service.table_service import TableService
from console.simulation.scenario.acts import Vocabulary, Wait
from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.scenario.expectations import Expectation
from console.simulation.scenario.play import find_mismatch, parse_typed_line, perform
from console.simulation.scenario.script import Statement
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.simulation.scenario.simulated_table import SimulatedTable
from console.simulation.terminal.cabinet_view import HEIGHT, ScreenTraits, draw
from console.simulation.terminal.guide import complete_line, help_of
from console.simulation.terminal.notices import Notices, show_warnings
from console.simulation.terminal.poker_view import draw_poker, poker_facts_of
from console.texts.layout import wrap
from console.texts.table_texts import names_of
from console.texts.terminal_texts import F1_HELP

LOOK_EVERY_S = 0.1
"""How often to compare the cabinet with the screen; also done after each step of the service."""

LEAVES = "nothing to end: Ctrl-C again, Ctrl-D or `quit` leaves"

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
        "clock": "ansibrightgreen bold",
        "clock.called": "ansibrightyellow bold",
        "felt": "ansiwhite",
        "seat": "ansiyellow",
        "dealer": "ansibrightyellow bold",
        "green": "bg:ansigreen ansiwhite bold",
        "key": "ansibrightyellow bold",
        "fault": "ansibrightred bold",
        "award": "ansibrightyellow bold",
        "accounts": "ansiwhite",
        "good": "ansibrightgreen",
        "bad": "ansibrightred",
    }
)


async def run_screen(
    simulated_table: SimulatedTable,
    vocabulary: Vocabulary,
    machine: SimulatedMachine,
    notices: Notices | None = None,
) -> int:
    """Show the cabinet and do what is typed until `quit` or Ctrl-D; always 0.

    Ctrl-C ends a `wait`, or else clears a half-typed line. If there is neither, a second Ctrl-C
    leaves. Notices and warnings are shown among the answers.
    """
    screen = _Screen(simulated_table, vocabulary, machine)
    if notices is not None:
        notices.show = screen.announce
    return await screen.run()


@dataclass(slots=True)
class _Line:
    """A typed line and its answer, once there is one."""

    typed: str
    answer: str = "..."
    good: bool = True


class _Screen:
    def __init__(
        self, simulated_table: SimulatedTable, vocabulary: Vocabulary, machine: SimulatedMachine
    ) -> None:
        self._simulated_table = simulated_table
        self._vocabulary = vocabulary
        self._machine = machine
        self._language = machine.plan.language
        self._watched: TableService | None = None
        self._lines: deque[_Line] = deque(maxlen=SHOWN_ANSWERS)
        self._waiting: asyncio.Queue[tuple[_Line, Statement]] = asyncio.Queue(WAITING_LINES)
        self._helping = False
        self._wait: asyncio.Task[None] | None = None
        self._may_leave = False
        self._shown: tuple[StyleAndTextTuples, StyleAndTextTuples] | None = None
        self._application: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
        )

    async def run(self) -> int:
        """Run until somebody leaves. Raises what an act raised."""
        tasks = [asyncio.create_task(self._act()), asyncio.create_task(self._look_always())]
        for task in tasks:
            task.add_done_callback(lambda _: self._leave())
        try:
            with show_warnings(self._show_warning):
                await self._application.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()
        return 0

    # What is typed

    def _accept(self, buffer: Buffer) -> bool:
        typed = buffer.text.strip()
        self._may_leave = False
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
            statement = parse_typed_line(typed, 0, self._vocabulary)
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
        further, choices = complete_line(begun, self._vocabulary)
        if further:
            buffer.insert_text(further)
        elif choices:
            self._lines.append(_Line("", "  ".join(choices)))

    async def _act(self) -> None:
        while True:
            line, statement = await self._waiting.get()
            if not isinstance(statement.does, Wait):
                await perform(self._simulated_table, statement.does)
                self._answer(line, statement)
            elif await self._wait_for(statement.does):
                self._answer(line, statement)
            else:
                line.answer, line.good = "ended by Ctrl-C", False
            self._look()

    async def _wait_for(self, wait: Wait) -> bool:
        """Whether the whole time has passed; False: Ctrl-C ended the wait."""
        self._wait = asyncio.create_task(perform(self._simulated_table, wait))
        try:
            await asyncio.wait({self._wait})
            return not self._wait.cancelled()
        finally:
            self._wait.cancel()
            self._wait = None

    def _interrupt(self, typing: Buffer) -> None:
        """Ctrl-C: end a wait, else clear the typed line, else leave at the second time."""
        if self._wait is not None:
            self._wait.cancel()
        elif typing.text:
            typing.reset()
        elif self._may_leave:
            self._leave()
        else:
            self._may_leave = True
            self._lines.append(_Line("", LEAVES))
            return
        self._may_leave = False

    def _answer(self, line: _Line, statement: Statement) -> None:
        seen = self._simulated_table.observe()
        answer = find_mismatch(statement.does, seen)
        if seen.refused is not None and not isinstance(statement.does, Expectation | Wait):
            answer = f"refused {seen.refused.value}"
        line.answer, line.good = answer or "ok", answer is None

    def announce(self, text: str) -> None:
        """Show a line among the answers."""
        self._lines.append(_Line("", text))
        self._application.invalidate()

    def _show_warning(self, text: str) -> None:
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
            accept_handler=self._accept,
            history=InMemoryHistory(),
        )
        body = HSplit(
            [
                Window(FormattedTextControl(self._picture), height=self._picture_rows),
                Window(
                    FormattedTextControl(f"-- {F1_HELP.in_(self._language)} "),
                    height=1,
                    char="-",
                    style="class:frame",
                ),
                Window(FormattedTextControl(self._answers), height=self._answer_rows),
                prompt,
                Window(),
            ]
        )
        text = FormattedTextControl(help_of(self._vocabulary))
        guide = Frame(Window(text), title="F1", style="class:help")
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
        def _(_: KeyPressEvent) -> None:
            self._leave()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            self._interrupt(event.current_buffer)

        return keys

    def _rows(self) -> int:
        return self._application.output.get_size().rows

    def _answer_rows(self) -> int:
        """So many that the last answer is whole; at a small terminal the picture gives way."""
        last = len(self._rows_of(self._lines[-1])) if self._lines else 0
        beside = min(SHOWN_ANSWERS, self._rows() - HEIGHT - 3)
        return max(FEWEST_ANSWERS, beside, min(last, SHOWN_ANSWERS, self._rows() - 3))

    def _picture_rows(self) -> int:
        return max(1, min(HEIGHT + 1, self._rows() - self._answer_rows() - 2))

    def _picture(self) -> StyleAndTextTuples:
        self._watch()
        seen, service = self._simulated_table.observe(), self._simulated_table.service
        output = self._application.output
        look = ScreenTraits(
            width=output.get_size().columns,
            language=self._language,
            unicode=_speaks_unicode(output),
            now_ms=round(asyncio.get_running_loop().time() * 1000),
            names=names_of(service.state.settings),
        )
        facts = facts_of(self._machine.cabinet, self._machine.disk, service)
        poker = poker_facts_of(service, self._machine.plan.language)
        if poker is not None:
            return [*draw_poker(seen, facts, poker, look)]
        return [*draw(seen, facts, look)]

    def _answers(self) -> StyleAndTextTuples:
        """Oldest first, as many rows as there are; the last answer's beginning is among them."""
        most = self._answer_rows()
        rows = [row for line in self._lines for row in self._rows_of(line)]
        if self._lines and len(last := self._rows_of(self._lines[-1])) > most:
            style, text = last[most - 1][-1]
            rows = [*last[: most - 1], [(style, f"{text[:-3]}...")]]
        fragments: StyleAndTextTuples = []
        for row in rows[-most:]:
            fragments += [*row, ("", "\n")]
        return fragments[:-1]

    def _rows_of(self, line: _Line) -> list[list[tuple[str, str]]]:
        """A line and its answer, as wide as the terminal."""
        typed = f"> {line.typed}   " if line.typed else ""
        columns = self._application.output.get_size().columns
        first, *further = wrap(f"{typed}{line.answer}", columns, after="  ")
        style = "class:good" if line.good else "class:bad"
        head = [("", first[: len(typed)]), (style, first[len(typed) :])]
        return [head, *([(style, text)] for text in further)]

    async def _look_always(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            self._look()

    def _look(self) -> None:
        """Draw again if the picture or the answers have changed."""
        seen = self._picture(), self._answers()
        if seen != self._shown:
            self._shown = seen
            self._application.invalidate()

    def _watch(self) -> None:
        """Follow the service that runs now; after a power cut it is another one."""
        service = self._simulated_table.service
        if service is not self._watched:
            self._watched = service
            service.watchers.append(self._on_step)

    def _on_step(self, _act: Act, _step: Transition) -> None:
        asyncio.get_running_loop().call_soon(self._look)


def _speaks_unicode(output: Output) -> bool:
    """Whether the user's locale says so: Python alone takes every terminal for a UTF-8 one."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return all("utf8" in name.lower().replace("-", "") for name in (locale, output.encoding()))
