"""On the chip: a line with a step in on the serial line, a line with the answer out."""

import sys

from tests.firmware_bridge.micropython.steps_server import StepServer


def answer_steps() -> None:
    """Answer for ever."""
    server = StepServer()
    sys.stdout.write("ready\n")
    while True:
        sys.stdout.write(server.answer(sys.stdin.readline()) + "\n")


answer_steps()
