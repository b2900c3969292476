"""The file beside the ledger that says whether the table is locked, and whether it has begun.

The lock survives a power cut on a full disk, and a table that has begun never gets a new ledger by
itself (docs/reference/rules.md, section 7; docs/dev/decisions/0003). It is a file of two slots
(`two_slots.py`), allocated before the ledger is made. It is unlocked only if both slots
are whole and the newer says so.
"""

import os
from pathlib import Path
from threading import Lock as Mutex
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from jackpot.failures import LedgerUnavailable
from jackpot.ledger.two_slots import SLOT_BYTES, Content, Slot, TwoSlots, newest_of
from jackpot.named_files import refuse_pipe
from jackpot.value_mistakes import describe_mistake

__all__ = ["SLOT_BYTES", "Lock", "LockFile"]

# Even if all characters are escaped, these fit into a slot.
_LONGEST_WHY, _LONGEST_SINCE = 100, 32
_FAULT_IF_UNREADABLE = "LEDGER_FAULT"
_FAULTS = (_FAULT_IF_UNREADABLE, "LEDGER_CORRUPT")
_LEDGER_FILES = "ledger.*"


class Lock(Struct, frozen=True):
    """Why the table is locked: the fault's code, a text for people, a wall-clock label.

    `service`: a technician has the table in SERVICE; `unproved`: seats that may have taken a token
    meanwhile. No journal can record these while the table is locked.
    """

    fault: str
    why: str
    since: str
    service: bool = False
    unproved: tuple[int, ...] = ()


class LockFile:
    """The lock file; `durable=False` leaves out every sync."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self._path = path
        self._name = str(path)
        self._file = TwoSlots(path, durable=durable)
        self._mutex = Mutex()  # the disk thread notes the first commit
        self._known: _Seen | None = None

    def make(self) -> None:
        """Make the file of a table that has not begun, unlocked, and allocate its block.

        It must exist before any file of the ledger. Raises OSError.
        """
        if not self._path.exists():
            self._file.make(_content(None, begun=False))

    def expect_unchanged(self) -> None:
        """From now on `check` expects the file as it is, or as it is written here."""
        with self._mutex:
            self._known = self._read_seen()

    def check(self) -> None:
        """Raise LedgerUnavailable if somebody else has removed, replaced or changed the file.

        Raises OSError if that cannot be seen.
        """
        with self._mutex:
            known = self._known
            if known is None or known.status == _status_of(self._name):
                return
            now = self._read_seen()
            if now is None or now.status[:2] != known.status[:2] or now.content != known.content:
                how = "removed" if now is None else "changed"
                raise LedgerUnavailable(f"the lock file was {how} while the table ran")
            self._known = now  # its owner or times were set, by a backup for instance

    @property
    def begun(self) -> bool:
        """Whether the table has begun: False only if a whole file says so.

        A missing file means True if there is a file of a ledger.
        """
        try:
            newest = newest_of(self._slots())
        except FileNotFoundError:
            return any(self._path.parent.glob(_LEDGER_FILES))
        except OSError:
            return True
        return newest is None or newest.content.get("begun") is not False

    def note_begun(self) -> None:
        """Note that the first record is on the disk. Raises OSError.

        This needs space on the disk, once; after a power cut the file has either content.
        """
        with self._mutex:
            if not self.begun:
                self._file.make(_content(self.read(), begun=True))
                self._known = self._read_seen()

    def read(self) -> Lock | None:
        """The lock, or None.

        A missing file beside a ledger, a damaged one, or one of another form reads as locked, with
        an empty `since`.
        """
        try:
            slots = self._slots()
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
            return _unreadable(f"the lock file cannot be understood: {describe_mistake(error)}")
        if lock is None and None in slots:
            return _unreadable("the lock file was being written when power went")
        return lock

    def set(self, lock: Lock) -> None:
        """Write the lock; long texts are cut.

        Raises OSError if the disk does not take it.
        """
        why, since = lock.why[:_LONGEST_WHY], lock.since[:_LONGEST_SINCE]
        self._write(replace(lock, why=why, since=since))

    def clear(self) -> None:
        """Remove the lock. Raises OSError if the disk does not take it."""
        self._write(None)

    def _write(self, lock: Lock | None) -> None:
        with self._mutex:
            content = _content(lock, begun=self.begun)
            refuse_pipe(self._path)
            if self._path.exists():
                self._file.write(content)
            else:
                self._file.make(content)
            self._known = self._read_seen()

    def _slots(self) -> tuple[Slot | None, Slot | None]:
        refuse_pipe(self._path)
        return self._file.slots()

    def _read_seen(self) -> "_Seen | None":
        status = _status_of(self._name)
        refuse_pipe(self._path)
        return None if status is None else _Seen(status, self._path.read_bytes())


class _Seen(Struct, frozen=True):
    """The file as it was last read or written here."""

    status: tuple[int, ...]
    """Device, inode, size, mtime, ctime."""
    content: bytes


def _status_of(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)  # called at each commit: Path.stat is three calls more
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _content(lock: Lock | None, *, begun: bool) -> Content:
    return {"lock": None if lock is None else asdict(lock), "begun": begun}


def _lock_in(content: Content) -> Lock | None:
    """Raises ValueError, msgspec.ValidationError for content that this version would not write."""
    _refuse_unknown_fields(content, {"lock", "begun"})
    if not isinstance(content.get("begun", True), bool) or "lock" not in content:
        raise ValueError("it does not say whether the table is locked, or has begun")
    if content["lock"] is None:
        return None
    lock = msgspec.convert(content["lock"], Lock)
    _refuse_unknown_fields(content["lock"], set(Lock.__struct_fields__))
    if lock.fault not in _FAULTS:
        raise ValueError(f"unknown fault {lock.fault}")
    return lock


def _refuse_unknown_fields(content: Any, known: set[str]) -> None:
    unknown = sorted(set(content) - known)
    if unknown:
        raise ValueError(f"unknown field {unknown[0]}")


def _unreadable(why: str) -> Lock:
    return Lock(_FAULT_IF_UNREADABLE, why, "")
