"""The dialogue of `declare` and `correct` with a person and the table, on a terminal or a pipe."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.places import line_of, line_of_this_machine
from console.line.client import LineClient, Unreachable
from console.line.refusals import render_refusal
from console.line.requests import AnyAnswer, AnyRequest, AskStatus, Done, Enter, LogOut, No, Status
from console.office.questions import NoAnswer, ask_hidden
from console.texts.language import Language
from console.texts.office_texts import KEYS, NAME
from jackpot.failures import Refused

DONE, NOT_DONE, UNUSABLE = 0, 1, 2

YES = frozenset({"y", "yes", "s", "si", "sì"})


PIN = "PIN: "


class NothingDone(Refused):
    """Nothing was done; the text, in the person's language, says why."""


class Dialogue(Protocol):
    """Asks a person and the table. Each method may raise its terminal's own errors."""

    @property
    def language(self) -> Language:
        """The person's language."""

    async def request(self, request: AnyRequest) -> Done:
        """Send an act to the table. Raises Unreachable; for a refusal, the dialogue's own error."""

    async def say(self, *lines: str) -> None:
        """Print whole lines."""

    async def ask(self, question: str, *, hidden: bool = False) -> str:
        """Ask for a line; a `hidden` one, such as a PIN, is not shown while it is typed."""

    async def confirm(self, question: str) -> bool:
        """Ask for yes or no, and show the keys; anything except yes is no."""


class TableChoice(Struct, frozen=True):
    """The table that a command names, by the socket of its line or its configuration.

    Without both it is the simulated one, or this machine's.
    """

    socket: Path | None = None
    config: Path | None = None
    simulated: bool = False


class LineEntry(Struct, frozen=True):
    """Who enters at which table's line; "": asked. `language`: None is the table's own."""

    table: TableChoice
    who: str
    language: Language | None


class LocalDialogue:
    """Questions block the event loop, in which nothing else runs; Ctrl-C ends the command."""

    def __init__(self, client: LineClient, language: Language, *, yes: bool = False) -> None:
        self.language = language
        self._client = client
        self._yes = yes  # answers every `confirm`

    async def request(self, request: AnyRequest) -> Done:
        """Send an act. Raises Unreachable; NothingDone for a refusal."""
        return _expect_done(await self._client.ask(request), self.language)

    async def say(self, *lines: str) -> None:
        """Print the lines to standard output."""
        print(*lines, sep="\n")

    async def ask(self, question: str, *, hidden: bool = False) -> str:
        """A line from the terminal, or the next line of a pipe; at its end, an empty answer."""
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\n")
        if hidden:
            try:
                return ask_hidden(question)
            except NoAnswer:
                return ""
        print(question, end="", flush=True)
        return sys.stdin.readline().rstrip("\n")

    async def confirm(self, question: str) -> bool:
        """Ask once, unless the command line has said yes."""
        if self._yes:
            return True
        answer = await self.ask(f"{question} {KEYS.in_(self.language)}")
        return answer.strip().lower() in YES


def run_dialogue(
    entry: LineEntry, act: Callable[[Dialogue], Awaitable[None]], *, yes: bool = False
) -> int:
    """Enter at the table's line, act, and leave. Prints what failed; returns the exit status."""
    try:
        client = LineClient(_find_socket(entry.table))
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(_enter_and_act(client, entry, act, yes))
        finally:
            client.close()
            loop.run_until_complete(asyncio.sleep(0))
            loop.close()
    except (ConfigurationErrors, Unreachable) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except NothingDone as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    return DONE


def _find_socket(table: TableChoice) -> Path:
    """The socket of the table's line. Raises ConfigurationErrors."""
    if table.socket is not None:
        return table.socket
    if table.config is not None:
        return line_of(load_configuration(table.config))
    return line_of(None) if table.simulated else line_of_this_machine()


async def _enter_and_act(
    client: LineClient,
    entry: LineEntry,
    act: Callable[[Dialogue], Awaitable[None]],
    yes: bool,
) -> None:
    """Raises Unreachable, NothingDone."""
    dialogue = LocalDialogue(client, await _find_language(client, entry.language), yes=yes)
    name = entry.who or await dialogue.ask(NAME.in_(dialogue.language))
    await dialogue.request(Enter(name, await dialogue.ask(PIN, hidden=True)))
    await act(dialogue)
    await client.ask(LogOut())


async def _find_language(client: LineClient, chosen: Language | None) -> Language:
    """The chosen language, or else the table's. Raises Unreachable, NothingDone."""
    status = await client.ask(AskStatus())
    table = Language(status.language) if isinstance(status, Status) else Language.EN
    language = chosen or table
    _expect_done(status, language)
    return language


def _expect_done(answer: AnyAnswer, language: Language) -> Done:
    if isinstance(answer, No):
        raise NothingDone("\n".join(render_refusal(answer, language)))
    return answer if isinstance(answer, Done) else Done("")
