"""The dialogue of `declare` and `correct` at the technician's terminal."""

from collections.abc import Awaitable

from console.line.requests import AnyRequest, Done
from console.office.dialogue import NothingDone
from console.technician.command import TechnicianSession
from console.technician.table_requests import ask_with_login, confirm
from console.texts.language import Language


class SessionDialogue:
    """An `office.dialogue.Dialogue` at the terminal.

    Its methods raise RequestRefused, Unreachable, Interrupted and Hung.
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
    except NothingDone as error:
        await session.talk.say(str(error))
