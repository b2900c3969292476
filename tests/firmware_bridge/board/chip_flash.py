"""Flash that keeps its bits low until it is erased, and loses its power at any byte."""

from random import Random

from firmware_bridge.board.boot_number import ERASE, PAGE_SIZE, PAGES, Flash

SECTOR_SIZE = PAGES * PAGE_SIZE


class PowerCut(Exception):
    """The power has gone."""


class ChipFlash(Flash):
    """Four sectors; the power goes after so many bytes were written or erased."""

    def __init__(self, seed: int = 0) -> None:
        self.bytes = bytearray(b"\xff" * 4 * SECTOR_SIZE)
        self.chance = Random(seed)
        self.left: int | None = None
        self.erased = 0
        self.worn: set[int] = set()

    def readblocks(self, sector: int, buffer: bytearray, offset: int) -> None:
        start = sector * SECTOR_SIZE + offset
        buffer[:] = self.bytes[start : start + len(buffer)]

    def writeblocks(self, sector: int, buffer: bytes, offset: int) -> None:
        for at, byte in enumerate(buffer, sector * SECTOR_SIZE + offset):
            if self._goes():
                self.bytes[at] &= byte | self.chance.randrange(256)
                raise PowerCut
            self.bytes[at] &= byte | (0x80 if at in self.worn else 0)

    def ioctl(self, request: int, argument: int) -> int | None:
        assert request == ERASE
        self.erased += 1
        for at in range(argument * SECTOR_SIZE, (argument + 1) * SECTOR_SIZE):
            if self._goes():
                for rest in range(at, (argument + 1) * SECTOR_SIZE):
                    self.bytes[rest] |= self.chance.randrange(256)
                raise PowerCut
            self.bytes[at] = 0xFF
        return 0

    def _goes(self) -> bool:
        if self.left is not None:
            self.left -= 1
        return self.left == 0
