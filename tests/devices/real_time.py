"""Waiting in real time, for tests on pseudo-terminals."""

import asyncio
import time
from collections.abc import Callable


def run_until(loop: asyncio.AbstractEventLoop, true: Callable[[], bool]) -> None:
    """Run the loop until this is so, for at most 5 s."""

    async def wait() -> None:
        end = time.monotonic() + 5
        while not true():
            assert time.monotonic() < end, "waited 5 s in vain"
            await asyncio.sleep(0.005)

    loop.run_until_complete(wait())
