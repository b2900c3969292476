"""Contender: gpiozero's own way from a Button to an LED, on its mock pins.

`events`: `button.when_pressed = led.on`, in the pin's own thread, no event loop. `source`:
`led.source = button`, which looks at the button every 10 ms from a thread.
"""

import asyncio
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from gpiozero import LED, Button
from gpiozero.pins.mock import MockFactory

from tests.bench.contenders import serve
from tests.bench.hand import Hand


async def main(way: str) -> None:
    """Measure as often as asked."""
    factory = MockFactory()
    contact = factory.pin(17)
    with Button(17, pin_factory=factory) as button, LED(27, pin_factory=factory) as led:
        hand = Hand(lambda _: contact.drive_low(), lambda _: contact.drive_high())
        watch(led, lambda lit: hand.on_effect(perf_counter()) if lit else None)
        if way == "source":
            led.source = button
        else:
            button.when_pressed = led.on
            button.when_released = led.off

        await serve(hand.answer)


def watch(led: Any, written: Callable[[bool], None]) -> None:
    """Tell what is written to the LED's pin."""
    write = led._write

    def write_and_tell(value: bool) -> None:
        write(value)
        written(value)

    led._write = write_and_tell


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
