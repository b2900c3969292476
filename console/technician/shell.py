"""The technician's line: reads a command, runs it, shows how it ended, and repeats."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from console.configuration.version import VERSION
from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AskStatus, NotDone, Status
from console.office.dialogue import render_refusal
from console.technician.command import (
    Command,
    TechnicianSession,
    complete_name,
    find_command,
)
from console.technician.registry import COMMANDS, usage_in
from console.technician.talk import CommandTerminal, Hung, Interrupted
from console.technician.terminal.line_editor import is_like_pin
from console.texts.layout import WIDTH, paragraph
from console.texts.table_texts import SIMULATION, name_phase
from console.texts.technician import session_texts
from jackpot.failures import Refused, Unavailable

STATUS_WITHIN_S = 0.7
"""How long the prompt waits for the table, which it asks each second."""

LONGEST_NAME = 24
"""Most characters of a table's name, so that there is space for the faults."""


log = logging.getLogger(__name__)


class Prompt:
    """Asks the table for its status, one request at a time, and never waits long."""

    def __init__(self, session: TechnicianSession) -> None:
        self._session = session
        self._request: asyncio.Task[AnyAnswer] | None = None

    async def lines(self) -> Sequence[str]:
        """Return the table's line, and the text before the cursor."""
        status = await self._status()
        if status is None:
            return (self._without_service(), "banco> ")
        return (render_table_line(self._session, status), f"{status.person or 'banco'}> ")

    async def close(self) -> None:
        """Cancel the request under way."""
        if self._request is not None:
            self._request.cancel()
            await asyncio.wait({self._request})
            self._request = None

    async def _status(self) -> Status | None:
        """Return the status; None if the service does not answer in time."""
        if self._request is None:
            self._request = asyncio.create_task(self._session.table.ask(AskStatus()))
        await asyncio.wait({self._request}, timeout=STATUS_WITHIN_S)
        if not self._request.done():
            return None
        request, self._request = self._request, None
        try:
            answer = request.result()
        except Unreachable:
            return None
        if not isinstance(answer, Status):
            return None
        self._session.status = answer
        return answer

    def _without_service(self) -> str:
        known = self._session.status
        nothing = self._session.words(session_texts.NO_SERVICE_STATUS)
        return f"{known.table}  {nothing}" if known is not None else nothing


def render_table_line(session: TechnicianSession, status: Status) -> str:
    """Render `caribbean-1  PLAYING  key R  faults: RAIL_LOST, +2 noticed`; at most 79 columns."""
    key = session.words(session_texts.KEY)
    simulated = [session.words(SIMULATION)] if status.simulated else []
    phase = name_phase(status.phase, session.language).upper()
    parts = [*simulated, status.table[:LONGEST_NAME], phase, f"{key} {status.key or '?'}"]
    head = "  ".join(parts)
    return f"{head}  {_describe_troubles(session, status, WIDTH - len(head) - 2)}"[:WIDTH]


def _describe_troubles(session: TechnicianSession, status: Status, space: int) -> str:
    """Render the faults by name if there is space, then the number of findings."""
    codes = [present.fault.value for present in status.faults]
    noticed = f", +{len(status.findings)} " + session.words(session_texts.NOTICED)
    after = noticed if status.findings else ""
    title = session.words(session_texts.FAULTS)
    if not codes:
        return title + session.words(session_texts.NONE) + after
    for shown in range(len(codes), 0, -1):
        more = f" +{len(codes) - shown}" if shown < len(codes) else ""
        text = title + " ".join(codes[:shown]) + more + after
        if len(text) <= space:
            return text
    return f"{title}{len(codes)}{after}"


