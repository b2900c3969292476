"""Whose PIN is checked next: the addresses take turns, so that none takes the room of another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from console.line.access.login import PINS_OF_PAGES

PINS_A_SECOND = 10
"""PINs that are checked, of all browsers together."""

MOST_OF_ONE_ADDRESS = 8
"""PINs of one address that are checked or wait; one at a time is checked."""

MOST_ADDRESSES = 32
"""Whose PINs are checked or wait. With invented names 4 PINs are checked a second: a turn comes
within 8 s."""


@dataclass
class _Address:
    first: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by its one PIN that has a place among those of the other addresses."""

    pins: int = 0


class Turns:
    """The PINs that wait to be checked. All methods run on one event loop.

    Lock and semaphore are first come, first served, and each address has one place at most.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, _Address] = {}
        self._desk = asyncio.Semaphore(PINS_OF_PAGES)
        self._next_at = 0.0

    def __len__(self) -> int:
        """The number of addresses with a PIN."""
        return len(self._addresses)

    @asynccontextmanager
    async def take(self, address: str) -> AsyncIterator[bool]:
        """Wait for a turn, and hold it. False, at once: too many wait already."""
        if address not in self._addresses and len(self._addresses) >= MOST_ADDRESSES:
            yield False
            return
        own = self._addresses.setdefault(address, _Address())
        if own.pins >= MOST_OF_ONE_ADDRESS:
            yield False
            return
        own.pins += 1
        try:
            async with own.first, self._desk:
                await self._pause()
                yield True
        finally:
            own.pins -= 1
            if not own.pins:
                del self._addresses[address]

    async def _pause(self) -> None:
        now = asyncio.get_running_loop().time()
        at = max(now, self._next_at)
        self._next_at = at + 1 / PINS_A_SECOND
        await asyncio.sleep(at - now)
