"""Sends requests from commands, checks the kind of the answer, logs in for what needs a login."""

from collections.abc import Awaitable, Iterable
from typing import TypeVar

from console.line.client import Unreachable
from console.line.requests import (
    AnyAnswer,
    AnyRequest,
    AskStatus,
    Done,
    Enter,
    No,
    NoCode,
    NotDone,
    Person,
    Status,
)
from console.office.dialogue import PIN, render_refusal
from console.rules.codes import Duty
from console.technician.command import TechnicianSession
from console.texts.language import Language
from console.texts.table_texts import DUTIES
from console.texts.technician import session_texts
from console.texts.technician.session_texts import SECOND
from jackpot.failures import Refused

Answered = TypeVar("Answered", bound=AnyAnswer)


async def ask_table(
    session: TechnicianSession, request: AnyRequest, kind: type[Answered]
) -> Answered:
    """Send a request and return its answer. Raises NotDone, Unreachable."""
    answer = await session.table.ask(request)
    if isinstance(answer, No):
        raise NotDone(answer.code, answer.why)
    if not isinstance(answer, kind):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    return answer


async def ask_status(session: TechnicianSession) -> Status:
    """Ask for the status and keep it in the session. Raises NotDone, Unreachable."""
    session.status = await ask_table(session, AskStatus(), Status)
    return session.status


async def confirm(session: TechnicianSession, question: str) -> bool:
    """Ask a yes-or-no question, naming the keys. An unclear answer is asked again once, then no.

    Raises Interrupted, Hung.
    """
    keys = session.words(session_texts.Y_YES_ENTER_NO)
    answer = await session.talk.confirm(f"{question} {keys}")
    if answer is None:
        answer = await session.talk.confirm(session.words(session_texts.YES_OR_NO) + f" {keys}")
    return answer is True


async def enter(session: TechnicianSession, name: str = "") -> bool:
    """Ask for name and PIN; return whether the person is logged in now.

    Raises Unreachable, Interrupted, Hung.
    """
    if not name:
        await session.talk.say(
            session.words(
                session_texts.NEEDS_NAME_AND_PIN,
            )
        )
        name = await session.talk.ask(session.words(session_texts.NAME))
    if not name:
        return False
    pin = await session.talk.ask("PIN: ", hidden=True)
    if not pin:
        return False
    try:
        person = await ask_table(session, Enter(name, pin), Person)
    except NotDone as error:
        await session.talk.say(*render_refusal(error.no, session.language))
        return False
    await session.talk.say(*_welcome(session, person))
    return True


async def ask_with_login(
    session: TechnicianSession, request: AnyRequest, kind: type[Answered]
) -> Answered:
    """Send a change; ask for name and PIN first if nobody is logged in.

    Raises NotDone, Unreachable, Interrupted, Hung.
    """
    try:
        return await ask_table(session, request, kind)
    except NotDone as error:
        if error.no.code != NoCode.NOT_ENTERED or not await enter(session):
            raise
    return await ask_table(session, request, kind)


async def ask_second_person(session: TechnicianSession) -> tuple[str, str]:
    """Ask for the name and PIN of a second person. Raises Interrupted, Hung."""
    name = await session.talk.ask(SECOND.in_(session.language))
    return name, await session.talk.ask(PIN, hidden=True)


def name_duties(duties: Iterable[Duty], language: Language) -> str:
    """Render duties in words."""
    return ", ".join(DUTIES[duty].in_(language) for duty in duties)


def _welcome(session: TechnicianSession, person: Person) -> list[str]:
    duties = name_duties(person.duties, session.language)
    minutes = max(1, round(person.left_s / 60))
    welcome = session.words(session_texts.ENTERED_MINUTES.fill(person.name, duties, minutes))
    if not person.pin_ends:
        return [welcome]
    return [welcome, session.words(session_texts.PIN_ENDS.fill(person.name, person.pin_ends))]


class SessionDialogue:
    """An `office.dialogue.Dialogue` at the terminal.

    Its methods raise NotDone, Unreachable, Interrupted and Hung.
    """

    def __init__(self, session: TechnicianSession) -> None:
        self._session = session

    @property
    def language(self) -> Language:
        """The session's language."""
        return self._session.language

    async def request(self, request: AnyRequest) -> Done:
        """Send a request; ask for name and PIN first if nobody is logged in."""
        return await ask_with_login(self._session, request, Done)

    async def say(self, *lines: str) -> None:
        """Print the lines."""
        await self._session.talk.say(*lines)

    async def ask(self, question: str, *, hidden: bool = False) -> str:
        """Ask for a line."""
        return await self._session.talk.ask(question, hidden=hidden)

    async def confirm(self, question: str) -> bool:
        """Ask a yes-or-no question, naming the keys."""
        return await confirm(self._session, question)


async def say_nothing_done(session: TechnicianSession, act: Awaitable[None]) -> None:
    """Await the act; if nothing was done, print why."""
    try:
        await act
    except NotDone:
        raise
    except Refused as error:
        await session.talk.say(str(error))
