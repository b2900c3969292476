"""Watches the machine's clock: that it was set back, or forward, is on record.

Order and durations are of the monotonic clock. The wall clock is a label for people, who must be
able to see that labels before and after do not belong together.
"""

from asyncio import AbstractEventLoop, TimerHandle
from datetime import datetime, timedelta

from console.rules.acts import WallClockSet
from console.service.table_service import TableService

LOOK_EVERY_S = 10.0

LEAST = timedelta(seconds=2)
"""A difference that is no time server's: those turn the clock by 0.5 ms a second at most, and set
it only where it is far from right."""

MS = timedelta(milliseconds=1)


class ClockWatch:
    """Compares the wall clock with the monotonic one; used on the event loop."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._service: TableService | None = None
        self._timer: TimerHandle | None = None
        self._seen: tuple[int, datetime] = (0, datetime.min)

    def follow(self, service: TableService | None) -> None:
        """Watch the clock of this service from now on; None: its power is out.

        A clock that is behind the newest record of before the start was set, or has lost its time.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._service = service
        if service is None:
            return
        self._note(service)
        newest = _time_of(service.table_ledger.wall_before)
        if newest is not None:
            self._compare(service, newest, only_behind=True)
        self._timer = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _note(self, service: TableService) -> None:
        self._seen = service.clock.now(), datetime.fromisoformat(service.clock.wall())

    def _look(self) -> None:
        service = self._service
        if service is None:
            return
        before, label = self._seen
        self._note(service)
        self._compare(service, label + (self._seen[0] - before) * MS)
        self._timer = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _compare(
        self, service: TableService, expected: datetime, *, only_behind: bool = False
    ) -> None:
        by = self._seen[1] - expected
        if by < -LEAST or (by > LEAST and not only_behind):
            text = expected.isoformat(timespec="milliseconds")
            service.report(WallClockSet(round(by / MS), text))


def _time_of(label: str) -> datetime | None:
    """The time of a record's label; None where it is none, or of an unknown zone."""
    try:
        time = datetime.fromisoformat(label)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None
