"""The board's key in flash: one sector, a page for each key that the board was given.

The last sound page counts. A page whose writing was cut short is skipped, and the key before it
still counts. After 16 keys the sector is erased first; power that goes just then leaves no key, or
an earlier one.
"""

import binascii
import struct

from firmware_bridge.board.boot_number import BLANK, ERASE, PAGE_SIZE, PAGES, Flash
from firmware_bridge.board.proof import KEY_SIZE

KEY_SECTOR = 0
"""Of MicroPython's storage (`kind_record`)."""

MAGIC = b"key \1"
"""The last byte is the page's version."""


def read_key(flash: Flash, sector: int = KEY_SECTOR) -> bytes | None:
    """The key that counts; None if there is none."""
    key = None
    for page in range(PAGES):
        key = _read_sound_key(_read_page(flash, sector, page)) or key
    return key


def write_key(flash: Flash, key: bytes, sector: int = KEY_SECTOR) -> None:
    """Let this key count from now on, if the flash keeps it: see `read_key`."""
    blank = [page for page in range(PAGES) if _is_blank_from(flash, sector, page)]
    if not blank:
        flash.ioctl(ERASE, sector)
        blank = [0]
    flash.writeblocks(sector, _pack_page(key), blank[0] * PAGE_SIZE)


def _is_blank_from(flash: Flash, sector: int, first: int) -> bool:
    pages = [_read_page(flash, sector, page) for page in range(first, PAGES)]
    return all(bytes(page) == BLANK for page in pages)


def _read_page(flash: Flash, sector: int, page: int) -> bytearray:
    buffer = bytearray(PAGE_SIZE)
    flash.readblocks(sector, buffer, page * PAGE_SIZE)
    return buffer


def _pack_page(key: bytes) -> bytes:
    head = MAGIC + key
    return (head + struct.pack("<I", binascii.crc32(head)) + BLANK)[:PAGE_SIZE]


def _read_sound_key(page: bytearray) -> bytes | None:
    key = bytes(page[len(MAGIC) : len(MAGIC) + KEY_SIZE])
    return key if bytes(page) == _pack_page(key) else None
