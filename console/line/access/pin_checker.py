"""Checks PINs against the file of people. Runs in a disk thread, never on the event loop."""

import logging
import os
from collections.abc import Collection
from pathlib import Path

from msgspec import Struct

from console.line.access.people import People, PeopleUnreadable, load_people
from console.line.access.pins import PinHash, make_unmatched_hash
from console.rules.codes import Duty

log = logging.getLogger(__name__)

_FileStamp = tuple[int, int, int, int]


class PinCheck(Struct, frozen=True):
    """The result of checking a PIN."""

    duties: tuple[Duty, ...] | None = None
    """The person's duties if the PIN is right; None if it is wrong."""

    people: Collection[str] = ()
    """The names of all enrolled people."""

    cannot: str = ""
    """Why no PIN could be checked; "" if it was."""


class PinChecker:
    """Reads the file of people again whenever it has changed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stamp: _FileStamp | None = None
        self._people: People = {}
        self._cannot = ""
        self._unmatched: PinHash = make_unmatched_hash()
        self._read_once = False

    def check_pin(self, name: str, pin: str) -> PinCheck:
        """Check a PIN. For an unknown name an unmatched hash is checked, which takes as long.

        Raises OSError if the file's folder cannot be accessed.
        """
        self._reload()
        if self._cannot:
            return PinCheck(cannot=self._cannot)
        person = self._people.get(name)
        is_right = (person.pin if person else self._unmatched).matches(pin)
        return PinCheck(person.duties if person and is_right else None, self._people.keys())

    def read_stamp(self) -> str:
        """Return what differs after every change of the file. Raises OSError."""
        return str(self._read_stamp())

    def _reload(self) -> None:
        stamp = self._read_stamp()
        if self._read_once and stamp == self._stamp:
            return
        self._read_once, self._stamp = True, stamp
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

    def _read_stamp(self) -> _FileStamp | None:
        """Return what differs after every change of the file; None if there is no file."""
        try:
            status = os.stat(self._file)
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
