"""The image of each kind of board: MicroPython with our firmware, and the record of the kind.

`make firmware` calls it: python -m firmware_bridge.flashing.images BIN FOLDER.
"""

import sys
from pathlib import Path

from firmware_bridge.board.kind_record import (
    RECORD_SECTOR,
    RECORD_SIZE,
    STORAGE_SECTORS,
    pack_kind,
    read_kind,
)
from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.flashing.uf2 import FLASH, FLASH_SIZE, SECTOR, BadImage, pack_uf2, read_uf2

KINDS = (BoardKind.SLOT_RAIL, BoardKind.SENSOR_RAIL, BoardKind.CCTALK_SLOTS)
"""The kinds that `firmware_bridge/board/main.py` can be."""

STORAGE = FLASH_SIZE - STORAGE_SECTORS * SECTOR
RECORD = STORAGE + RECORD_SECTOR * SECTOR


def name_kind(kind: BoardKind) -> str:
    """As it is written after KIND= and in an image's name: slot-rail."""
    return kind.name.lower().replace("_", "-")


def image_name(kind: BoardKind) -> str:
    """The name of this kind's image."""
    return f"banco-{name_kind(kind)}.uf2"


def make_image(program: bytes, kind: BoardKind) -> bytes:
    """The UF2 file for a board of this kind. Raises BadImage if the program is too large."""
    if len(program) > STORAGE:
        raise BadImage(f"the program has {len(program)} bytes; there is space for {STORAGE}")
    return pack_uf2({FLASH: program, FLASH + RECORD: pack_kind(kind)})


def read_image_kind(image: bytes) -> BoardKind:
    """The kind that this image makes of a board. Raises BadImage."""
    number = read_kind(read_uf2(image)[RECORD : RECORD + RECORD_SIZE])
    if number not in KINDS:
        raise BadImage("it is no image of ours: the record of the board's kind is not in it")
    return BoardKind(number)


def main() -> None:
    """Write the images of all kinds beside each other."""
    program, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
    for kind in KINDS:
        path = folder / image_name(kind)
        path.write_bytes(make_image(program, kind))
        print(path)


if __name__ == "__main__":
    main()
