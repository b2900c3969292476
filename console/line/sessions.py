"""The sessions of the local line, one for each connection, and who is logged in."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from console.line.act_reporter import NotDone
from console.line.requests import NoCode
from console.rules.codes import Duty


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

    who: str = ""
    """The person logged in, "" for nobody."""

    duties: tuple[Duty, ...] = ()
    until: float = 0.0
    """When the login expires, in seconds of the loop's clock."""

    timer: TimerHandle | None = None

    def must_have(self, duty: Duty) -> None:
        """Raise NotDone unless somebody with this duty has entered."""
        if not self.who:
            raise NotDone(NoCode.NOT_ENTERED, "give your name and PIN first")
        if duty not in self.duties:
            raise NotDone(NoCode.NOT_YOUR_DUTY, f"{self.who} is not enrolled as {duty.value}")

    def forget(self) -> None:
        """Forget the login."""
        if self.timer is not None:
            self.timer.cancel()
        self.who, self.duties, self.until, self.timer = "", (), 0.0, None


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

    def admit(self, session: LineSession, who: str, duties: tuple[Duty, ...], until: float) -> None:
        """Log a person in; an earlier login on the session ends."""
        self.end_login(session, Leaving.REPLACED)
        session.who, session.duties, session.until = who, duties, until
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
