"""What a command may do with the person at the terminal, however that terminal is reached."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol


class Interrupted(Exception):
    """The person has pressed Ctrl-C, or answered nothing in time: the command ends there."""


class Hung(Exception):
    """The terminal is gone: the cable was pulled, the program ended."""


class Talk(Protocol):
    """One person at one terminal; text is plain, without escapes, cut at `columns` by the caller.

    Every method may raise Hung; those that wait may raise Interrupted.
    """

    @property
    def columns(self) -> int:
        """Characters in a line; 80 where the terminal does not say."""

    async def say(self, *lines: str) -> None:
        """Print whole lines, a page at a time: a key turns the page, q raises Interrupted."""

    async def ask(self, question: str, *, hidden: bool = False, seconds: float = 120.0) -> str:
        """Ask for a line and return it stripped; `hidden`: a PIN, shown as stars."""

    async def confirm(self, question: str) -> bool | None:
        """Ask once: True for y, yes, s, si, sì; False for n, no and Enter; None for all else."""

    async def key(self, seconds: float) -> str | None:
        """The next key within so long, such as `q`, ` `, `\\r`; None if there was none."""

    async def forget_typed(self) -> None:
        """Wait until all that was said stands there, then forget the keys typed before.

        So what was typed before a question was shown does not answer it.
        """

    async def pause(self, seconds: float) -> None:
        """Wait so long; what is typed meanwhile is kept."""

    def give_back(self, key: str) -> None:
        """A printable key that was read is the next one again."""

    async def show(self, lines: Sequence[str]) -> None:
        """A picture that changes: what differs from the last `show` is printed again.

        On a terminal without cursor movement the lines that changed are printed below. While the
        terminal has not taken the last picture, this one is left out.
        """


class CommandTerminal(Talk, Protocol):
    """A terminal at which commands are typed, with editing, history and completion."""

    async def command(
        self,
        prompt: Callable[[], Awaitable[Sequence[str]]],
        complete: Callable[[str], Sequence[str]],
    ) -> str:
        """Read one line. Raises Hung; Ctrl-C empties the line.

        `prompt` gives the lines above it, and last what stands before the cursor; it is asked again
        each second, and printed anew with what has been typed when it differs. `complete`: the
        whole lines that the one typed so far may become.
        """

    async def attend(self, running: "asyncio.Future[None]") -> None:
        """Wait for the end of a command.

        A Ctrl-C that it does not heed within 0.5 s, and a hang-up, cancel it, and are raised here
        (Interrupted, Hung): it may wait for something else than the terminal.
        """
