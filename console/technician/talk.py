"""What a command may do at a terminal, wherever that terminal is."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from console.texts.language import Words
from console.texts.technician.session_texts import INTERRUPTED


class Interrupted(Exception):
    """The command ends: the person pressed Ctrl-C, or did not answer in time, or nobody is there.

    `words`: what to say of it.
    """

    def __init__(self, words: Words = INTERRUPTED) -> None:
        super().__init__(words.en)
        self.words = words


class Hung(Exception):
    """The terminal is gone: the cable was pulled, or the terminal program ended."""


class Talk(Protocol):
    """A terminal. Text is plain, without escapes; the caller keeps lines within `columns`.

    Every method may raise Hung; those that wait may raise Interrupted.
    """

    @property
    def columns(self) -> int:
        """Characters in a line; 80 if the terminal does not say."""

    async def say(self, *lines: str) -> None:
        """Print whole lines, a page at a time: a key turns the page, q raises Interrupted."""

    async def ask(self, question: str, *, hidden: bool = False, seconds: float = 120.0) -> str:
        """Ask for a line and return it stripped; `hidden`: a PIN, shown as stars."""

    async def confirm(self, question: str) -> bool | None:
        """Ask once: True for y, yes, s, si, sì; False for n, no and Enter; None otherwise."""

    async def key(self, seconds: float) -> str | None:
        """Return the next key, such as `q`, ` `, `\\r`; None if none comes in time."""

    async def forget_typed(self) -> None:
        """Wait until all output is shown, then forget the keys typed before.

        Keys typed before a question was shown must not answer it.
        """

    async def pause(self, seconds: float) -> None:
        """Wait; keys typed meanwhile are kept."""

    def give_back(self, key: str) -> None:
        """Make a printable key that was read the next one again."""

    async def show(self, lines: Sequence[str]) -> None:
        """Show a changing picture; only the differences to the last `show` are sent.

        A terminal without cursor movement gets the changed lines below. A picture is skipped while
        the terminal still has to show the last one.
        """


class CommandTerminal(Talk, Protocol):
    """A terminal at which commands are typed, with editing, history and completion."""

    async def command(
        self,
        prompt: Callable[[], Awaitable[Sequence[str]]],
        complete: Callable[[str], Sequence[str]],
    ) -> str:
        """Read one line. Raises Hung; Ctrl-C empties the line.

        `prompt` returns the lines above the input and last the text before the cursor. It is called
        each second and shown again when it changes. `complete` returns the possible completions of
        the typed line.
        """

    async def attend(self, running: "asyncio.Future[None]") -> None:
        """Wait for the end of a command.

        A command may wait for something other than the terminal. So a hang-up, or a Ctrl-C that it
        does not handle within 0.5 s, cancels it and is raised here (Hung, Interrupted).
        """
