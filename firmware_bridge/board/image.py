"""The SHA-256 of what the board's flash holds: program and kind record, as `make flash` wrote them.

It is read in slices, because a whole reading takes longer than a table may wait for its board.
"""

from hashlib import sha256

from firmware_bridge.board.firmware import Firmware
from firmware_bridge.board.kind_record import RECORD_SECTOR, STORAGE_SECTORS

SECTOR = 4096
FLASH_SIZE = 2 * 1024 * 1024
RECORD = FLASH_SIZE - (STORAGE_SECTORS - RECORD_SECTOR) * SECTOR
"""Where the record of the kind begins."""

SLICE = 256
"""Bytes read at once: 0.3 ms on the chip."""


class ImageReader:
    """Reads the image that lies in this flash: its program, and the sector of its kind record."""

    def __init__(self, flash: memoryview, program_size: int, board: Firmware) -> None:
        """`flash`: all of it; `program_size`: as the kind record says it, in bytes.

        `board` tells the digest in its sessions once it is known.
        """
        self._flash = flash
        self._board = board
        self._hash = sha256()
        self._at = 0
        self._end = -(-program_size // SECTOR) * SECTOR

    def read_slice(self) -> None:
        """Read on, until all is read."""
        if self._at > RECORD + SECTOR:
            return
        if self._at == RECORD + SECTOR:
            self._board.tell_image(self._hash.digest())
        else:
            self._hash.update(self._flash[self._at : self._at + SLICE])
        self._at += SLICE
        if self._at == self._end:
            self._at = RECORD
