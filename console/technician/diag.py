"""`banco diag`: the technician's line on this terminal, a serial port or a pseudo-terminal."""

import asyncio
import logging
import os
import shutil
import stat
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec import Struct

from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.places import (
    find_simulated_table,
    line_of,
    line_of_this_machine,
    simulation_folder,
)
from console.line.client import LineClient, Unreachable
from console.line.requests import AskStatus, Status
from console.office.dialogue import TableChoice
from console.rules.structs import replace
from console.service.health.log import keep_log
from console.service.supervision.main_loop import run_until_stopped
from console.service.supervision.process_end import describe_failure
from console.technician.command import TechnicianSession
from console.technician.shell import answer_once, run_shell
from console.technician.talk import Hung, Interrupted, Talk
from console.technician.terminal.ports import OwnTerminal, PseudoTerminal, escapes_of, raw_mode
from console.technician.terminal.session import IDLE
from console.technician.terminal.terminal import Terminal
from console.texts.language import Language
from console.texts.layout import paragraph
from console.texts.technician import session_texts
from firmware_bridge.line import Line
from firmware_bridge.serial_line import SerialLine

log = logging.getLogger(__name__)

DONE, UNUSABLE = 0, 2

CONFIGURATION = Path("/etc/banco/table.toml")
"""The configuration, unless the command line names another."""

GREETING_S = 2.0
"""Time to learn the table's name for the greeting."""

FAREWELL_S = 2.0
"""Time to print the last lines of a session."""

STANDARD_INPUT = 0

BITS_A_BYTE = 10
"""Start bit, eight data bits, stop bit."""


class TableLocation(Struct, frozen=True):
    """The table that the command line names."""

    socket: Path
    ledger: Path | None = None
    configuration: Path | None = None
    language: Language = Language.IT
    """The language to begin with."""

    chosen: bool = False
    """Whether the command line gives the language; otherwise the table's own is used."""

    simulated: bool = False


class TerminalChoice(Struct, frozen=True):
    """Where the technician sits: at a port, at a pseudo-terminal, or at this terminal."""

    port: str | None = None
    baud: int = 115200
    watch_dsr: bool = False
    pty: bool = False


def diag(table: TableLocation, where: TerminalChoice) -> int:
    """Serve this terminal until its end, or a port for ever; return the exit status."""
    loop = asyncio.new_event_loop()
    try:
        with ExitStack() as stack:
            line, terminal = _open_terminal(loop, where, stack)
            stack.callback(terminal.session.close)
            own = isinstance(line, OwnTerminal)
            return run_until_stopped(loop, (), _serve_terminal(terminal, table, once=own))
    except OSError as error:
        print(describe_failure(error), file=sys.stderr)
        return UNUSABLE
    finally:
        loop.close()


def answer_at_once(table: TableLocation, words: Sequence[str]) -> int:
    """Print what one command of the line prints; the exit status."""
    return asyncio.run(_answer_at_once(table, words))


async def _answer_at_once(table: TableLocation, words: Sequence[str]) -> int:
    client = LineClient(table.socket)
    session = _make_session(PlainOutput(), client, table)
    try:
        await _learn_status(session, ask_language=not table.chosen)
        return DONE if await answer_once(session, words) else UNUSABLE
    finally:
        client.leave()


def locate_table(
    choice: TableChoice, *, ledger: Path | None = None, language: Language | None = None
) -> TableLocation:
    """Return the table that the command line names, even if its configuration is wrong."""
    location = _locate_choice(choice)
    if ledger is not None:
        location = replace(location, ledger=ledger)
    if language is not None:
        location = replace(location, language=language, chosen=True)
    return location


def _locate_choice(choice: TableChoice) -> TableLocation:
    if choice.socket is not None:
        return TableLocation(choice.socket)
    if choice.simulated:
        return _locate_simulation()
    file = choice.config or CONFIGURATION
    try:
        configuration = load_configuration(file)
    except FileUnusable:  # `status` shows what is wrong with it
        return TableLocation(line_of_this_machine(), None, file)
    ledger = Path(configuration.ledger.folder)
    return TableLocation(line_of(configuration), ledger, file, configuration.language)


def _locate_simulation() -> TableLocation:
    """Return the simulation, with the configuration in its folder, even if that is wrong."""
    return TableLocation(line_of(None), simulation_folder(), find_simulated_table(), simulated=True)


