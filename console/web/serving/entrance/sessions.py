"""The sessions of a page that people enter.

The browser holds a token of 256 random bits, this process its hash: nothing is compared that a
stopwatch could guess. Times are seconds of the monotonic clock.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from console.rules.codes import Duty
from console.rules.structs import replace

MOST_OF_ONE_PERSON = 16
"""One more ends the person's own that was unused for longest. At most 64 people are enrolled."""

IDLE_S = 10 * 60
LONGEST_S = 8 * 60 * 60
TOKEN_BYTES = 32


class SupervisorSession(Struct, frozen=True):
    """Somebody who has entered. `people`: the stamp of the file of people at that time."""

    name: str
    duties: tuple[Duty, ...]
    began: float
    used: float
    people: str

    @property
    def ends(self) -> float:
        """When it ends, unless it is used meanwhile."""
        return min(self.used + IDLE_S, self.began + LONGEST_S)


class Sessions:
    """All sessions, by their token's hash. All methods run on the event loop."""

    def __init__(self, now: Callable[[], float], people: Callable[[], str]) -> None:
        """`people`: the sign of the file of people as it is now.

        Whoever is enrolled, removed or given a new PIN ends every session: all enter again.
        """
        self._now = now
        self._people = people
        self._open: dict[bytes, SupervisorSession] = {}

    def begin(
        self, name: str, duties: tuple[Duty, ...], people: str
    ) -> tuple[str, SupervisorSession]:
        """A new session, and its token, which only the browser gets.

        `people`: the stamp of the file of people as the person's PIN was read.
        """
        self._forget_ended()
        own = [key for key, one in self._open.items() if one.name == name]
        if len(own) >= MOST_OF_ONE_PERSON:
            del self._open[min(own, key=lambda one: self._open[one].used)]
        now = self._now()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        session = SupervisorSession(name, duties, now, now, people)
        self._open[_hash(token)] = session
        return token, session

    def find(self, token: str, *, using: bool = True) -> SupervisorSession | None:
        """The token's session; None: it has ended, or there was none.

        `using`: False for an automatic refresh, which does not extend the session.
        """
        key = _hash(token)
        session = self._open.get(key)
        if session is None:
            return None
        if not self._goes_on(session):
            del self._open[key]
            return None
        if using:
            self._open[key] = session = replace(session, used=self._now())
        return session

    def end(self, token: str) -> SupervisorSession | None:
        """End a session; whose it was, None: there was none."""
        return self._open.pop(_hash(token), None)

    def __len__(self) -> int:
        """The number of sessions."""
        self._forget_ended()
        return len(self._open)

    def _goes_on(self, session: SupervisorSession) -> bool:
        return self._now() < session.ends and session.people == self._people()

    def _forget_ended(self) -> None:
        self._open = {key: one for key, one in self._open.items() if self._goes_on(one)}


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
