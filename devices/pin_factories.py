"""gpiozero's pin factories by their configured name.

A backend is imported only when it is configured. A missing one is an error: running silently on
other pins would be worse than not starting.

The number of the chip of the Raspberry Pi's 40-pin header differs: 0 on a Pi 4; 4 or 0 on a Pi 5,
by the kernel's age, and there another chip may have 0. It is found by the kernel's name for it.
"""

import logging
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from devices.gpio_chips import HEADER_LABELS, HEADER_LINES, GpioChip, read_chip

log = logging.getLogger(__name__)

BACKENDS = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
"""`lgpio` for every Raspberry Pi, `rpigpio` up to the Pi 4, `mock` for tests."""


def pin_factory(name: str, runtime_folder: Path) -> Any:
    """The factory called `name`. Raises OSError if it is unknown or does not work here."""
    if name not in BACKENDS:
        raise OSError(f"no pin backend {name!r}; there are {', '.join(BACKENDS)}")
    # lgpio creates a FIFO in its working directory when it is imported (joan2937/lg, issue 12).
    os.environ["LG_WD"] = str(runtime_folder)
    module_name, factory_name = BACKENDS[name]
    try:
        module = import_module(module_name)
    except (ImportError, RuntimeError) as error:
        # RPi.GPIO raises RuntimeError where there is no Raspberry Pi.
        raise OSError(
            f"the pin backend {name!r} cannot be loaded ({error}); install banco[{name}]"
        ) from error
    create: Callable[..., Any] = getattr(module, factory_name)
    try:
        factory = create(**_arguments_of(name, module))
        board = factory.board_info.description
    except _errors_of(module) as error:
        raise OSError(f"the pin backend {name!r} cannot be used here: {error}") from error
    log.info("the panel's lines are those of a %s", board)
    return factory


def errors_of(factory: Any) -> tuple[type[Exception], ...]:
    """What claiming a line of this factory may raise."""
    return _errors_of(sys.modules[type(factory).__module__])


def _arguments_of(name: str, module: ModuleType) -> dict[str, Any]:
    """What a backend's factory is made with. Raises OSError."""
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


def find_header_chip(folder: Path) -> GpioChip:
    """The header's chip among `folder`/gpiochip*. Raises OSError."""
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
    raise OSError(
        f"no GPIO chip is that of a Raspberry Pi's header ({', '.join(HEADER_LABELS)}, at least "
        f"{HEADER_LINES} lines); found: {'; '.join(found) or f'no {folder}/gpiochip*'}"
    )


def _chip_paths(folder: Path) -> set[Path]:
    """Each chip once: newer systems have a link gpiochip4 to gpiochip0 on a Pi 5."""
    return {path.resolve() for path in folder.glob("gpiochip*")}
