"""gpiozero's pin factories by their configured name.

A backend is imported only when it is configured. A missing one is an error: running silently on
other pins would be worse than not starting.

The number of the chip of the Raspberry Pi's 40-pin header differs: 0 on a Pi 4; 4 or 0 on a Pi 5,
by the kernel's age, and there another chip may have 0. It is found by the kernel's name for it. The
layouts are those of linux/gpio.h, which the kernel promises to programs.
"""

import fcntl
import logging
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from struct import Struct as Layout
from types import ModuleType
from typing import Any

from msgspec import Struct

log = logging.getLogger(__name__)

BACKENDS = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
"""`lgpio` for every Raspberry Pi, `rpigpio` up to the Pi 4, `mock` for tests."""

HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The kernel's names of the header's chip: Pi 1 to 3, Pi 4, Pi 5, each with its Compute Modules."""

HEADER_LINES = 28
"""GPIO 0 to 27 are on the header; the chips have more."""

_CHIP_INFO = Layout("32s32sI")
_GET_CHIP_INFO = 0x8044B401
_LINE_INFO = Layout("32s32sIIQ160x16x")
_GET_LINE_INFO = 0xC100B405


class PinsUnavailable(RuntimeError):
    """The configured pin backend, or a line of it, cannot be used; the text says why."""


def pin_factory(name: str, runtime_folder: Path) -> Any:
    """The factory called `name`. Raises PinsUnavailable if it is unknown or does not work here."""
    if name not in BACKENDS:
        raise PinsUnavailable(f"no pin backend {name!r}; there are {', '.join(BACKENDS)}")
    # lgpio creates a FIFO in its working directory when it is imported (joan2937/lg, issue 12).
    os.environ["LG_WD"] = str(runtime_folder)
    module_name, factory_name = BACKENDS[name]
    try:
        module = import_module(module_name)
    except (ImportError, RuntimeError) as error:
        # RPi.GPIO raises RuntimeError where there is no Raspberry Pi.
        raise PinsUnavailable(
            f"the pin backend {name!r} cannot be loaded ({error}); install banco[{name}]"
        ) from error
    create: Callable[..., Any] = getattr(module, factory_name)
    try:
        factory = create(**_arguments_of(name, module))
        board = factory.board_info.description
    except _errors_of(module) as error:
        raise PinsUnavailable(f"the pin backend {name!r} cannot be used here: {error}") from error
    log.info("the panel's lines are those of a %s", board)
    return factory


def errors_of(factory: Any) -> tuple[type[Exception], ...]:
    """What claiming a line of this factory may raise."""
    return _errors_of(sys.modules[type(factory).__module__])


def _arguments_of(name: str, module: ModuleType) -> dict[str, Any]:
    """What a backend's factory is made with. Raises PinsUnavailable."""
    if name == "mock":
        return {"pin_class": module.MockPWMPin}
    if name == "lgpio":
        chip = find_header_chip(Path("/dev"))
        log.info("the header's GPIO chip: %s", chip)
        return {"chip": chip.number}
    return {}


def _errors_of(module: ModuleType) -> tuple[type[Exception], ...]:
    """The errors that this backend raises; lgpio's own error is a plain Exception."""
    from gpiozero import GPIOZeroError

    own = (module.lgpio.error,) if hasattr(module, "lgpio") else ()
    return (OSError, RuntimeError, ValueError, GPIOZeroError, *own)


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
    """The header's chip among `folder`/gpiochip*. Raises PinsUnavailable."""
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
    raise PinsUnavailable(
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
