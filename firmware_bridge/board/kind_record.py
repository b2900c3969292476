"""The record in flash that `make flash` writes with the image: which kind of board this is.

MicroPython's storage has four sectors at the end of the flash: the board's key (`key_sector`), this
record, and two for `boot_number`.
"""

import binascii
import struct

STORAGE_SECTORS = 4
"""At the end of the flash: MICROPY_HW_FLASH_STORAGE_BYTES in rp2/mpconfigboard.h."""

RECORD_SECTOR = 1
RECORD_SIZE = 16
MAGIC = b"banco \2"
"""The last byte is the record's version."""


def pack_record(kind: int, program_size: int) -> bytes:
    """The record's bytes; `program_size`: bytes that the image's program has."""
    head = MAGIC + struct.pack("<BI", kind, program_size)
    return head + struct.pack("<I", binascii.crc32(head))


def read_record(record: bytes | bytearray) -> tuple[int, int] | None:
    """The kind and the program's size in these bytes; None if they are no sound record."""
    kind, size = struct.unpack_from("<BI", record, len(MAGIC))
    return (kind, size) if bytes(record[:RECORD_SIZE]) == pack_record(kind, size) else None
