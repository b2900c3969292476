"""The keys of the house's terminal: a key at a time where it is a terminal, else from a pipe."""

import asyncio
import os
import sys
import termios
import tty
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

ENDED = ""
"""The input has ended."""


@asynccontextmanager
async def read_keys() -> AsyncIterator[asyncio.Queue[str]]:
    """The keys that are pressed, in order; the terminal is as before after the block."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor) if os.isatty(descriptor) else None
    keys: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        data = os.read(descriptor, 64)
        if not data:
            loop.remove_reader(descriptor)
            keys.put_nowait(ENDED)
        for key in data.decode("ascii", "replace"):
            keys.put_nowait(key)

    if before is not None:
        tty.setcbreak(descriptor)
    loop.add_reader(descriptor, read)
    try:
        yield keys
    finally:
        loop.remove_reader(descriptor)
        if before is not None:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