def _open_terminal(
    loop: asyncio.AbstractEventLoop, where: TerminalChoice, stack: ExitStack
) -> tuple[Line, Terminal]:
    """Open the terminal that the command line names. Raises OSError."""
    if where.port is not None:
        _check_port(where.port)
        stack.enter_context(keep_log())
        serial = SerialLine(
            where.port, where.baud, loop=loop, watch_dsr=where.watch_dsr, must_be_allowed=True
        )
        return serial, Terminal(loop, serial, pace=where.baud // BITS_A_BYTE)
    if where.pty:
        stack.enter_context(keep_log())
        pseudo = PseudoTerminal(loop)
        print(pseudo.path, flush=True)
        return pseudo, Terminal(loop, pseudo)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OSError("this is no terminal; name a port: banco diag --port DEVICE, or --pty")
    own = OwnTerminal(loop)
    stack.enter_context(raw_mode(STANDARD_INPUT))
    return own, Terminal(loop, own, size=own.size, escapes=escapes_of(os.environ))


def _check_port(path: str) -> None:
    """Raise OSError if the path exists and is no device. A missing port may be plugged in later."""
    if os.path.exists(path) and not _is_terminal(path):
        raise OSError(f"{path} is no serial port; name one, such as /dev/ttyUSB0")


def _is_terminal(path: str) -> bool:
    """Whether it is one; a device that cannot be opened now may be one later."""
    if not stat.S_ISCHR(os.stat(path).st_mode):
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        return os.isatty(descriptor)
    finally:
        os.close(descriptor)


async def _serve_terminal(terminal: Terminal, table: TableLocation, *, once: bool) -> int:
    """Run one session after another; the end of each is logged."""
    greeting = "" if once else "banco - Invio / Enter"
    terminal.session.open()
    while True:
        await terminal.wait_for_user(at_once=once, greeting=greeting)
        try:
            why = await _run_session(terminal, table)
        except asyncio.CancelledError:
            await terminal.session.farewell(FAREWELL_S, "")
            raise
        await terminal.session.farewell(FAREWELL_S, "", f"banco: {why}")
        if once:
            return DONE
        log.info("the session is over: %s", why)


async def _run_session(terminal: Terminal, table: TableLocation) -> str:
    """Run one session, which ends its login; return why it ended."""
    client = LineClient(table.socket)
    session = _make_session(terminal, client, table)
    try:
        await _greet(session, ask_language=not table.chosen)
        await run_shell(terminal, session)
    except Hung as hung:
        idle = session.words(session_texts.HALF_HOUR_WITHOUT_KEY)
        return idle if str(hung) == IDLE else str(hung)
    finally:
        client.leave()
    return session.words(session_texts.END)


def _make_session(talk: Talk, client: LineClient, table: TableLocation) -> TechnicianSession:
    return TechnicianSession(
        talk,
        client,
        table.language,
        table.ledger,
        table.configuration,
        simulated=table.simulated,
    )


async def _greet(session: TechnicianSession, *, ask_language: bool) -> None:
    """Print the table's name, and whether it is a simulation. Raises Hung."""
    reason = await _learn_status(session, ask_language=ask_language)
    with suppress(Interrupted):
        await session.talk.say("", *_describe_table(session, reason))


async def _learn_status(session: TechnicianSession, *, ask_language: bool) -> str:
    """Ask for the table's status, and perhaps take its language; why it does not answer."""
    reason = ""
    try:
        async with asyncio.timeout(GREETING_S):
            answer = await session.table.ask(AskStatus())
            session.status = answer if isinstance(answer, Status) else None
    except (TimeoutError, Unreachable) as error:
        reason = f": {error}" if str(error) else ""
    if session.status is not None and ask_language:
        session.language = Language(session.status.language)
    return reason


def _describe_table(session: TechnicianSession, reason: str) -> list[str]:
    status = session.status
    if status is None:
        text = session.words(session_texts.SERVICE_DOES_NOT_ANSWER)
        return paragraph(text + reason)
    lines = [f"{session.words(session_texts.TABLE)} {status.table}, {status.known_as}"]
    if status.simulated:
        lines += [
            session.words(
                session_texts.SIMULATION_NO_REAL_TABLE,
            )
        ]
    return lines


class PlainOutput:
    """Prints whole lines; whoever is asked is not there."""

    @property
    def columns(self) -> int:
        """Of the terminal that it is written to; 80 without one."""
        return shutil.get_terminal_size().columns

    async def say(self, *lines: str) -> None:
        """Print whole lines, without pages."""
        for line in lines:
            print(line)

    async def ask(self, *_: object, **__: object) -> str:
        """Raise Interrupted."""
        raise Interrupted(session_texts.ASKS_SOMEBODY)

    async def confirm(self, *_: object) -> bool | None:
        """Raise Interrupted."""
        raise Interrupted(session_texts.ASKS_SOMEBODY)

    async def key(self, *_: object) -> str | None:
        """Raise Interrupted."""
        raise Interrupted(session_texts.ASKS_SOMEBODY)

    async def forget_typed(self) -> None:
        """Nothing was typed."""

    async def pause(self, *_: object) -> None:
        """Raise Interrupted: what lasts is watched by somebody."""
        raise Interrupted(session_texts.ASKS_SOMEBODY)

    def give_back(self, *_: object) -> None:
        """No key was read."""

    async def show(self, *_: object) -> None:
        """Raise Interrupted: a changing picture is for somebody who watches it."""
        raise Interrupted(session_texts.ASKS_SOMEBODY)
