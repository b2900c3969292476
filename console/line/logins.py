"""Checks a name and a PIN, and records the login or the refusal."""

import asyncio
from collections.abc import Callable

from console.line.access.login import EnteredPerson, LoginResult, PinLogin
from console.line.act_reporter import ANSWER_S, ActReporter, NotDone
from console.line.requests import NoCode
from console.line.sessions import Leaving
from console.rules.acts import Act, Entered, EntryRefused, Left
from console.rules.round import Transition
from console.service.table_service import TableService, Watcher


def end_logins_with_key(service: TableService, end: Callable[[], None]) -> Watcher:
    """Return what watches this service, and calls `end` when the key is back at R from S.

    Where a line cannot tell that its cable was pulled, this ends the logins.
    """
    at_s = service.state.service

    def on_step(_: Act, step: Transition) -> None:
        nonlocal at_s
        before, at_s = at_s, step.state.service
        if before and not at_s:
            end()

    return on_step


async def check_login(login: PinLogin | None, name: str, pin: str) -> LoginResult:
    """Check a name and a PIN. Raises NotDone if no login is possible or the disk is too slow."""
    if login is None:
        raise NotDone(NoCode.CANNOT, "nobody can enter here")
    result: asyncio.Future[LoginResult] = asyncio.get_running_loop().create_future()

    def on_login(checked: LoginResult) -> None:
        if not result.done():
            result.set_result(checked)

    login.enter(name, pin, on_login)
    try:
        async with asyncio.timeout(ANSWER_S):
            return await result
    except TimeoutError as error:
        raise NotDone(NoCode.NO_ANSWER, "the disk does not answer; nobody entered") from error


async def record_login(
    result: LoginResult, reporter: ActReporter, uid: int | None
) -> EnteredPerson:
    """Record a login or refusal; return the person. Raises NotDone if nobody was let in.

    `uid`: the user of the process that asked.
    """
    person = result.person
    if person is None:
        if result.recorded:
            reporter.service.report(EntryRefused(result.name, result.wrong, result.wait_s, uid))
        raise NotDone(result.refused or NoCode.CANNOT, result.why)
    try:
        await reporter.settle(Entered(person.name, person.duties, uid))
    except NotDone:
        reporter.service.report(Left(person.name, Leaving.UNANSWERED.value))
        raise
    return person
