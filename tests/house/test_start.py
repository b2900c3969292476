"""A command starts with what it needs: the heavy parts wait until something asks for them."""

import subprocess
import sys

HEAVY = {"asyncio", "gpiozero", "lgpio", "RPi", "serial", "serial_asyncio", "sqlite3"}
LIST_WHAT_CAME_IN = "import sys, console.command_line; print(*sys.modules)"


def test_the_command_line_starts_light() -> None:
    came_in = subprocess.run(
        [sys.executable, "-c", LIST_WHAT_CAME_IN],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    ).stdout.split()
    assert "console.command_line" in came_in
    assert HEAVY.intersection(came_in) == set()
