"""GPIO chips as the kernel shows them: what a chip is, who holds a line, and lines to listen to.

The layouts are those of linux/gpio.h, which the kernel promises to programs.
"""

import fcntl
import os
import sys
from collections.abc import Collection, Iterator, Sequence
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
_LINE_REQUEST = Layout("=256s32sQI20x240xII20xi")
_GET_LINES = 0xC250B407
_LINE_VALUES = Layout("QQ")
_GET_VALUES = 0xC010B40E
_EDGE = Layout("QIIII24x")

_ACTIVE_LOW, _INPUT, _RISING, _FALLING, _PULL_UP = (1 << bit for bit in (1, 2, 4, 5, 8))
CONTACT_TO_GROUND = _ACTIVE_LOW | _INPUT | _RISING | _FALLING | _PULL_UP
"""Active while closed; both edges are told."""

_CLOSES = 1
"""The kernel's number of an edge to active."""

CONSUMER = b"banco"
"""What the kernel calls the holder of our contacts' lines."""

EDGES_KEPT = 1024
"""By the kernel, of one request; of more the oldest are lost."""

EDGES_A_READ = 64


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


def read_chip(path: Path) -> GpioChip:
    """Ask the kernel what chip this is. Raises OSError if it may not be asked, or is none."""
    return parse_chip(path, _ask(path, _GET_CHIP_INFO, bytes(_CHIP_INFO.size)))


def parse_chip(path: Path, info: bytes) -> GpioChip:
    """A chip by its `struct gpiochip_info`."""
    _name, label, lines = _CHIP_INFO.unpack(info)
    return GpioChip(path, _text(label), lines)


def read_line_user(path: Path, line: int) -> str:
    """Who holds this line of a chip, by the name it gave itself; "": nobody. Raises OSError."""
    return parse_line_user(_ask(path, _GET_LINE_INFO, _LINE_INFO.pack(b"", b"", line, 0, 0)))


def parse_line_user(info: bytes) -> str:
    """The holder in a `struct gpio_v2_line_info`; "": nobody, or one without a name."""
    _name, consumer, *_ = _LINE_INFO.unpack(info)
    return _text(consumer)


class LineEdge(Struct, frozen=True):
    """An edge as the kernel saw it."""

    line: int
    closes: bool
    when: float
    """Seconds of CLOCK_MONOTONIC, which is the event loop's clock, too."""
    number: int
    """From 1 on, of all edges of the request; one that is missing was lost."""


class ContactRequest:
    """Contacts to ground on lines of one chip, requested together: their edges keep their order.

    `descriptor` becomes readable with an edge.
    """

    def __init__(self, descriptor: int, lines: Sequence[int]) -> None:
        self.descriptor = descriptor
        self._lines = tuple(lines)
        os.set_blocking(descriptor, False)

    def read_edges(self) -> Iterator[LineEdge]:
        """Take the edges that the kernel has kept, in their order. Raises OSError."""
        while True:
            try:
                kept = os.read(self.descriptor, EDGES_A_READ * _EDGE.size)
            except BlockingIOError:
                return
            yield from parse_edges(kept)
            if len(kept) < EDGES_A_READ * _EDGE.size:
                return

    def read_closed(self) -> Collection[int]:
        """The lines whose contact is closed at this instant. Raises OSError."""
        question = _LINE_VALUES.pack(0, (1 << len(self._lines)) - 1)
        closed, _ = _LINE_VALUES.unpack(fcntl.ioctl(self.descriptor, _GET_VALUES, question))
        return {line for number, line in enumerate(self._lines) if closed >> number & 1}

    def close(self) -> None:
        """Let the lines go."""
        os.close(self.descriptor)


def request_contacts(chip: Path, lines: Sequence[int]) -> ContactRequest:
    """Ask the kernel for these lines. Raises OSError if one of them cannot be had."""
    offsets = b"".join(line.to_bytes(4, sys.byteorder) for line in lines)
    request = _LINE_REQUEST.pack(offsets, CONSUMER, CONTACT_TO_GROUND, 0, len(lines), EDGES_KEPT, 0)
    *_, descriptor = _LINE_REQUEST.unpack(_ask(chip, _GET_LINES, request))
    return ContactRequest(descriptor, lines)


def parse_edges(events: bytes) -> Iterator[LineEdge]:
    """The edges in a run of `struct gpio_v2_line_event`."""
    for at_ns, kind, line, number, _ in _EDGE.iter_unpack(events):
        yield LineEdge(line, kind == _CLOSES, at_ns / 1e9, number)


def _ask(path: Path, call: int, question: bytes) -> bytes:
    opened = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        return fcntl.ioctl(opened, call, question)
    finally:
        os.close(opened)


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("ascii", "backslashreplace")
