"""What the pages are told of a table, and when: after its lamps, and never for their sake.

An act costs the table a flag and a timer. A reader who is behind costs nothing: nothing is built
until he has taken what he was told before, and then it is the newest.
"""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from typing import Protocol

import msgspec

from console.rules.acts import Act
from console.rules.round import Step
from console.service.table_service import TableService
from console.web.messages import HEARTBEAT_S, Heartbeat, TableSnapshot, ToPages

AFTER_ACT_S = 0.01
"""So long after an act, when lamps and display have been written, the table is looked at."""

BETWEEN_SNAPSHOTS_S = 0.04
"""At most 25 Sights a second."""

LOOK_EVERY_S = 0.1
"""How often a simulated cabinet is looked at without an act: what lies in it is physics."""


class Outlet(Protocol):
    """Where it is told."""

    @property
    def ready(self) -> bool:
        """Whether somebody is there and has taken all that he was told."""

    def tell(self, message: ToPages) -> None:
        """Tell it; never waits."""


class Feed:
    """Tells an outlet of a table: a Sight when something has changed, a Beat each second.

    `look`: the table now, None while there is none. `look_every_s`: how often to look
    when nothing is known to have happened.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        look: Callable[[], TableSnapshot | None],
        outlet: Outlet,
        look_every_s: float = HEARTBEAT_S,
    ) -> None:
        self._loop = loop
        self._look = look
        self._outlet = outlet
        self._every_s = look_every_s
        self._told: TableSnapshot | None = None
        self._told_at = 0.0
        self._looking: TimerHandle | None = None
        self._later: list[TimerHandle] = []
        self._owed = False

    def start(self) -> None:
        """Tell from now on, by the loop's timers."""
        self._repeat(HEARTBEAT_S, self._beat)
        self._repeat(self._every_s, self.changed)

    def stop(self) -> None:
        """Tell no more."""
        for timer in (*self._later, *([self._looking] if self._looking else [])):
            timer.cancel()
        self._later.clear()
        self._looking = None

    def follow(self, service: TableService | None) -> None:
        """Tell of this service from now on; None: its power is out."""
        if service is not None:
            service.watchers.append(self._stepped)
        self.changed()

    def changed(self) -> None:
        """Look at the table soon."""
        if self._looking is None:
            due = max(self._loop.time() + AFTER_ACT_S, self._told_at + BETWEEN_SNAPSHOTS_S)
            self._looking = self._loop.call_at(due, self._tell_difference)

    def anew(self) -> None:
        """Somebody is there who knows nothing yet."""
        self._told = None
        self.changed()

    def taken(self) -> None:
        """The outlet has become ready."""
        if self._owed:
            self.changed()

    def _stepped(self, _act: Act, _step: Step) -> None:
        self.changed()

    def _tell_difference(self) -> None:
        self._looking = None
        self._owed = not self._outlet.ready
        if self._owed:
            return
        sight = self._look()
        if sight is None or self._knows(sight):
            return
        self._told, self._told_at = sight, self._loop.time()
        self._outlet.tell(sight)

    def _knows(self, sight: TableSnapshot) -> bool:
        """Whether nothing but the time differs."""
        told = self._told
        return told is not None and msgspec.structs.replace(sight, wall=told.wall) == told

    def _beat(self) -> None:
        if self._outlet.ready:
            self._outlet.tell(Heartbeat())

    def _repeat(self, seconds: float, what: Callable[[], None]) -> None:
        def again() -> None:
            self._later.remove(timer)
            what()
            self._repeat(seconds, what)

        timer = self._loop.call_later(seconds, again)
        self._later.append(timer)
