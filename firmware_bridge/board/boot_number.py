"""The boot number: higher at every boot, whenever the power is cut.

Two sectors of flash have one number a page. A boot writes the next page, reads it back, and only
then uses its number. A page whose writing was cut short is skipped, and its number with it. A
sector is erased when the other is full, which is wear levelling: 32 boots wear both of them once.
"""

import binascii
import struct

SECTORS = (2, 3)
PAGES = 16
PAGE_SIZE = 256
BLANK = b"\xff" * PAGE_SIZE
MAGIC = b"boot"

ERASE = 6
"""MicroPython's MP_BLOCKDEV_IOCTL_BLOCK_ERASE."""


class Flash:
    """What this module needs of MicroPython's `rp2.Flash`: sectors of 4096 bytes."""

    def readblocks(self, sector: int, buffer: bytearray, offset: int) -> None:
        """Fill the buffer with what is there."""
        raise NotImplementedError

    def writeblocks(self, sector: int, buffer: bytes, offset: int) -> None:
        """Program these bytes; with an offset, nothing is erased before."""
        raise NotImplementedError

    def ioctl(self, request: int, argument: int) -> int | None:
        """Of all requests only ERASE: every byte of the sector becomes FF."""
        raise NotImplementedError


def take_boot_number(flash: Flash, first: int) -> int:
    """The number of this boot, kept in flash by now; `first` if there has been none yet.

    Raises OSError if no page keeps what is written to it: the flash is worn out.
    """
    number, sector, page = _find_newest(flash, first - 1)
    for _ in range(len(SECTORS) * PAGES):
        number, page = number + 1, page + 1
        if page == PAGES:
            sector, page = SECTORS[sector == SECTORS[0]], 0
            flash.ioctl(ERASE, sector)
        if _read_page(flash, sector, page) != BLANK:
            continue
        wanted = _pack_page(number)
        flash.writeblocks(sector, wanted, page * PAGE_SIZE)
        if _read_page(flash, sector, page) == wanted:
            return number
    raise OSError("the boot number's sectors are worn out")


def _find_newest(flash: Flash, before: int) -> tuple[int, int, int]:
    """The highest number in flash, its sector and page; if there is none, before the first page."""
    found = None
    for sector in SECTORS:
        for page in range(PAGES):
            number = _read_number(_read_page(flash, sector, page))
            if number is not None and (found is None or number > found[0]):
                found = number, sector, page
    return found or (before, SECTORS[1], PAGES - 1)


def _read_page(flash: Flash, sector: int, page: int) -> bytearray:
    buffer = bytearray(PAGE_SIZE)
    flash.readblocks(sector, buffer, page * PAGE_SIZE)
    return buffer


def _pack_page(number: int) -> bytes:
    number_bytes = struct.pack("<I", number)
    check = binascii.crc32(MAGIC + number_bytes)  # without MAGIC, a blank page would be a sound one
    return (number_bytes + struct.pack("<I", check) + BLANK)[:PAGE_SIZE]


def _read_number(page: bytearray) -> int | None:
    number: int = struct.unpack_from("<I", page)[0]
    return number if page == _pack_page(number) else None
