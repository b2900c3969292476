"""Waiting in real time, for tests on pseudo-terminals."""

import asyncio
import time
from collections.abc import Callable


def run_until(
    loop: asyncio.AbstractEventLoop, true: Callable[[], bool], seconds: float = 60.0
) -> None:
    """Run the loop until this is so, for at most so many seconds."""

    async def wait() -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, f"waited {seconds} s in vain"
            await asyncio.sleep(0.005)

    loop.run_until_complete(wait())
