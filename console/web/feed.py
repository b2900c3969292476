"""Decides when the pages get a snapshot of the table: after its lamps have been written.

An act costs the table a flag and a timer. A slow reader costs nothing: the next snapshot is built
only when the last message has been taken, and shows the newest state.
"""

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from typing import Protocol

import msgspec

from console.rules.acts import Act
from console.rules.round import Transition
from console.service.table_service import TableService
from console.web.messages import HEARTBEAT_S, Heartbeat, TableSnapshot, ToPages

AFTER_ACT_S = 0.01
"""The delay after an act: lamps and display have been written by then."""

BETWEEN_SNAPSHOTS_S = 0.04
"""At most 25 snapshots are sent a second."""


class Outlet(Protocol):
    """Where the messages go."""

    @property
    def ready(self) -> bool:
        """Whether a reader is there and has taken every message."""

    def send(self, message: ToPages) -> None:
        """Send it; never waits."""


class Feed:
    """Sends a snapshot when the table has changed, and a heartbeat each second."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        look: Callable[[], TableSnapshot | None],
        outlet: Outlet,
        people: Callable[[], str] = str,
        may_differ: Callable[[], bool] = lambda: True,
    ) -> None:
        """`look` returns the table as it is now, or None while there is no table.

        `people`: as in `Heartbeat`. `may_differ`: whether something that no act tells may have
        changed since the last look.
        """
        self._loop = loop
        self._look = look
        self._outlet = outlet
        self._people = people
        self._may_differ = may_differ
        self._sent: TableSnapshot | None = None
        self._sent_at = 0.0
        self._looking: TimerHandle | None = None
        self._beat: TimerHandle | None = None
        self._owed = False

    def start(self) -> None:
        """Send from now on, by the loop's timers."""
        self._beat = self._loop.call_later(HEARTBEAT_S, self._do_beat)

    def stop(self) -> None:
        """Send nothing more."""
        for timer in (self._beat, self._looking):
            if timer is not None:
                timer.cancel()
        self._beat = self._looking = None

    def follow(self, service: TableService | None) -> None:
        """Show this service from now on; None: its power is out."""
        if service is not None:
            service.watchers.append(self._on_step)
        self.look_soon()

    def look_soon(self) -> None:
        """Look at the table soon."""
        if self._looking is None:
            due = max(self._loop.time() + AFTER_ACT_S, self._sent_at + BETWEEN_SNAPSHOTS_S)
            self._looking = self._loop.call_at(due, self._send_difference)

    def start_afresh(self) -> None:
        """Begin with a new reader, which has been sent nothing yet."""
        self._sent = None
        self.look_soon()

    def on_outlet_ready(self) -> None:
        """The outlet has taken every message."""
        if self._owed:
            self.look_soon()

    def _on_step(self, _act: Act, _step: Transition) -> None:
        self.look_soon()

    def _send_difference(self) -> None:
        self._looking = None
        self._owed = not self._outlet.ready
        if self._owed:
            return
        snapshot = self._look()
        if snapshot is None or self._is_known(snapshot):
            return
        self._sent, self._sent_at = snapshot, self._loop.time()
        self._outlet.send(snapshot)

    def _is_known(self, snapshot: TableSnapshot) -> bool:
        """Whether nothing but the time differs."""
        sent = self._sent
        if sent is None:
            return False
        return msgspec.structs.replace(snapshot, wall=sent.wall, now=sent.now) == sent

    def _do_beat(self) -> None:
        """Send a heartbeat, and look if what no act tells may have changed."""
        self._beat = self._loop.call_later(HEARTBEAT_S, self._do_beat)
        if self._outlet.ready:
            self._outlet.send(Heartbeat(self._people()))
        rests = self._looking is None and self._loop.time() >= self._sent_at + BETWEEN_SNAPSHOTS_S
        if rests and self._may_differ():
            self._send_difference()
