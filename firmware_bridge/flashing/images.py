"""The image of each kind of board: MicroPython with our firmware, and the record of the kind.

`make firmware` calls it: python -m firmware_bridge.flashing.images BIN FOLDER. An image is written
in UF2 (https://github.com/microsoft/uf2): blocks of 512 bytes, each with 256 and their address.
"""

import hashlib
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.board.image import FLASH_SIZE, RECORD, SECTOR
from firmware_bridge.board.kind_record import (
    RECORD_SIZE,
    STORAGE_SECTORS,
    pack_record,
    read_record,
)
from firmware_bridge.board_session.protocol import BoardKind

BLOCK = struct.Struct("<8I476sI")
MAGIC = 0x0A324655, 0x9E5D5157
LAST_MAGIC = 0x0AB16F30
HAS_FAMILY = 0x2000
RP2040 = 0xE48BFF56
"""The family: what else carries this format is not for our boards."""

PAYLOAD = 256
FLASH = 0x10000000

KINDS = (BoardKind.SLOT_RAIL, BoardKind.SENSOR_RAIL, BoardKind.CCTALK_SLOTS)
"""The kinds that `firmware_bridge/board/main.py` can be."""

STORAGE = FLASH_SIZE - STORAGE_SECTORS * SECTOR


class NotFlashed(Exception):
    """An image, a drive or an answer of an RP2040 is not as it should be; it says what to do."""


def pack_uf2(parts: Mapping[int, bytes]) -> bytes:
    """The file that writes each part at its address; whole sectors, as the chip erases them."""
    pages = [page for address, part in sorted(parts.items()) for page in _split(address, part)]
    return b"".join(
        BLOCK.pack(*MAGIC, HAS_FAMILY, at, PAYLOAD, number, len(pages), RP2040, page, LAST_MAGIC)
        for number, (at, page) in enumerate(pages)
    )


def _split(address: int, part: bytes) -> list[tuple[int, bytes]]:
    """The part's pages with their addresses, up to the end of its last sector."""
    padded = part.ljust(-(-len(part) // SECTOR) * SECTOR, b"\xff")
    places = range(0, len(padded), PAYLOAD)
    return [(address + at, padded[at : at + PAYLOAD]) for at in places]


def read_uf2(data: bytes) -> bytes:
    """The flash as this file leaves a blank one. Raises NotFlashed."""
    if not data or len(data) % BLOCK.size:
        raise NotFlashed(f"{len(data)} bytes are not whole blocks of {BLOCK.size}")
    flash = bytearray(b"\xff" * FLASH_SIZE)
    count = len(data) // BLOCK.size
    for at in range(count):
        *head, page, last = BLOCK.unpack_from(data, at * BLOCK.size)
        address = _check_block(at, count, head, last)
        flash[address : address + PAYLOAD] = page[:PAYLOAD]
    return bytes(flash)


def _check_block(at: int, count: int, head: list[int], last: int) -> int:
    """The block's place in the flash."""
    first, second, flags, address, size, number, blocks, family = head
    if (first, second, last) != (*MAGIC, LAST_MAGIC):
        raise NotFlashed(f"block {at} does not begin and end as UF2 does")
    if not flags & HAS_FAMILY or family != RP2040:
        raise NotFlashed(f"block {at} is for family {family:#010x}; an RP2040 is {RP2040:#010x}")
    if (number, blocks) != (at, count):
        raise NotFlashed(
            f"block {at} of {count} calls itself {number} of {blocks}: the file is cut"
        )
    place = address - FLASH
    if size != PAYLOAD or place % PAYLOAD or not 0 <= place < FLASH_SIZE:
        raise NotFlashed(f"block {at} writes {size} bytes at {address:#010x}, outside the flash")
    return place


def name_kind(kind: BoardKind) -> str:
    """As it is written after KIND= and in an image's name: slot-rail."""
    return kind.name.lower().replace("_", "-")


def image_name(kind: BoardKind) -> str:
    """The name of this kind's image."""
    return f"banco-{name_kind(kind)}.uf2"


def make_image(program: bytes, kind: BoardKind) -> bytes:
    """The UF2 file for a board of this kind. Raises NotFlashed if the program is too large."""
    if len(program) > STORAGE:
        raise NotFlashed(f"the program has {len(program)} bytes; there is space for {STORAGE}")
    return pack_uf2({FLASH: program, FLASH + RECORD: pack_record(kind, len(program))})


def image_digest(image: bytes) -> str:
    """The SHA-256 of all that the image writes, program and kind, by address. Raises NotFlashed."""
    read_uf2(image)
    pages = (block[8][:PAYLOAD] for block in BLOCK.iter_unpack(image))
    return hashlib.sha256(b"".join(pages)).hexdigest()


def read_image_kind(image: bytes) -> BoardKind:
    """The kind that this image makes of a board. Raises NotFlashed."""
    record = read_record(read_uf2(image)[RECORD : RECORD + RECORD_SIZE])
    if record is None or record[0] not in KINDS:
        raise NotFlashed("it is no image of ours: the record of the board's kind is not in it")
    return BoardKind(record[0])


def main() -> None:
    """Write the images of all kinds beside each other."""
    program, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    for kind in KINDS:
        path = folder / image_name(kind)
        path.write_bytes(make_image(program, kind))
        print(path)


if __name__ == "__main__":
    main()
