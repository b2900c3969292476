"""The board reads its own flash, slice by slice, and tells the digest that `make flash` prints."""

import pytest

from firmware_bridge.board.image import RECORD, SECTOR, SLICE, ImageReader
from firmware_bridge.board.kind_record import read_record
from firmware_bridge.board.rail import SlotRail
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.images import image_digest, make_image, read_uf2


class TellingRail(SlotRail):
    """A slot rail that writes down what it is told to tell."""

    def __init__(self) -> None:
        super().__init__(1, "RAIL-007")
        self.told: list[bytes] = []

    def tell_image(self, digest: bytes) -> None:
        self.told.append(digest)


def read_flash(flash: bytes) -> tuple[int, list[str]]:
    """The slices that it takes, and what is told."""
    record = read_record(flash[RECORD : RECORD + SECTOR])
    assert record is not None
    board = TellingRail()
    reader = ImageReader(memoryview(flash), record[1], board)
    slices = 0
    while not board.told:
        reader.read_slice()
        slices += 1
    for _ in range(3):
        reader.read_slice()  # it is told once
    return slices, [digest.hex() for digest in board.told]


SIZES = (1, SLICE, SECTOR - 1, SECTOR, SECTOR + 1, 5 * SECTOR + 21)


@pytest.mark.parametrize("size", SIZES)
def test_the_digest_is_that_of_the_image(size: int) -> None:
    image = make_image(bytes(number % 251 for number in range(size)), BoardKind.SLOT_RAIL)
    slices, digests = read_flash(read_uf2(image))
    assert digests == [image_digest(image)]
    sectors = -(-size // SECTOR) + 1
    assert slices == sectors * SECTOR // SLICE + 1


@pytest.mark.parametrize("at", [0, 2 * SECTOR + 5, RECORD + 100])
def test_one_changed_byte_is_told(at: int) -> None:
    image = make_image(bytes(3 * SECTOR), BoardKind.SLOT_RAIL)
    flash = bytearray(read_uf2(image))
    flash[at] ^= 1
    assert read_flash(bytes(flash))[1] != [image_digest(image)]


def test_keys_and_boot_numbers_are_no_part_of_it() -> None:
    image = make_image(bytes(SECTOR), BoardKind.SLOT_RAIL)
    flash = bytearray(read_uf2(image))
    for sector in (-1, 1, 2):
        flash[RECORD + sector * SECTOR + 7] = 0
    assert read_flash(bytes(flash))[1] == [image_digest(image)]
