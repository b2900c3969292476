"""Checks PINs against the file of people. Runs in a disk thread, never on the event loop."""

import logging
from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from console.line.access.people import (
    People,
    PeopleUnreadable,
    load_people,
    read_people_stamp,
)
from console.line.access.pins import PinHash, make_unmatched_hash
from console.rules.codes import Duty

log = logging.getLogger(__name__)


class PinCheck(Struct, frozen=True):
    """The result of checking a PIN."""

    duties: tuple[Duty, ...] | None = None
    """The person's duties if the PIN is right; None if it is wrong."""

    people: Collection[str] = ()
    """The names of all enrolled people."""

    cannot: str = ""
    """Why no PIN could be checked; "" if it was."""

    stamp: str = ""
    """What differs after every change of the file of people; it was read as it was then."""


class PinChecker:
    """Reads the file of people again whenever it has changed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stamp = ""
        self._people: People = {}
        self._cannot = ""
        self._unmatched: PinHash = make_unmatched_hash()

    def check_pin(self, name: str, pin: str) -> PinCheck:
        """Check a PIN. For an unknown name an unmatched hash is checked, which takes as long.

        Raises OSError if the file's folder cannot be accessed.
        """
        self._reload()
        stamp = self._stamp
        if self._cannot:
            return PinCheck(cannot=self._cannot, stamp=stamp)
        person = self._people.get(name)
        is_right = (person.pin if person else self._unmatched).matches(pin)
        duties = person.duties if person and is_right else None
        return PinCheck(duties, self._people.keys(), stamp=stamp)

    def read_stamp(self) -> str:
        """Return what differs after every change of the file. Raises OSError."""
        return read_people_stamp(self._file)

    def _reload(self) -> None:
        stamp = self.read_stamp()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._people = load_people(self._file)
        except PeopleUnreadable as error:
            self._people, self._cannot = {}, str(error)
            log.error("nobody can enter: %s", error)
            return
        self._cannot = "" if self._people else f"nobody is enrolled in {self._file} (banco enrol)"
        costs = [person.pin.cost for person in self._people.values()]
        if costs:
            self._unmatched = make_unmatched_hash(max(costs, key=lambda cost: cost.work))
