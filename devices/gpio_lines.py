"""The panel's lines of a gpiozero pin factory: whatever fails on one names it and its part.

gpiozero and lgpio say "GPIO busy" and not which; a builder needs the line, the part and the holder.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpiozero import LED, InputDevice

from devices.panel_wiring import PanelWiring
from devices.pin_factories import PinsUnavailable, errors_of

DRIVERS = {
    2: "dtparam=i2c_arm=on",
    3: "dtparam=i2c_arm=on",
    4: "dtoverlay=w1-gpio",
    **dict.fromkeys(range(7, 12), "dtparam=spi=on"),
    **dict.fromkeys(range(18, 22), "dtparam=i2s=on"),
}
"""What in the Pi's config.txt gives a line to a driver (docs/wiring.md)."""


class GpioLines:
    """Claims lines for the parts wired to them."""

    def __init__(self, factory: Any, wiring: PanelWiring) -> None:
        self._factory = factory
        self._parts = wiring.parts()
        self._errors = errors_of(factory)

    def claim_contact(self, line: int) -> Any:
        """The gpiozero device of a contact to ground. Raises PinsUnavailable."""
        with self.name_failures(line):
            return InputDevice(line, pull_up=True, pin_factory=self._factory)

    def claim_lamp(self, line: int) -> Any:
        """The gpiozero device of a lamp, dark. Raises PinsUnavailable."""
        with self.name_failures(line):
            return LED(line, pin_factory=self._factory)

    @contextmanager
    def name_failures(self, line: int) -> Iterator[None]:
        """Whatever fails inside on this line is raised as PinsUnavailable, which names it."""
        try:
            yield
        except self._errors as error:
            why = str(error).strip("'")  # lgpio's errors are their own repr
            raise PinsUnavailable(
                f"GPIO {line} ({self._parts[line]}) cannot be used: {why}{self._holder(line)}"
            ) from error

    def _holder(self, line: int) -> str:
        """Who has the line, and where that is set; "" if nobody or if this backend has no chip."""
        number = getattr(self._factory, "chip", None)
        if number is None:
            return ""
        from devices.gpio_chips import read_line_user

        chip = Path(f"/dev/gpiochip{number}")
        try:
            user = read_line_user(chip, line)
        except OSError as error:
            return f"; who holds it on {chip} cannot be asked: {error}"
        return describe_holder(chip, line, user)


def describe_holder(chip: Path, line: int, user: str) -> str:
    """What to add to an error about a line of `chip` that `user` holds; "" for nobody."""
    if not user:
        return f" on {chip}"
    setting = DRIVERS.get(line)
    cause = f"; take {setting} out of config.txt if it is there" if setting else ""
    return (
        f" on {chip}: {user!r} holds it{cause}, and end other programs that use the panel's lines"
    )
