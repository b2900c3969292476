"""The lock that outlives power on a full disk (TABLE.md, section 7).

A file of two slots (`jackpot/two_slots.py`), allocated once. Only two whole slots of which the
newer says so mean "unlocked".
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from jackpot.two_slots import SLOT_BYTES, Content, TwoSlots

__all__ = ["SLOT_BYTES", "Lock", "LockFile"]

# Escaped, as the widest characters are, these still fit a slot.
_LONGEST_FAULT, _LONGEST_WHY, _LONGEST_SINCE = 20, 100, 32
_DAMAGED = "LEDGER_FAULT"


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
    """The lock beside the ledger."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Make the file, unlocked, if it is not there; its block is allocated here.

        `durable=False` leaves out every sync. Raises OSError when it cannot be made.
        """
        self._file = TwoSlots(path, durable=durable)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file.make(_content(None))

    def read(self) -> Lock | None:
        """What is locked, or None. What cannot be read, or is damaged, reads as locked."""
        try:
            slots = self._file.slots()
        except OSError as error:
            return Lock(_DAMAGED, f"the lock file cannot be read: {error.strerror}", "")
        whole = [slot for slot in slots if slot is not None]
        newest = max(whole, key=lambda slot: slot.number, default=None)
        if newest is None:
            return Lock(_DAMAGED, "the lock file is damaged", "")
        lock = newest.content["lock"]
        if lock is None and len(whole) < len(slots):
            return Lock(_DAMAGED, "the lock file was being written when power went", "")
        return None if lock is None else _lock(lock)

    def set(self, lock: Lock) -> None:
        """Lock, before anything else may happen; long texts are cut.

        Raises OSError when the disk does not take it.
        """
        self._write(
            replace(
                lock,
                fault=lock.fault[:_LONGEST_FAULT],
                why=lock.why[:_LONGEST_WHY],
                since=lock.since[:_LONGEST_SINCE],
            )
        )

    def clear(self) -> None:
        """Unlock. Raises OSError when the disk does not take it."""
        self._write(None)

    def _write(self, lock: Lock | None) -> None:
        self._file.write(_content(lock))


def _lock(content: Content) -> Lock:
    return Lock(**{**content, "unproved": tuple(content.get("unproved", ()))})


def _content(lock: Lock | None) -> Content:
    return {"lock": None if lock is None else asdict(lock)}
