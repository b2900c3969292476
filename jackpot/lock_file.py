"""The lock that outlives power on a full disk (TABLE.md, section 7).

A file of one block, allocated once and overwritten in place: two slots of text, each with its own
CRC-32, written in turn. Only two whole slots of which the newer says so mean "unlocked".
"""

import json
import os
from dataclasses import asdict, dataclass, replace
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from zlib import crc32

from jackpot.folder import sync_folder

SLOT_BYTES = 2_048
# Escaped, as the widest characters are, these still fit a slot.
_LONGEST_FAULT, _LONGEST_WHY, _LONGEST_SINCE = 20, 100, 32
_DAMAGED = "LEDGER_FAULT"


@dataclass(frozen=True, slots=True)
class Lock:
    """Why the table is locked: the fault's code, a text for people, the wall clock's label.

    `service`: a technician has the table in SERVICE, which no journal can say while it is locked.
    """

    fault: str
    why: str
    since: str
    service: bool = False


@dataclass(frozen=True, slots=True)
class _Slot:
    number: int
    lock: Lock | None


class LockFile:
    """The lock beside the ledger."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        """Make the file, unlocked, if it is not there; its block is allocated here.

        `durable=False` leaves out every sync. Raises OSError when it cannot be made.
        """
        self._path = path
        self._durable = durable
        if not path.exists():
            self._create()

    def read(self) -> Lock | None:
        """What is locked, or None. What cannot be read, or is damaged, reads as locked."""
        try:
            slots = self._slots()
        except OSError as error:
            return Lock(_DAMAGED, f"the lock file cannot be read: {error.strerror}", "")
        whole = [slot for slot in slots if slot is not None]
        newest = max(whole, key=lambda slot: slot.number, default=None)
        if newest is None:
            return Lock(_DAMAGED, "the lock file is damaged", "")
        if newest.lock is None and len(whole) < len(slots):
            return Lock(_DAMAGED, "the lock file was being written when power went", "")
        return newest.lock

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

    def _slots(self) -> tuple[_Slot | None, _Slot | None]:
        with self._path.open("rb") as file:
            content = file.read(2 * SLOT_BYTES)
        return _decoded(content[:SLOT_BYTES]), _decoded(content[SLOT_BYTES:])

    def _write(self, lock: Lock | None) -> None:
        slots = self._slots()
        numbers = [-1 if slot is None else slot.number for slot in slots]
        older = numbers.index(min(numbers))
        slot = _encoded(_Slot(max(numbers) + 1, lock))
        self._overwrite(older, slot)
        if slots[1 - older] is None:  # both were damaged
            self._overwrite(1 - older, slot)

    def _overwrite(self, index: int, slot: bytes) -> None:
        # Unbuffered and not truncated: the block stays the same one.
        with self._path.open("r+b", buffering=0) as file:
            file.seek(index * SLOT_BYTES)
            _write_whole(file, slot)
            self._sync(file.fileno())

    def _create(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        made = self._path.with_name(f"{self._path.name}.new")
        with made.open("wb", buffering=0) as file:
            for number in (0, 1):
                _write_whole(file, _encoded(_Slot(number, None)))
            self._sync(file.fileno())
        made.replace(self._path)
        if self._durable:
            sync_folder(self._path.parent)

    def _sync(self, descriptor: int) -> None:
        if self._durable:
            os.fsync(descriptor)


def _write_whole(file: FileIO, slot: bytes) -> None:
    if file.write(slot) != SLOT_BYTES:
        raise OSError(ENOSPC, f"{file.name} was written only in part")


def _encoded(slot: _Slot) -> bytes:
    lock = None if slot.lock is None else asdict(slot.lock)
    text = json.dumps({"number": slot.number, "lock": lock}).encode()
    padded = text.ljust(SLOT_BYTES - len(b"01234567 \n")) + b"\n"
    return b"%08x " % crc32(padded) + padded


def _decoded(slot: bytes) -> _Slot | None:
    """The slot, or None if it is not whole."""
    padded = slot[9:]
    if len(slot) != SLOT_BYTES or slot[:9] != b"%08x " % crc32(padded):
        return None
    content = json.loads(padded)
    lock = content["lock"]
    return _Slot(content["number"], None if lock is None else Lock(**lock))
