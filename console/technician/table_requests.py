"""Sends requests from commands and checks the kind of the answer."""

from typing import TypeVar

from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AnyRequest, AskStatus, No, Status
from console.technician.command import TechnicianSession
from console.texts.technician import session_texts
from jackpot.failures import Refused

Answered = TypeVar("Answered", bound=AnyAnswer)


class RequestRefused(Refused):
    """The table refused a request; `no` says why."""

    def __init__(self, no: No) -> None:
        super().__init__(f"{no.code}: {no.why}")
        self.no = no


async def ask_table(
    session: TechnicianSession, request: AnyRequest, kind: type[Answered]
) -> Answered:
    """Send a request and return its answer. Raises RequestRefused, Unreachable."""
    answer = await session.table.ask(request)
    if isinstance(answer, No):
        raise RequestRefused(answer)
    if not isinstance(answer, kind):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    return answer


async def ask_status(session: TechnicianSession) -> Status:
    """Ask for the status and keep it in the session. Raises RequestRefused, Unreachable."""
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
