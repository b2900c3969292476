"""A supervisor's page at which only anna may enter, and its clock."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.console.line.access.login_bench import enrol
from tests.console.web.supervised import (
    Page,
    opening_of,
    serve_supervisor,
)
from tests.deadlines import DEADLINE_S


@dataclass
class Clock:
    now: float = 10_000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def anna_at(folder: Path, clock: Callable[[], float] | None = None) -> AsyncIterator[Page]:
    """A page at which only anna may enter; its table has no ledger."""
    enrol(folder / "people.toml", "anna")
    opening = opening_of(folder / "ledger")
    async with serve_supervisor(opening, folder, clock) as page:
        yield page


def life(story: Awaitable[None]) -> None:
    async def within() -> None:
        async with asyncio.timeout(DEADLINE_S):
            await story

    asyncio.run(within())
