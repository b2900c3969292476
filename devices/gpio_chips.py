"""The GPIO chip of the Raspberry Pi's 40-pin header, found by the kernel's name for it.

Its number differs: 0 on a Pi 4; 4 or 0 on a Pi 5, by the kernel's age, and there another chip may
have 0. The layouts are those of linux/gpio.h, which the kernel promises to programs.
"""

import fcntl
import os
from pathlib import Path
from struct import Struct as Layout

from msgspec import Struct

HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The kernel's names of the header's chip: Pi 1 to 3, Pi 4, Pi 5, each with its Compute Modules."""

HEADER_LINES = 28
"""GPIO 0 to 27 are on the header; the chips have more."""

_CHIP_INFO = Layout("32s32sI")
_GET_CHIP_INFO = 0x8044B401
_LINE_INFO = Layout("32s32sIIQ160x16x")
_GET_LINE_INFO = 0xC100B405


class NoHeaderChip(RuntimeError):
    """No GPIO chip is that of the header; the text names those that were found."""


class GpioChip(Struct, frozen=True):
    """A GPIO chip as the kernel describes it."""

    path: Path
    label: str
    lines: int

    @property
    def number(self) -> int:
        """The number that lgpio opens it by."""
        return int(self.path.name.removeprefix("gpiochip"))

    @property
    def is_header(self) -> bool:
        """Whether the lines of the 40-pin header are this chip's."""
        return self.label in HEADER_LABELS and self.lines >= HEADER_LINES

    def __str__(self) -> str:
        return f"{self.path} is {self.label!r}, {self.lines} lines"


def find_header_chip(folder: Path) -> GpioChip:
    """The header's chip among `folder`/gpiochip*. Raises NoHeaderChip."""
    found = []
    for path in sorted(_chip_paths(folder)):
        try:
            chip = read_chip(path)
        except OSError as error:
            found.append(f"{path}: {os.strerror(error.errno) if error.errno else error}")
            continue
        if chip.is_header:
            return chip
        found.append(str(chip))
    raise NoHeaderChip(
        f"no GPIO chip is that of a Raspberry Pi's header ({', '.join(HEADER_LABELS)}, at least "
        f"{HEADER_LINES} lines); found: {'; '.join(found) or f'no {folder}/gpiochip*'}"
    )


def read_chip(path: Path) -> GpioChip:
    """Ask the kernel what chip this is. Raises OSError if it may not be asked, or is none."""
    opened = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        answer = fcntl.ioctl(opened, _GET_CHIP_INFO, bytes(_CHIP_INFO.size))
    finally:
        os.close(opened)
    return parse_chip(path, answer)


def parse_chip(path: Path, info: bytes) -> GpioChip:
    """A chip by its `struct gpiochip_info`."""
    _name, label, lines = _CHIP_INFO.unpack(info)
    return GpioChip(path, _text(label), lines)


def read_line_user(path: Path, line: int) -> str:
    """Who holds this line of a chip, by the name it gave itself; "": nobody. Raises OSError."""
    question = _LINE_INFO.pack(b"", b"", line, 0, 0)
    opened = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        answer = fcntl.ioctl(opened, _GET_LINE_INFO, question)
    finally:
        os.close(opened)
    return parse_line_user(answer)


def parse_line_user(info: bytes) -> str:
    """The holder in a `struct gpio_v2_line_info`; "": nobody, or one without a name."""
    _name, consumer, *_ = _LINE_INFO.unpack(info)
    return _text(consumer)


def _chip_paths(folder: Path) -> set[Path]:
    """Each chip once: newer systems have a link gpiochip4 to gpiochip0 on a Pi 5."""
    return {path.resolve() for path in folder.glob("gpiochip*")}


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("ascii", "backslashreplace")
