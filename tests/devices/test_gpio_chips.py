"""The header's GPIO chip, told from others by the kernel's name for it and its number of lines."""

import os
from pathlib import Path

import pytest

from devices import gpio_chips
from devices.gpio_chips import GpioChip, parse_chip, parse_line_user
from devices.pin_factories import find_header_chip


def text(word: str) -> bytes:
    return word.encode().ljust(32, b"\0")


@pytest.mark.parametrize(
    ("name", "label", "lines", "is_header"),
    [
        ("gpiochip0", "pinctrl-bcm2711", 58, True),  # Pi 4
        ("gpiochip4", "pinctrl-rp1", 54, True),  # Pi 5, kernel 6.1
        ("gpiochip0", "pinctrl-rp1", 54, True),  # Pi 5, kernel 6.12
        ("gpiochip0", "pinctrl-bcm2835", 54, True),  # Pi 3
        ("gpiochip0", "gpio-brcmstb@107d508500", 32, False),  # Pi 5, kernel 6.1
        ("gpiochip1", "raspberrypi-exp-gpio", 8, False),
        ("gpiochip0", "pinctrl-bcm2711", 27, False),
    ],
)
def test_the_header_s_chip_is_told_from_others(
    name: str, label: str, lines: int, is_header: bool
) -> None:
    info = text(name) + text(label) + lines.to_bytes(4, "little")
    chip = parse_chip(Path("/dev") / name, info)
    assert chip == GpioChip(Path("/dev") / name, label, lines)
    assert chip.is_header == is_header
    assert chip.number == int(name[-1])
    assert str(chip) == f"/dev/{name} is '{label}', {lines} lines"


def test_the_holder_of_a_line_is_read_from_the_kernels_answer() -> None:
    answer = text("GPIO7") + text("spi0 CS1") + bytes(192)
    assert parse_line_user(answer) == "spi0 CS1"
    assert parse_line_user(bytes(256)) == ""


def test_the_layouts_have_the_sizes_that_the_kernels_calls_name() -> None:
    """Bits 16 to 29 of a call are the size of its structure, bits 8 to 15 the kind: GPIO is B4"""
    for call, layout in (
        (gpio_chips._GET_CHIP_INFO, gpio_chips._CHIP_INFO),
        (gpio_chips._GET_LINE_INFO, gpio_chips._LINE_INFO),
        (gpio_chips._GET_LINES, gpio_chips._LINE_REQUEST),
        (gpio_chips._GET_VALUES, gpio_chips._LINE_VALUES),
    ):
        assert (call >> 16 & 0x3FFF, call >> 8 & 0xFF) == (layout.size, 0xB4)


def test_where_none_fits_each_is_named(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    try:
        (tmp_path / "gpiochip0").symlink_to(os.ttyname(theirs))
        (tmp_path / "gpiochip1").mkdir()
        with pytest.raises(OSError, match="no GPIO chip is that of") as raised:
            find_header_chip(tmp_path)
    finally:
        os.close(ours)
        os.close(theirs)
    assert "pinctrl-rp1, at least 28 lines" in str(raised.value)
    assert "Inappropriate ioctl for device; " in str(raised.value)
    assert str(raised.value).endswith("gpiochip1: Is a directory")


def test_where_there_is_none_it_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=f"found: no {tmp_path}/gpiochip\\*$"):
        find_header_chip(tmp_path)
