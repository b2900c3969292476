"""Who looks people up in their file and tries PINs: on a disk thread, never the event loop."""

import logging
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from console.line.access.people import People, PeopleUnreadable, load_people
from console.line.access.pins import PinHash, make_unmatched_hash
from console.rules.codes import Duty

log = logging.getLogger(__name__)

_Sign = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a PIN. `duties`: it fits, for these; None: it does not.

    `people`: the names enrolled. `cannot`: why none could be tried.
    """

    duties: tuple[Duty, ...] | None = None
    people: Collection[str] = ()
    cannot: str = ""


class PinChecker:
    """Reads the file of people again whenever it has changed."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._sign: _Sign | None = None
        self._people: People = {}
        self._cannot = ""
        self._no_ones: PinHash = make_unmatched_hash()
        self._read_once = False

    def try_pin(self, name: str, pin: str) -> Tried:
        """Try a PIN. For a name that is not enrolled one is tried that fits none: it takes as long.

        Raises OSError where the file's folder cannot be looked at.
        """
        self._look()
        if self._cannot:
            return Tried(cannot=self._cannot)
        one = self._people.get(name)
        fits = (one.pin if one else self._no_ones).fits(pin)
        return Tried(one.duties if one and fits else None, self._people.keys())

    def _look(self) -> None:
        sign = self._sign_of_file()
        if self._read_once and sign == self._sign:
            return
        self._read_once, self._sign = True, sign
        try:
            self._people = load_people(self._file)
        except PeopleUnreadable as error:
            self._people, self._cannot = {}, str(error)
            log.error("nobody can enter: %s", error)
            return
        self._cannot = "" if self._people else f"nobody is enrolled in {self._file} (banco enrol)"
        costs = [one.pin.cost for one in self._people.values()]
        if costs:
            self._no_ones = make_unmatched_hash(max(costs, key=lambda cost: cost.work))

    def _sign_of_file(self) -> _Sign | None:
        """What differs after every change; None: there is no file."""
        try:
            status = os.stat(self._file)
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino
