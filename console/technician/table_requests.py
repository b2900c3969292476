"""Asking the table from a command: the answer that was expected, or why there is none."""

from typing import TypeVar

from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AnyRequest, AskStatus, No, NoCode, Status
from console.technician.command import TechnicianSession
from console.technician.login import enter

Answered = TypeVar("Answered", bound=AnyAnswer)


class RequestRefused(Exception):
    """The table does not do it; `no` says why."""

    def __init__(self, no: No) -> None:
        super().__init__(f"{no.code}: {no.why}")
        self.no = no


async def ask_table(
    session: TechnicianSession, request: AnyRequest, kind: type[Answered]
) -> Answered:
    """What the table answers to a look. Raises RequestRefused, Unreachable."""
    return _check_answer(await session.table.ask(request), kind)


async def ask_with_login(
    session: TechnicianSession, request: AnyRequest, kind: type[Answered]
) -> Answered:
    """What the table answers to an act; where nobody has entered, that is offered first.

    Raises RequestRefused, Unreachable.
    """
    answer = await session.table.ask(request)
    if isinstance(answer, No) and answer.code == NoCode.NOT_ENTERED and await enter(session):
        answer = await session.table.ask(request)
    return _check_answer(answer, kind)


async def ask_status(session: TechnicianSession) -> Status:
    """The table at this instant, kept for completion. Raises RequestRefused, Unreachable."""
    session.status = await ask_table(session, AskStatus(), Status)
    return session.status


async def confirm(session: TechnicianSession, question: str) -> bool:
    """Ask, naming the keys; what is neither yes nor no is asked once again, and then no.

    Raises Interrupted, Hung.
    """
    keys = session.words("(s: sì, Invio: no)", "(y: yes, Enter: no)")
    answer = await session.talk.confirm(f"{question} {keys}")
    if answer is None:
        answer = await session.talk.confirm(session.words("Sì o no?", "Yes or no?") + f" {keys}")
    return answer is True


def _check_answer(answer: AnyAnswer, kind: type[Answered]) -> Answered:
    if isinstance(answer, No):
        raise RequestRefused(answer)
    if not isinstance(answer, kind):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    return answer
