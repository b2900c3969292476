"""Writes the firmware to a board and asks it who it is (`make flash`; see docs/how-to/board.md)."""

import argparse
import asyncio
import sys
from pathlib import Path

from firmware_bridge.board_session.protocol import BoardKind, Identity
from firmware_bridge.flashing.boot_drive import (
    DriveError,
    check_boot_drive,
    find_boot_drive,
    write_image,
)
from firmware_bridge.flashing.first_answer import EnrolmentError, ask_identity
from firmware_bridge.flashing.images import KINDS, BadImage, image_name, name_kind, read_image_kind

EPILOG = """\
example:
  make flash KIND=slot-rail PORT=/dev/ttyUSB0

exit status:
  0  the board is what it should be
  1  no drive, no image, or the board does not answer as it should: the message says which
  2  wrong arguments
"""

SECTIONS = {
    BoardKind.SLOT_RAIL: 'driver = "board"\nkind = "slot"\nport = "/dev/table/rail"',
    BoardKind.SENSOR_RAIL: 'driver = "board"\nkind = "sensor"\nport = "/dev/table/rail"',
    BoardKind.CCTALK_SLOTS: 'board_port = "/dev/table/rail-board"  # beside the ccTalk bus',
}


def parse_arguments(words: list[str]) -> argparse.Namespace:
    """The command's words."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware_bridge.flashing",
        description="Write the firmware to a board, and ask it on its serial port who it is.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where `make firmware` has put the images")
    parser.add_argument(
        "--kind", required=True, choices=[name_kind(kind) for kind in KINDS], help="what it will be"
    )
    parser.add_argument("--port", required=True, help="the board's serial port")
    parser.add_argument("--drive", type=Path, help="where RPI-RP2 is mounted; default: looked for")
    return parser.parse_args(words)


def flash_board(arguments: argparse.Namespace) -> Identity:
    """Write, wait, ask. Raises BadImage, DriveError, EnrolmentError; OSError without an image."""
    kind = next(kind for kind in KINDS if name_kind(kind) == arguments.kind)
    path = arguments.folder / image_name(kind)
    if path.exists() and not path.is_file():
        raise BadImage(f"{path} is no file: a folder, a pipe or a device")
    image = path.read_bytes()
    if read_image_kind(image) != kind:
        raise BadImage(f"{path} is an image for another kind of board: make firmware")
    drive = check_boot_drive(arguments.drive) if arguments.drive else find_boot_drive()
    print(f"{path} -> {drive}", flush=True)
    write_image(image, drive)
    return asyncio.run(ask_identity(arguments.port, kind))


def describe(identity: Identity) -> str:
    """What to write on the board's label, and into the table's configuration."""
    kind = BoardKind(identity.kind)
    version = ".".join(map(str, identity.firmware))
    return (
        f"{name_kind(kind)}, serial {identity.serial}, firmware {version}, boot {identity.boot}\n"
        f"Write the serial on the board. In the table's configuration:\n\n[rail]\n{SECTIONS[kind]}"
    )


def main(words: list[str]) -> int:
    """The command; its exit status."""
    arguments = parse_arguments(words)
    try:
        print(describe(flash_board(arguments)))
    except FileNotFoundError as error:
        print(f"{error.filename} is missing: make firmware", file=sys.stderr)
        return 1
    except (BadImage, DriveError, EnrolmentError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
