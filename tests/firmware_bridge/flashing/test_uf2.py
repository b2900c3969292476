"""Images: what the chip will take, and what is refused before it is written."""

import struct
from hashlib import sha256

import pytest

from firmware_bridge.board.image import FLASH_SIZE, RECORD
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.images import (
    FLASH,
    KINDS,
    NotFlashed,
    image_digest,
    make_image,
    pack_uf2,
    read_image_kind,
    read_uf2,
)

PROGRAM = bytes(range(256)) * 20 + b"end"


def test_the_flash_has_each_part_at_its_place() -> None:
    flash = read_uf2(pack_uf2({FLASH: PROGRAM, FLASH + 0x8000: b"second"}))
    assert flash[: len(PROGRAM)] == PROGRAM
    assert flash[0x8000:0x8006] == b"second"
    assert set(flash[len(PROGRAM) : 0x8000]) == {0xFF}


def test_whole_sectors_are_written() -> None:
    assert len(pack_uf2({FLASH: b"x"})) == 16 * 512


@pytest.mark.parametrize("kind", KINDS)
def test_an_image_says_what_kind_it_makes_of_a_board(kind: BoardKind) -> None:
    assert read_image_kind(make_image(PROGRAM, kind)) == kind


def test_the_image_leaves_the_boot_numbers_alone() -> None:
    image = make_image(PROGRAM, BoardKind.SLOT_RAIL)
    written = {struct.unpack_from("<I", image, at + 12)[0] for at in range(0, len(image), 512)}
    assert max(written) - FLASH < RECORD + 4096


def test_an_images_digest_is_that_of_what_the_flash_gets() -> None:
    image = make_image(PROGRAM, BoardKind.SLOT_RAIL)
    flash = read_uf2(image)
    program = flash[: -(-len(PROGRAM) // 4096) * 4096]
    assert image_digest(image) == sha256(program + flash[RECORD : RECORD + 4096]).hexdigest()
    others = (make_image(PROGRAM, kind) for kind in KINDS if kind is not BoardKind.SLOT_RAIL)
    changed = make_image(PROGRAM[:-1] + b"!", BoardKind.SLOT_RAIL)
    assert image_digest(image) not in {image_digest(one) for one in (*others, changed)}


def test_a_program_that_would_reach_the_record_is_refused() -> None:
    with pytest.raises(NotFlashed, match="there is space for 2080768"):
        make_image(bytes(FLASH_SIZE - 4 * 4096 + 1), BoardKind.SLOT_RAIL)


def change(at: int, value: int) -> bytes:
    image = bytearray(make_image(PROGRAM, BoardKind.SLOT_RAIL))
    struct.pack_into("<I", image, at, value)
    return bytes(image)


@pytest.mark.parametrize(
    ("image", "why"),
    [
        (b"", "0 bytes are not whole blocks"),
        (make_image(PROGRAM, BoardKind.SLOT_RAIL)[:-1], "are not whole blocks"),
        (make_image(PROGRAM, BoardKind.SLOT_RAIL)[:-512], "the file is cut"),
        (b"<html>" + bytes(506), "block 0 does not begin and end as UF2 does"),
        (change(512 + 28, 0xADA52840), "block 1 is for family 0xada52840; an RP2040 is 0xe48bff56"),
        (change(12, 0x20000000), "block 0 writes 256 bytes at 0x20000000, outside the flash"),
        (pack_uf2({FLASH: PROGRAM}), "it is no image of ours"),
    ],
)
def test_a_wrong_file_is_named(image: bytes, why: str) -> None:
    with pytest.raises(NotFlashed, match=why):
        read_image_kind(image)
