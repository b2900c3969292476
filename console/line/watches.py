"""Looks every ten seconds at what is changed beside the table, and puts it on record.

The machine's clock: that it was set back, or forward. Order and durations are of the monotonic
clock. The wall clock is a label for people, who must be able to see that labels before and after
do not belong together. And the list of people, by whomever it was changed.
"""

import logging
from asyncio import AbstractEventLoop, TimerHandle
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from console.line.access.people import hash_people, read_changes
from console.rules.acts import PeopleChange, PeopleChanged, WallClockSet
from console.rules.state import PeopleMarks
from console.service.table_service import TableService

log = logging.getLogger(__name__)

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


class SeenPeople(Struct, frozen=True):
    """The list's SHA-256, and the changes that are noted."""

    sha256: str
    changes: tuple[PeopleChanged, ...]


class PeopleWatch:
    """Looks at the list of people, in the disk's thread; used on the event loop."""

    def __init__(self, loop: AbstractEventLoop, people: Path) -> None:
        self._loop = loop
        self._people = people
        self._service: TableService | None = None
        self._timer: TimerHandle | None = None
        self._unexplained = ""  # a list that no change explains, seen at the last look
        self._logged = ""  # why the last look failed

    def follow(self, service: TableService | None) -> None:
        """Report to this service from now on; None: its power is out."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._service = service
        if service is not None:
            self._look()

    def _look(self) -> None:
        service = self._service
        if service is None:
            return

        def on_seen(seen: SeenPeople) -> None:
            self._logged = ""
            if self._service is service:
                self._compare(service, seen)
                self._later()

        def on_error(error: Exception) -> None:
            if str(error) != self._logged:
                log.error("changes of the people cannot be read: %s", error)
            self._logged = str(error)
            if self._service is service:
                self._later()

        service.disk_writer.do(self._read, on_seen, on_error)

    def _later(self) -> None:
        self._timer = self._loop.call_later(LOOK_EVERY_S, self._look)

    def _read(self) -> SeenPeople:
        return SeenPeople(hash_people(self._people), read_changes(self._people))

    def _compare(self, service: TableService, seen: SeenPeople) -> None:
        """Report what is new; not to a locked table, nor while acts wait for the disk."""
        if service.state.locked or not service.at_rest:
            return
        marks = service.state.people
        if not isinstance(marks, PeopleMarks):
            if not seen.changes:
                return  # the list is from before changes were noted: it is not held against them
            marks = PeopleMarks(0, "")
        new = [one for one in seen.changes if one.number > marks.number]
        for change in new:
            service.report(change)
        known = new[-1].sha256 if new else marks.sha256
        if seen.sha256 == known:
            self._unexplained = ""
        elif seen.sha256 != self._unexplained:
            self._unexplained = seen.sha256  # a command may be about to note it
        else:
            number = new[-1].number if new else marks.number
            service.report(PeopleChanged(PeopleChange.BY_HAND, "", "", (), number, seen.sha256))
