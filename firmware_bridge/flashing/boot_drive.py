"""The drive that an RP2040 shows when BOOTSEL is held at its start; copying an image to it."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

INFO = "INFO_UF2.TXT"
BOARD_ID = "Board-ID: RPI-RP2"
MOUNTS = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt", "/mnt/*")
"""Where desktops and people mount drives."""

RESTART_S = 20.0
"""An image is written in 3 s; then the chip starts it, and its drive is gone."""

HOW = "hold the Pico's BOOTSEL button while you plug in its USB cable"


class DriveError(Exception):
    """No drive, or one that does not do what an RP2040 does; the text says what to do."""


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
        raise DriveError(
            f"no drive RPI-RP2 is mounted: {HOW}. Where nothing mounts it by itself:"
            " mount /dev/disk/by-label/RPI-RP2 /mnt"
        )
    if len(drives) > 1:
        raise DriveError(f"{', '.join(map(str, drives))}: name one of them with --drive")
    return drives[0]


def check_boot_drive(folder: Path) -> Path:
    """This folder, if it is a boot drive."""
    if not is_boot_drive(folder):
        raise DriveError(f"{folder} has no {INFO} of an RP2040: {HOW}")
    return folder


def write_image(image: bytes, drive: Path, sleep: Callable[[float], None] = time.sleep) -> None:
    """Copy the image, and wait until the chip has started it. Raises DriveError."""
    try:
        with (drive / "banco.uf2").open("wb") as file:
            file.write(image)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if is_boot_drive(drive):  # otherwise the chip was quicker than its drive's last answer
            raise DriveError(f"{drive} does not take the image: {error.strerror}") from error
    for _ in range(int(RESTART_S / 0.2)):
        if not is_boot_drive(drive):
            return
        sleep(0.2)
    raise DriveError(f"{drive} is still there after {RESTART_S:.0f} s: the image was not started")
