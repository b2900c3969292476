"""The file beside the ledger that says whether it is locked, and whether the table has begun.

docs/rules.md 7: the lock outlives power on a full disk, and a table that has begun never opens
a new ledger by itself (docs/dev/decisions/0009). A file of two slots (`jackpot/two_slots.py`),
allocated before the ledger is made. Only two whole slots, the newer saying so, mean "unlocked".
"""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from threading import Lock as Mutex
from typing import Any

import msgspec

from jackpot.two_slots import SLOT_BYTES, Content, TwoSlots, newest_of

__all__ = ["SLOT_BYTES", "Lock", "LockFile"]

# Escaped, as the widest characters are, these still fit a slot.
_LONGEST_WHY, _LONGEST_SINCE = 100, 32
_DAMAGED = "LEDGER_FAULT"
_FAULTS = (_DAMAGED, "LEDGER_CORRUPT")
_LEDGER_FILES = "ledger.*"


@dataclass(frozen=True, slots=True)
class Lock:
    """Why the table is locked: the fault's code, a text for people, the wall clock's label.

    `service`: a technician has the table in SERVICE, which no journal can say while it is locked.
    `unproved`: seats where a token may have gone in meanwhile, which no journal can say either.
    """

    fault: str
    why: str
    since: str
    service: bool = False
    unproved: tuple[int, ...] = ()


class LockFile:
    """The lock beside the ledger; `durable=False` leaves out every sync."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self._path = path
        self._file = TwoSlots(path, durable=durable)
        self._mutex = Mutex()  # the first commit is noted in the disk's thread

    def make(self) -> None:
        """Make the file of a table that has not begun, unlocked; its block is allocated here.

        It must be there before any file of the ledger is. Raises OSError.
        """
        if not self._path.exists():
            self._file.make(_content(None, begun=False))

    @property
    def begun(self) -> bool:
        """Whether the table has begun. Only a whole file that says otherwise means that it has not.

        A file that is missing says so where a file of a ledger lies in its place.
        """
        try:
            newest = newest_of(self._file.slots())
        except FileNotFoundError:
            return any(self._path.parent.glob(_LEDGER_FILES))
        except OSError:
            return True
        return newest is None or newest.content.get("begun") is not False

    def note_begun(self) -> None:
        """Note that the first record is on the disk. Raises OSError.

        This needs room on the disk, once; a cut of power leaves the file as it was or as it is.
        """
        with self._mutex:
            if not self.begun:
                self._file.make(_content(self.read(), begun=True))

    def read(self) -> Lock | None:
        """What is locked, or None. What is missing, damaged or unknown to us reads as locked.

        `since` is then empty.
        """
        try:
            slots = self._file.slots()
        except FileNotFoundError:
            return _unreadable("the lock file is missing") if self.begun else None
        except OSError as error:
            return _unreadable(f"the lock file cannot be read: {error.strerror}")
        newest = newest_of(slots)
        if newest is None:
            return _unreadable("the lock file is damaged")
        try:
            lock = _lock_in(newest.content)
        except (ValueError, msgspec.ValidationError) as error:
            return _unreadable(f"the lock file cannot be understood: {error}")
        if lock is None and None in slots:
            return _unreadable("the lock file was being written when power went")
        return lock

    def set(self, lock: Lock) -> None:
        """Write the lock; long texts are cut.

        Raises OSError when the disk does not take it.
        """
        why, since = lock.why[:_LONGEST_WHY], lock.since[:_LONGEST_SINCE]
        self._write(replace(lock, why=why, since=since))

    def clear(self) -> None:
        """Unlock. Raises OSError when the disk does not take it."""
        self._write(None)

    def _write(self, lock: Lock | None) -> None:
        with self._mutex:
            content = _content(lock, begun=self.begun)
            if self._path.exists():
                self._file.write(content)
            else:
                self._file.make(content)


def _content(lock: Lock | None, *, begun: bool) -> Content:
    return {"lock": None if lock is None else asdict(lock), "begun": begun}


def _lock_in(content: Content) -> Lock | None:
    """Raises ValueError, msgspec.ValidationError for what this version would not write."""
    _check_names(content, {"lock", "begun"})
    if not isinstance(content.get("begun", True), bool) or "lock" not in content:
        raise ValueError("it does not say whether the table is locked, or has begun")
    if content["lock"] is None:
        return None
    lock = msgspec.convert(content["lock"], Lock)
    _check_names(content["lock"], {field.name for field in fields(Lock)})
    if lock.fault not in _FAULTS:
        raise ValueError(f"unknown fault {lock.fault}")
    return lock


def _check_names(content: Any, known: set[str]) -> None:
    unknown = sorted(set(content) - known)
    if unknown:
        raise ValueError(f"unknown field {unknown[0]}")


def _unreadable(why: str) -> Lock:
    return Lock(_DAMAGED, why, "")
