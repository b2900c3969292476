"""Writes the firmware to a board and asks it who it is (`make flash`; see docs/how-to/board.md)."""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from firmware_bridge.board_session.protocol import PROVED_VERSION, BoardKind, Identity, KeyAnswer
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.session_key import SessionKey
from firmware_bridge.flashing.images import (
    KINDS,
    NotFlashed,
    image_digest,
    image_name,
    name_kind,
    read_image_kind,
)
from firmware_bridge.serial_line import SerialLine

BAUD_RATE = 115200
ANSWER_S = 10.0
"""A board starts in less than 1 s; a USB adapter may need some more."""

IMAGE_S = 30.0
"""The chip has read its flash 3 s after its start."""

Answer = TypeVar("Answer")

INFO = "INFO_UF2.TXT"
BOARD_ID = "Board-ID: RPI-RP2"
MOUNTS = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt", "/mnt/*")
"""Where desktops and people mount drives."""

RESTART_S = 20.0
"""An image is written in 3 s; then the chip starts it, and its drive is gone."""

HOW = "hold the Pico's BOOTSEL button while you plug in its USB cable"

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


class _Asker:
    """Notes who answers on a line, and what that board says its flash holds."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.identity: asyncio.Future[Identity] = loop.create_future()
        self.digest: asyncio.Future[str] = loop.create_future()
        self.why = "nobody answers"

    def board_up(self, identity: Identity) -> None:
        self.why = "the board does not say what its flash holds"
        if not self.identity.done():
            self.identity.set_result(identity)

    def board_image(self, _identity: Identity, digest: str) -> None:
        if not self.digest.done():
            self.digest.set_result(digest)

    def board_unproven(self, identity: Identity) -> None:
        self.board_up(identity)

    def board_lost(self, why: str) -> None:
        self.why = why

    def board_settled(self) -> None: ...

    def board_state(self, boot: int, seen: RailState) -> None: ...


async def ask_identity(port: str, kind: BoardKind, seconds: float = ANSWER_S) -> Identity:
    """The IDENTITY of the rail's board on this port. Raises NotFlashed."""
    key = SessionKey(PROVED_VERSION)  # a board that has one answers, too
    return await _ask(port, kind, key, lambda asker: asker.identity, seconds)


async def ask_image(port: str, kind: BoardKind, seconds: float = IMAGE_S) -> str:
    """What the flash of a board without a key holds, as it says itself. Raises NotFlashed."""
    return await _ask(port, kind, SessionKey(), lambda asker: asker.digest, seconds)


async def _ask(
    port: str,
    kind: BoardKind,
    key: SessionKey,
    question: Callable[[_Asker], asyncio.Future[Answer]],
    seconds: float,
) -> Answer:
    loop = asyncio.get_running_loop()
    asker = _Asker(loop)
    line = SerialLine(port, BAUD_RATE, loop=loop)
    session = BoardSession(line, kind, RailWant(), RailState.from_bytes, asker, loop=loop, key=key)
    session.start()
    try:
        async with asyncio.timeout(seconds):
            return await question(asker)
    except TimeoutError:
        raise NotFlashed(f"{port}: {asker.why}") from None
    finally:
        session.close()


def is_boot_drive(folder: Path) -> bool:
    """Whether an RP2040's boot drive is mounted here."""
    try:
        info = folder / INFO
        return info.is_file() and BOARD_ID in info.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return False


def find_boot_drive(folders: Iterable[Path] | None = None) -> Path:
    """The one boot drive among these folders, at first where drives are usually mounted."""
    if folders is None:
        root = Path("/")
        folders = [folder for mount in MOUNTS for folder in root.glob(mount.removeprefix("/"))]
    drives = sorted({folder for folder in folders if is_boot_drive(folder)})
    if not drives:
        raise NotFlashed(
            f"no drive RPI-RP2 is mounted: {HOW}. Where nothing mounts it by itself:"
            " mount /dev/disk/by-label/RPI-RP2 /mnt"
        )
    if len(drives) > 1:
        raise NotFlashed(f"{', '.join(map(str, drives))}: name one of them with --drive")
    return drives[0]


def check_boot_drive(folder: Path) -> Path:
    """This folder, if it is a boot drive."""
    if not is_boot_drive(folder):
        raise NotFlashed(f"{folder} has no {INFO} of an RP2040: {HOW}")
    return folder


def write_image(image: bytes, drive: Path, sleep: Callable[[float], None] = time.sleep) -> None:
    """Copy the image, and wait until the chip has started it. Raises NotFlashed."""
    try:
        with (drive / "banco.uf2").open("wb") as file:
            file.write(image)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if is_boot_drive(drive):  # otherwise the chip was quicker than its drive's last answer
            raise NotFlashed(f"{drive} does not take the image: {error.strerror}") from error
    for _ in range(int(RESTART_S / 0.2)):
        if not is_boot_drive(drive):
            return
        sleep(0.2)
    raise NotFlashed(f"{drive} is still there after {RESTART_S:.0f} s: the image was not started")


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
    """Write, wait, ask, compare. Raises NotFlashed; OSError without an image."""
    kind = next(kind for kind in KINDS if name_kind(kind) == arguments.kind)
    path = arguments.folder / image_name(kind)
    if path.exists() and not path.is_file():
        raise NotFlashed(f"{path} is no file: a folder, a pipe or a device")
    image = path.read_bytes()
    if read_image_kind(image) != kind:
        raise NotFlashed(f"{path} is an image for another kind of board: make firmware")
    drive, digest = arguments.drive, image_digest(image)
    drive = check_boot_drive(drive) if drive else find_boot_drive()
    print(f"{path} -> {drive}\nsha256 of the image: {digest}", flush=True)
    write_image(image, drive)
    identity = asyncio.run(ask_identity(arguments.port, kind))
    print(compare_flash(arguments.port, identity, digest), flush=True)
    return identity


def compare_flash(port: str, identity: Identity, digest: str) -> str:
    """What the board says its flash holds, held against the image. Raises NotFlashed."""
    answer = identity.answer
    if answer is not None and answer.key_state & KeyAnswer.KEY_HELD:
        return "it has a key, and says what its flash holds to its table alone: `about` there"
    held = asyncio.run(ask_image(port, BoardKind(identity.kind)))
    if held != digest:
        raise NotFlashed(f"{port}: the flash holds {held}: flash it again")
    return "the flash holds it"


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
    except NotFlashed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
