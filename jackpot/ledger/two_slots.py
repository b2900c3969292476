"""A small file that survives a power cut: two slots of text, written in turn.

Its block is allocated once and overwritten in place, so it needs no space on a full disk. Each slot
has its number and its own CRC-32; if one was torn by a power cut, the other still has the version
before. The lock and the seal are such files.
"""

import json
import os
from collections.abc import Mapping
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from typing import Any
from zlib import crc32

from msgspec import Struct

from jackpot.ledger.folder import hand_over_open, sync_folder

SLOT_BYTES = 2_048

Content = Mapping[str, Any]
"""A slot's content as a JSON object, without the slot's own `number`."""


class Slot(Struct, frozen=True):
    """A whole slot; the one with the higher number is the newer."""

    number: int
    content: Content


class TwoSlots:
    """A file of two slots. `durable=False` leaves out every sync."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self._durable = durable

    def make(self, content: Content) -> None:
        """Make the file with the same content in both slots. Raises OSError."""
        made = self.path.with_name(f"{self.path.name}.new")
        made.unlink(missing_ok=True)  # what is no file might never take a byte
        with made.open("wb", buffering=0) as file:
            for number in (0, 1):
                _write_whole(file, _encode_slot(Slot(number, content)))
            hand_over_open(file.fileno(), self.path.parent)
            if self._durable:
                os.fsync(file.fileno())
        made.replace(self.path)
        if self._durable:
            sync_folder(self.path.parent)

    def slots(self) -> tuple[Slot | None, Slot | None]:
        """Both slots; None for one that is not whole. Raises OSError."""
        with self.path.open("rb") as file:
            content = file.read(2 * SLOT_BYTES)
        return _decode_slot(content[:SLOT_BYTES]), _decode_slot(content[SLOT_BYTES:])

    def newest(self) -> Slot | None:
        """The newer of the whole slots; None if there is none. Raises OSError."""
        return newest_of(self.slots())

    def write(self, content: Content) -> None:
        """Write the older slot; both, if both are damaged. Raises OSError."""
        slots = self.slots()
        numbers = [-1 if slot is None else slot.number for slot in slots]
        older = numbers.index(min(numbers))
        slot = _encode_slot(Slot(max(numbers) + 1, content))
        self._overwrite(older, slot)
        if slots[1 - older] is None:
            self._overwrite(1 - older, slot)

    def _overwrite(self, index: int, slot: bytes) -> None:
        # Unbuffered and not truncated: the block stays the same one.
        with self.path.open("r+b", buffering=0) as file:
            file.seek(index * SLOT_BYTES)
            _write_whole(file, slot)
            if self._durable:  # only times changed beside the slot: they need no flush of their own
                os.fdatasync(file.fileno())


def newest_of(slots: tuple[Slot | None, Slot | None]) -> Slot | None:
    """The newer of the whole slots; None if there is none."""
    whole = [slot for slot in slots if slot is not None]
    return max(whole, key=lambda slot: slot.number, default=None)


def _write_whole(file: FileIO, slot: bytes) -> None:
    if file.write(slot) != SLOT_BYTES:
        raise OSError(ENOSPC, f"{file.name} was written only in part")


def _encode_slot(slot: Slot) -> bytes:
    text = json.dumps({"number": slot.number, **slot.content}).encode()
    padded = text.ljust(SLOT_BYTES - len(b"01234567 \n")) + b"\n"
    return b"%08x " % crc32(padded) + padded


def _decode_slot(slot: bytes) -> Slot | None:
    """The slot, or None if it is not whole."""
    padded = slot[9:]
    if len(slot) != SLOT_BYTES or slot[:9] != b"%08x " % crc32(padded):
        return None
    try:
        content = json.loads(padded)
    except ValueError:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("number"), int):
        return None
    return Slot(content.pop("number"), content)
