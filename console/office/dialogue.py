"""`declare` and `correct`: the dialogue with a person and the table, on a terminal or a pipe.

On the machine they are `banco declare` and `banco ledger correct`. What the service refuses is
explained here, for the technician's line too.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from console.configuration.file import load_configuration
from console.configuration.named_files import FileUnusable
from console.configuration.places import line_of, line_of_this_machine
from console.line.client import LineClient, Unreachable
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskStatus,
    CorrectAccounts,
    Declare,
    Done,
    Enter,
    LogOut,
    No,
    NoCode,
    Status,
)
from console.office.questions import ask_hidden
from console.rules.codes import Fault, Refusal
from console.rules.round import ActOutcome
from console.rules.typed import LineError, words_of
from console.texts import office_texts
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import FindingCode
from console.texts.declarations.lines import find_row, parse_declaration
from console.texts.language import YES_IN_ANY, Language
from console.texts.layout import label_text, paragraph, unquote
from console.texts.office_texts import (
    ALREADY,
    DECLARE_SURE,
    KEYS,
    NAME,
    NOTHING,
    RECORDED,
    SECOND,
    SHOWN,
    SURE,
    UNKNOWN,
    UNREADABLE,
    WHY_NOT,
)
from console.texts.record_texts import decision_words
from console.texts.record_vocabulary import OUTCOMES
from jackpot.failures import Refused

DONE, NOT_DONE, UNUSABLE = 0, 1, 2

PIN = "PIN: "


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
        """Send an act. Raises Unreachable; Refused for a refusal."""
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
            except Refused:
                return ""
        print(question, end="", flush=True)
        return sys.stdin.readline().rstrip("\n")

    async def confirm(self, question: str) -> bool:
        """Ask once, unless the command line has said yes."""
        if self._yes:
            return True
        answer = await self.ask(f"{question} {KEYS.in_(self.language)}")
        return answer.strip().lower() in YES_IN_ANY


def run_dialogue(
    entry: LineEntry, act: Callable[[Dialogue], Awaitable[None]], *, yes: bool = False
) -> int:
    """Enter at the table's line, act, and leave. Prints what failed; returns the exit status."""
    try:
        client = LineClient(find_socket(entry.table))
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(_enter_and_act(client, entry, act, yes))
        finally:
            client.close()
            loop.run_until_complete(asyncio.sleep(0))
            loop.close()
    except FileUnusable as error:
        print(error.in_(entry.language), file=sys.stderr)
        return UNUSABLE
    except Unreachable as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except Refused as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    return DONE


def find_socket(table: TableChoice) -> Path:
    """The socket of the table's line. Raises FileUnusable."""
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
    """Raises Unreachable, Refused."""
    dialogue = LocalDialogue(client, await _find_language(client, entry.language), yes=yes)
    name = entry.who or await dialogue.ask(NAME.in_(dialogue.language))
    await dialogue.request(Enter(name, await dialogue.ask(PIN, hidden=True)))
    await act(dialogue)
    await client.ask(LogOut())


async def _find_language(client: LineClient, chosen: Language | None) -> Language:
    """The chosen language, or else the table's. Raises Unreachable, Refused."""
    status = await client.ask(AskStatus())
    table = Language(status.language) if isinstance(status, Status) else Language.EN
    language = chosen or table
    _expect_done(status, language)
    return language


def _expect_done(answer: AnyAnswer, language: Language) -> Done:
    if isinstance(answer, No):
        raise Refused("\n".join(render_refusal(answer, language)))
    return answer if isinstance(answer, Done) else Done("")


def result_lines(done: Done, language: Language) -> list[str]:
    """The result of an act: decisions, each account before and after, the phase."""
    decided = [*decision_words(done.decisions, language)]
    if done.outcome in OUTCOMES:
        decided.insert(0, OUTCOMES[done.outcome].in_(language))
    lines = label_text("", "; ".join(decided)) if decided else []
    for account, (before, after) in done.accounts.items():
        lines += label_text(account, f"{before} -> {after}")
    phase = office_texts.PHASE.in_(language)
    return [*lines, *(label_text(phase, done.phase) if done.phase else ())]


def correct(request: CorrectAccounts, entry: LineEntry, second: str) -> int:
    """Correct the accounts over the table's line; the exit status.

    `second`: the second cashier's name; asked for if "".
    """
    return run_dialogue(entry, lambda dialogue: carry_out_correction(dialogue, request, second))


