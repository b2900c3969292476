"""Starts the Mission Pinball Framework's game engine as `mpf game -b -t -x` does.

Without a media controller, without its text screen, on its virtual platform; it says `ready` when
its main loop begins, and ends when its input does.
"""

import sys
from typing import Any

from mpf.commands.game import Command
from mpf.core.machine import MachineController


def loop_instead(machine: Any) -> None:
    """In place of the main loop: tell, and wait for the end of the input."""
    print("ready", flush=True)
    sys.stdin.read()
    machine.shutdown()


if __name__ == "__main__":
    MachineController._run_loop = loop_instead
    Command(None, sys.argv[1], ["-b", "-t", "-x"])
