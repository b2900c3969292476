"""Asking the table from a command: the answer that was expected, or why there is none."""

from typing import TypeVar

from console.line.client import Unreachable
from console.line.requests import AnyAnswer, AnyRequest, AskStatus, No, NoCode, Status
from console.technician.command import TechnicianSession
from console.technician.entering import enter

Answered = TypeVar("Answered", bound=AnyAnswer)


class NotDone(Exception):
    """The table does not do it; `no` says why."""

    def __init__(self, no: No) -> None:
        super().__init__(f"{no.code}: {no.why}")
        self.no = no


async def asked(desk: TechnicianSession, request: AnyRequest, kind: type[Answered]) -> Answered:
    """What the table answers to a look. Raises NotDone, Unreachable."""
    return _expected(await desk.table.ask(request), kind)


async def entered(desk: TechnicianSession, request: AnyRequest, kind: type[Answered]) -> Answered:
    """What the table answers to an act; where nobody has entered, that is offered first.

    Raises NotDone, Unreachable.
    """
    answer = await desk.table.ask(request)
    if isinstance(answer, No) and answer.code == NoCode.NOT_ENTERED and await enter(desk):
        answer = await desk.table.ask(request)
    return _expected(answer, kind)


async def present_status(desk: TechnicianSession) -> Status:
    """The table at this instant, kept for completion. Raises NotDone, Unreachable."""
    desk.status = await asked(desk, AskStatus(), Status)
    return desk.status


async def confirmed(desk: TechnicianSession, question: str) -> bool:
    """Ask, naming the keys; what is neither yes nor no is asked once again, and then no.

    Raises Interrupted, Hung.
    """
    keys = desk.words("(s: sì, Invio: no)", "(y: yes, Enter: no)")
    answer = await desk.talk.confirm(f"{question} {keys}")
    if answer is None:
        answer = await desk.talk.confirm(desk.words("Sì o no?", "Yes or no?") + f" {keys}")
    return answer is True


def _expected(answer: AnyAnswer, kind: type[Answered]) -> Answered:
    if isinstance(answer, No):
        raise NotDone(answer)
    if not isinstance(answer, kind):
        raise Unreachable(f"an answer of another kind came: {type(answer).__name__}")
    return answer
