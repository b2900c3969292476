"""The record in flash that says which kind of board this is; `make flash` writes it with the image.

MicroPython's storage has four sectors at the end of the flash: the board's key (`key_sector`), this
record, and two for `boot_number`.
"""

import binascii
import struct

STORAGE_SECTORS = 4
"""At the end of the flash: MICROPY_HW_FLASH_STORAGE_BYTES in rp2/mpconfigboard.h."""

RECORD_SECTOR = 1
RECORD_SIZE = 12
MAGIC = b"banco \1"
"""The last byte is the record's version."""


def pack_kind(kind: int) -> bytes:
    """The record's bytes."""
    head = MAGIC + bytes([kind])
    return head + struct.pack("<I", binascii.crc32(head))


def read_kind(record: bytes | bytearray) -> int | None:
    """The kind in these bytes; None if they are no sound record."""
    kind = record[len(MAGIC)]
    return kind if bytes(record[:RECORD_SIZE]) == pack_kind(kind) else None