async def run_shell(
    terminal: CommandTerminal, session: TechnicianSession, commands: Sequence[Command] = COMMANDS
) -> None:
    """Run what is typed until `exit`. Raises Hung when the terminal is gone."""
    prompt = Prompt(session)
    try:
        await _greet(session)
        while not session.over:
            line = await terminal.command(
                prompt.lines, lambda typed: complete_line(session, typed, commands)
            )
            with suppress(Interrupted):  # while the ending was shown; the line goes on
                if line.strip():
                    await _run_line(terminal, session, line.split(), commands)
    finally:
        await prompt.close()


async def _greet(session: TechnicianSession) -> None:
    """Print where to begin."""
    begin = session.words(
        session_texts.STATUS_BEGIN_HERE_HELP,
    )
    with suppress(Interrupted):
        await session.talk.say(f"banco {VERSION}", begin)


def complete_line(
    session: TechnicianSession, line: str, commands: Sequence[Command] = COMMANDS
) -> list[str]:
    """Return the possible completions of the typed line: a name, or the next argument."""
    words = line.split()
    typed = "" if line.endswith(" ") or not words else words.pop()
    if not words:
        return complete_name(typed, commands, session.language)
    try:
        command = find_command(words[0], commands, session.language)
    except Refused:
        return []
    head = " ".join(words)
    follow = command.complete(words[1:], session.status)
    return [f"{head} {word}" for word in follow if word.lower().startswith(typed.lower())]


async def _run_line(
    terminal: CommandTerminal,
    session: TechnicianSession,
    words: Sequence[str],
    commands: Sequence[Command],
) -> None:
    """Run one command. Raises Interrupted."""
    if is_like_pin(" ".join(words)):
        await session.talk.say(session.words(session_texts.LOOKS_LIKE_PIN_TYPE))
        return
    try:
        command = find_command(words[0], commands, session.language)
    except Refused as error:
        await session.talk.say(*paragraph(str(error)))
        return
    ending = await _run_command(terminal, session, command, words[1:])
    await session.talk.say(*_describe_ending(session, command, ending))


async def answer_once(
    session: TechnicianSession, words: Sequence[str], commands: Sequence[Command] = COMMANDS
) -> bool:
    """Run one command where nobody types; whether it was done."""
    try:
        command = find_command(words[0], commands, session.language)
    except Refused as error:
        await session.talk.say(*paragraph(str(error)))
        return False
    running = asyncio.ensure_future(command.run(session, words[1:]))
    await asyncio.wait({running})
    ending = running.exception()
    await session.talk.say(*_describe_ending(session, command, ending))
    return ending is None


async def _run_command(
    terminal: CommandTerminal, session: TechnicianSession, command: Command, words: Sequence[str]
) -> BaseException | None:
    """Run a command; return the exception that ended it, None if it completed.

    It runs as a task of its own, so the line survives whatever it raises. Raises Hung.
    """
    running = asyncio.ensure_future(command.run(session, words))
    try:
        await terminal.attend(running)
    except Interrupted as interrupted:
        return interrupted
    finally:
        running.cancel()
    ending = running.exception()
    if isinstance(ending, Hung):
        raise ending
    return ending


def _describe_ending(
    session: TechnicianSession, command: Command, ending: BaseException | None
) -> tuple[str, ...]:
    """Return the lines that say how a command ended; none if it completed."""
    match ending:
        case None:
            return ()
        case Interrupted():
            return (session.words(ending.words),)
        case NotDone():
            return tuple(render_refusal(ending.no, session.language, session.status))
        case Refused():
            usage = usage_in(command, session.language)
            return (
                *paragraph(str(ending)),
                *paragraph(usage, first=session.words(session_texts.USAGE)),
            )
        case Unreachable():
            text = session.words(session_texts.SERVICE_DOES_NOT_ANSWER)
            return (*paragraph(f"{text}: {ending}"), session.words(session_texts.WHY_STATUS))
        case Unavailable():
            return tuple(paragraph(str(ending)))
    log.error("the command %s failed", command.names[0], exc_info=ending)
    return (
        session.words(session_texts.INTERNAL_ERROR)
        + f" ({command.names[0]}): {type(ending).__name__}: {ending}",
    )
