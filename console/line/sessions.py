"""Who stands at the desk: one visitor a connection, and whether somebody has entered there."""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from console.line.reported_acts import NotDone
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
        visitor = LineSession()
        self._here.append(visitor)
        return visitor

    def go(self, visitor: LineSession) -> None:
        """The connection has ended."""
        self.out(visitor, Leaving.CUT)
        self._here.remove(visitor)

    def admit(self, visitor: LineSession, who: str, duties: tuple[Duty, ...], until: float) -> None:
        """Somebody has given name and PIN; who had entered there before leaves."""
        self.out(visitor, Leaving.REPLACED)
        visitor.who, visitor.duties, visitor.until = who, duties, until
        visitor.timer = self._loop.call_at(until, self.out, visitor, Leaving.TIME)

    def out(self, visitor: LineSession, why: Leaving) -> None:
        """Who has entered leaves, if somebody has."""
        if visitor.who:
            self._left(visitor, why)
            visitor.forget()

    def forget_all(self) -> None:
        """The power went: nobody has entered any more, and nobody can put that on record."""
        for visitor in self._here:
            visitor.forget()

    def left_s(self, visitor: LineSession) -> int:
        """For how many seconds he is still entered."""
        return max(0, round(visitor.until - self._loop.time())) if visitor.who else 0
