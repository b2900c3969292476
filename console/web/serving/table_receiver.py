"""What this process knows of the table: what the service has told it, and whether it still does."""

import asyncio
from collections.abc import Callable

from console.web.messages import (
    LOST_AFTER_S,
    ActAnswer,
    Heartbeat,
    PagesOpening,
    TableSnapshot,
    decode_to_pages,
)

CHECK_EVERY_S = 0.25


class TableReceiver:
    """The table as it was told last. Who wants to know of news puts a listener into a list.

    `beaten`: the service is there; `lost`: it has been silent for LOST_AFTER_S (called once; the
    next Sight ends it; where nothing has changed meanwhile, the last one is told again).
    """

    def __init__(self, opening: PagesOpening) -> None:
        self.opening = opening
        self.sight: TableSnapshot | None = None
        self.is_lost = False
        self.seen: list[Callable[[TableSnapshot], None]] = []
        self.answered: list[Callable[[ActAnswer], None]] = []
        self.beaten: list[Callable[[], None]] = []
        self.lost: list[Callable[[], None]] = []
        self._heard_at = asyncio.get_running_loop().time()

    async def listen(self, lines: asyncio.StreamReader) -> None:
        """Until the service has ended. Raises ValueError for what it would never say."""
        watching = asyncio.create_task(self._watch())
        try:
            while line := await lines.readline():
                self._take(line)
        finally:
            watching.cancel()

    def _take(self, line: bytes) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        message = decode_to_pages(line)
        was_lost, self.is_lost = self.is_lost, False
        if was_lost and self.sight is not None and not isinstance(message, TableSnapshot):
            self._show(self.sight)
        match message:
            case TableSnapshot() as sight:
                self.sight = sight
                self._show(sight)
            case Heartbeat():
                for hear_beat in self.beaten:
                    hear_beat()
            case ActAnswer() as answer:
                for hear_answer in self.answered:
                    hear_answer(answer)
            case PagesOpening():
                raise ValueError("a second opening")

    def _show(self, sight: TableSnapshot) -> None:
        for hear in self.seen:
            hear(sight)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            if not self.is_lost and loop.time() - self._heard_at > LOST_AFTER_S:
                self.is_lost = True
                for hear_loss in self.lost:
                    hear_loss()
