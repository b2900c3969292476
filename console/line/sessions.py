"""The sessions of the local line, one for each connection, and who is logged in."""

import asyncio
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from console.line.access.login import EnteredPerson, LoginResult, PinLogin, make_refusal
from console.line.act_reporter import ANSWER_S, ActReporter
from console.line.requests import NoCode, NotDone
from console.rules.acts import Act, Entered, Left
from console.rules.codes import Duty
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
            reporter.service.report(make_refusal(result, uid))
        raise NotDone(result.refused or NoCode.CANNOT, result.why)
    try:
        await reporter.settle(Entered(person.on_record, person.duties, uid))
    except NotDone:
        reporter.service.report(Left(person.on_record, Leaving.UNANSWERED.value))
        raise
    return person


class Leaving(Enum):
    """Why a login ended, as in the record."""

    LEFT = "left"
    TIME = "time was up"
    CUT = "the connection ended"
    REPLACED = "another entered"
    RESTART = "restart"
    UNANSWERED = "the disk took too long"
    KEY = "the key is back at R"


class LineSession(Struct, eq=False):
    """One connection and its login."""

    uid: int | None = None
    """The user of the process that has connected."""

    name: str = ""
    """The person logged in, "" for nobody."""

    who: str = ""
    """What a record calls the person."""

    duties: tuple[Duty, ...] = ()
    until: float = 0.0
    """When the login expires, in seconds of the loop's clock."""

    timer: TimerHandle | None = None

    def must_have(self, duty: Duty) -> None:
        """Check a permission: raise NotDone unless somebody with this duty has entered."""
        if not self.who:
            raise NotDone(NoCode.NOT_ENTERED, "give your name and PIN first")
        if duty not in self.duties:
            raise NotDone(NoCode.NOT_YOUR_DUTY, f"{self.name} is not enrolled as {duty.value}")

    def forget(self) -> None:
        """Forget the login."""
        if self.timer is not None:
            self.timer.cancel()
        self.name, self.who, self.duties, self.until, self.timer = "", "", (), 0.0, None


class LineSessions:
    """All open sessions. `on_leave` is called for each login that ends, before it is forgotten."""

    def __init__(
        self, loop: AbstractEventLoop, on_leave: Callable[[LineSession, Leaving], None]
    ) -> None:
        self._loop = loop
        self._on_leave = on_leave
        self._sessions: list[LineSession] = []

    def connect(self, uid: int | None = None) -> LineSession:
        """Start a session of this user, without a login."""
        session = LineSession(uid)
        self._sessions.append(session)
        return session

    def disconnect(self, session: LineSession) -> None:
        """End the session of a closed connection."""
        self.end_login(session, Leaving.CUT)
        self._sessions.remove(session)

    def admit(self, session: LineSession, person: EnteredPerson) -> None:
        """Log a person in; an earlier login on the session ends."""
        self.end_login(session, Leaving.REPLACED)
        until = person.until_ms / 1000
        session.name, session.who = person.name, person.on_record
        session.duties, session.until = person.duties, until
        session.timer = self._loop.call_at(until, self.end_login, session, Leaving.TIME)

    def end_login(self, session: LineSession, why: Leaving) -> None:
        """End the login, if there is one."""
        if session.who:
            self._on_leave(session, why)
            session.forget()

    def end_all(self, why: Leaving) -> None:
        """End every login."""
        for session in self._sessions:
            self.end_login(session, why)

    def forget_all(self) -> None:
        """Forget all logins after a power cut; nothing can be recorded then."""
        for session in self._sessions:
            session.forget()

    def seconds_left(self, session: LineSession) -> int:
        """Return for how many seconds the login is still valid; 0 without one."""
        return max(0, round(session.until - self._loop.time())) if session.who else 0
