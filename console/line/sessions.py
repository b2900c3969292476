"""The sessions of the line: one a connection, and who has entered on it."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from console.line.act_reporter import NotDone
from console.line.requests import NoCode
from console.rules.codes import Duty


class Leaving(Enum):
    """Why somebody who had entered has left, as it stands on record."""

    SAID = "left"
    TIME = "time was up"
    CUT = "the connection ended"
    REPLACED = "another entered"
    RESTART = "restart"
    UNANSWERED = "the disk took too long"


@dataclass(slots=True, eq=False)
class LineSession:
    """One connection. `who` has entered on it, "" for nobody; `until`: seconds of the loop."""

    who: str = ""
    duties: tuple[Duty, ...] = ()
    until: float = 0.0
    timer: TimerHandle | None = None

    def must_have(self, duty: Duty) -> None:
        """Raise NotDone unless somebody with this duty has entered."""
        if not self.who:
            raise NotDone(NoCode.NOT_ENTERED, "give your name and PIN first")
        if duty not in self.duties:
            raise NotDone(NoCode.NOT_YOUR_DUTY, f"{self.who} is not enrolled as {duty.value}")

    def forget(self) -> None:
        """Nobody has entered any more."""
        if self.timer is not None:
            self.timer.cancel()
        self.who, self.duties, self.until, self.timer = "", (), 0.0, None


class LineSessions:
    """All that are there. `left` is told of each that leaves, before he is forgotten."""

    def __init__(
        self, loop: AbstractEventLoop, left: Callable[[LineSession, Leaving], None]
    ) -> None:
        self._loop = loop
        self._left = left
        self._here: list[LineSession] = []

    def come(self) -> LineSession:
        """Somebody has come, and has not entered yet."""
        session = LineSession()
        self._here.append(session)
        return session

    def go(self, session: LineSession) -> None:
        """The connection has ended."""
        self.out(session, Leaving.CUT)
        self._here.remove(session)

    def admit(self, session: LineSession, who: str, duties: tuple[Duty, ...], until: float) -> None:
        """Somebody has given name and PIN; who had entered there before leaves."""
        self.out(session, Leaving.REPLACED)
        session.who, session.duties, session.until = who, duties, until
        session.timer = self._loop.call_at(until, self.out, session, Leaving.TIME)

    def out(self, session: LineSession, why: Leaving) -> None:
        """Who has entered leaves, if somebody has."""
        if session.who:
            self._left(session, why)
            session.forget()

    def forget_all(self) -> None:
        """The power went: nobody has entered any more, and nobody can put that on record."""
        for session in self._here:
            session.forget()

    def left_s(self, session: LineSession) -> int:
        """For how many seconds he is still entered."""
        return max(0, round(session.until - self._loop.time())) if session.who else 0
