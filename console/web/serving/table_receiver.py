"""Receives the service's messages: the newest snapshot, and whether the service is silent."""

import asyncio
from collections.abc import Callable

from console.web.messages import (
    LOST_AFTER_S,
    ActAnswer,
    Heartbeat,
    PagesOpening,
    PinAnswer,
    TableSnapshot,
    decode_to_pages,
)

CHECK_EVERY_S = 0.25


class TableReceiver:
    """The newest snapshot of the table. Listeners are appended to the `on_...` lists."""

    def __init__(self, opening: PagesOpening) -> None:
        self.opening = opening
        self.snapshot: TableSnapshot | None = None
        self.is_lost = False
        self.on_snapshot: list[Callable[[TableSnapshot], None]] = []
        """A lost service that is back unchanged calls these with the last snapshot again."""
        self.on_answer: list[Callable[[ActAnswer], None]] = []
        self.on_pin: list[Callable[[PinAnswer], None]] = []
        self.on_people: list[Callable[[str], None]] = []
        self.on_heartbeat: list[Callable[[], None]] = []
        self.on_lost: list[Callable[[], None]] = []
        """Called once, when the service has been silent for LOST_AFTER_S."""
        self._received_at = asyncio.get_running_loop().time()

    async def listen(self, lines: asyncio.StreamReader) -> None:
        """Listen until the service has ended. Raises ValueError for an invalid message."""
        watching = asyncio.create_task(self._watch())
        try:
            while line := await lines.readline():
                self._take(line)
        finally:
            watching.cancel()

    def _take(self, line: bytes) -> None:
        self._received_at = asyncio.get_running_loop().time()
        message = decode_to_pages(line)
        was_lost, self.is_lost = self.is_lost, False
        if was_lost and self.snapshot is not None and not isinstance(message, TableSnapshot):
            self._show(self.snapshot)
        match message:
            case TableSnapshot() as snapshot:
                self.snapshot = snapshot
                self._show(snapshot)
            case Heartbeat(people):
                for on_people in self.on_people:
                    on_people(people)
                for on_heartbeat in self.on_heartbeat:
                    on_heartbeat()
            case ActAnswer() as answer:
                for on_answer in self.on_answer:
                    on_answer(answer)
            case PinAnswer() as checked:
                for on_pin in self.on_pin:
                    on_pin(checked)
            case PagesOpening():
                raise ValueError("a second opening")

    def _show(self, snapshot: TableSnapshot) -> None:
        for on_snapshot in self.on_snapshot:
            on_snapshot(snapshot)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            if not self.is_lost and loop.time() - self._received_at > LOST_AFTER_S:
                self.is_lost = True
                for on_lost in self.on_lost:
                    on_lost()