async def carry_out_correction(
    dialogue: Dialogue, request: CorrectAccounts, second: str = ""
) -> None:
    """Show what the correction would do, ask once, take the second cashier's PIN, do it.

    `second`: the second cashier's name; asked for if "". Raises Refused, and what the dialogue
    raises.
    """
    language = dialogue.language
    would = await dialogue.request(request)
    await dialogue.say(
        SHOWN.in_(language),
        *result_lines(would, language),
        *paragraph(request.reason, first="  "),
    )
    if not await dialogue.confirm(SURE.in_(language)):
        raise Refused(NOTHING.in_(language))
    second = second or await dialogue.ask(SECOND.in_(language))
    pin = await dialogue.ask(PIN, hidden=True)
    really = msgspec.structs.replace(
        request, second=second, pin=pin, number=_number_of(would), really=True
    )
    try:
        done = await dialogue.request(really)
    except Unreachable as error:
        raise Unreachable(f"{error}\n{UNKNOWN.in_(language)}") from error
    if done.outcome != ActOutcome.DONE.value:
        raise Refused(ALREADY.in_(language))
    await dialogue.say(RECORDED.in_(language), *result_lines(done, language))


def _number_of(would: Done) -> int:
    """The number the correction would have on record; 0 if the table gave none."""
    numbers = [one["number"] for one in would.decisions if one.get("decision") == "corrected"]
    return int(numbers[0]) if numbers else 0


def declare(declaration: str, entry: LineEntry, *, yes: bool) -> int:
    """Declare it over the table's line; the exit status. `yes`: without asking once more."""
    words = words_of(declaration)
    try:
        parse_declaration(list(words), "")  # before anybody types a PIN
    except LineError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return run_dialogue(
        entry, lambda dialogue: carry_out_declaration(dialogue, " ".join(words)), yes=yes
    )


async def carry_out_declaration(dialogue: Dialogue, declaration: str) -> None:
    """Show what the declaration would do, ask once, do it. `declaration` is valid: `last-hands 3`.

    Raises Refused, and what the dialogue raises.
    """
    language = dialogue.language
    would = await dialogue.request(Declare(declaration))
    meaning = find_row(words_of(declaration)).means.in_(language)
    await dialogue.say(
        SHOWN.in_(language),
        *paragraph(f"{declaration}: {meaning}", first="  "),
        *result_lines(would, language),
    )
    if not await dialogue.confirm(DECLARE_SURE.in_(language)):
        raise Refused(NOTHING.in_(language))
    done = await dialogue.request(Declare(declaration, really=True))
    await dialogue.say(RECORDED.in_(language), *result_lines(done, language))


DETAILED_BY_SERVICE = frozenset(WHY_NOT) - {NoCode.NOT_ENTERED}
"""For these codes the service's own text is shown too: which key, what value, how long."""


def render_refusal(no: No, language: Language, status: Status | None = None) -> list[str]:
    """Render a refusal: code, meaning, the service's own text, and what to do.

    `status`: the last known status, which may change what to do.
    """
    if no.code in WHY_NOT:
        meaning, advice = WHY_NOT[no.code].in_(language), ""
    else:
        entry = catalogue().find(no.code)
        text = entry.in_(language) if entry is not None else None
        meaning, advice = (text.means, unquote(text.do)) if text is not None else ("-", "")
    if no.code == Refusal.NOT_IN_SERVICE.value and status is not None:
        advice = _advise_unreadable_key(status, language) or advice
    lines = paragraph(f"{no.code}: {meaning}", after="  ")
    if no.code in DETAILED_BY_SERVICE and no.why:
        lines += paragraph(no.why, first="  ")
    return [*lines, *(paragraph(advice, first="  ") if advice not in ("", "-") else ())]


def _advise_unreadable_key(status: Status, language: Language) -> str:
    """Under KEY_FAULT turning the key to S does not help; "" without that fault."""
    if Fault.KEY_FAULT not in {present.fault for present in status.faults}:
        return ""
    contacts = [
        finding.detail
        for finding in status.findings
        if finding.code == FindingCode.KEY_CONTACTS.value
    ]
    return UNREADABLE.in_(language).format(contacts[0] if contacts else "?")
