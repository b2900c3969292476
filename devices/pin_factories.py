"""gpiozero's pin factories by their configured name.

A backend is imported only when it is configured. A missing one is an error: running silently on
other pins would be worse than not starting.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

BACKENDS = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
"""`lgpio` for every Raspberry Pi, `rpigpio` up to the Pi 4, `mock` for tests."""


class PinsUnavailable(RuntimeError):
    """The configured pin backend cannot be used; the text says why and what to do."""


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
    factory: Callable[..., Any] = getattr(module, factory_name)
    arguments = {"pin_class": module.MockPWMPin} if name == "mock" else {}
    errors: tuple[type[Exception], ...] = (OSError, RuntimeError, ValueError, *_errors_of(module))
    try:
        return factory(**arguments)
    except errors as error:
        raise PinsUnavailable(f"the pin backend {name!r} cannot be used here: {error}") from error


def _errors_of(module: ModuleType) -> tuple[type[Exception], ...]:
    """The errors that this backend raises; lgpio's own error is a plain Exception."""
    return (module.lgpio.error,) if hasattr(module, "lgpio") else ()
