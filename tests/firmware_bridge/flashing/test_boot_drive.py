"""The boot drive, in folders that look like one."""

import os
import re
from pathlib import Path

import pytest

from firmware_bridge.flashing.__main__ import (
    INFO,
    check_boot_drive,
    find_boot_drive,
    write_image,
)
from firmware_bridge.flashing.images import NotFlashed

PICO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"


def make_drive(folder: Path, info: str = PICO) -> Path:
    folder.mkdir()
    (folder / INFO).write_text(info)
    return folder


def test_a_pipe_where_the_drive_describes_itself_is_no_drive(tmp_path: Path) -> None:
    """Nobody writes it: an ordinary open would wait for ever."""
    folder = tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(folder / INFO)
    with pytest.raises(NotFlashed, match=f"{folder} has no {INFO}"):
        check_boot_drive(folder)


def test_the_only_pico_is_found(tmp_path: Path) -> None:
    pico = make_drive(tmp_path / "pico")
    other = make_drive(tmp_path / "other", "Board-ID: SAMD51-Feather\n")
    stick = tmp_path / "stick"
    stick.mkdir()
    assert find_boot_drive([stick, other, pico, tmp_path / "gone"]) == pico


def test_no_pico_says_which_button(tmp_path: Path) -> None:
    with pytest.raises(NotFlashed, match="no drive RPI-RP2 is mounted: hold the Pico's BOOTSEL"):
        find_boot_drive([tmp_path])


def test_two_picos_are_named(tmp_path: Path) -> None:
    drives = [make_drive(tmp_path / name) for name in "ab"]
    with pytest.raises(NotFlashed, match=re.escape(f"{drives[0]}, {drives[1]}: name one of them")):
        find_boot_drive(drives)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFlashed, match=r"has no INFO_UF2\.TXT of an RP2040"):
        check_boot_drive(tmp_path)


def test_the_image_is_written_and_the_drive_disappears(tmp_path: Path) -> None:
    drive = make_drive(tmp_path / "pico")
    pauses = []

    def restart(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            (drive / INFO).unlink()

    write_image(b"image", drive, restart)
    assert (drive / "banco.uf2").read_bytes() == b"image"
    assert len(pauses) == 3


def test_a_chip_that_does_not_start_the_image_is_an_error(tmp_path: Path) -> None:
    drive = make_drive(tmp_path / "pico")
    with pytest.raises(NotFlashed, match="still there after 20 s: the image was not started"):
        write_image(b"image", drive, lambda _: None)


def test_a_drive_that_takes_nothing_is_an_error(tmp_path: Path) -> None:
    drive = make_drive(tmp_path / "pico")
    (drive / "banco.uf2").mkdir()
    with pytest.raises(NotFlashed, match="does not take the image: Is a directory"):
        write_image(b"image", drive, lambda _: None)
