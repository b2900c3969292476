"""Who looks at the pages, and what each still has to be told.

A text is written once for all of them. Whoever is slow gets the newest state, not all of them;
whoever does not read is dropped.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any

import msgspec
from aiohttp import web

MOST_VIEWERS = 512
TAKES_WITHIN_S = 5.0
WAITING_EVENTS = 64
"""Events that may wait for a viewer; one for whom more would wait is dropped."""


class Audience(Enum):
    """Which socket somebody looks through: /live/cabinet, /live/sign, /live/supervisor."""

    CABINET = "cabinet"
    SIGN = "sign"
    SUPERVISOR = "supervisor"


def encode(message: Any) -> str:
    """A message to a browser, as its text."""
    return msgspec.json.encode(message).decode()


class Viewer:
    """One of them. What it was told is on its way as soon as it has taken what was before."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.dropped = False
        self._states: dict[str, str] = {}
        self._events: deque[str] = deque()
        self._news = asyncio.Event()

    def show(self, kind: str, text: str) -> None:
        """A state: the newest of its kind is sent."""
        self._states.pop(kind, None)
        self._states[kind] = text
        self._news.set()

    def tell(self, text: str) -> None:
        """An event: each is sent."""
        if len(self._events) >= WAITING_EVENTS:
            self.drop()
            return
        self._events.append(text)
        self._news.set()

    def drop(self) -> None:
        """Let it go: it does not take what it is told."""
        self.dropped = True
        self._news.set()

    async def send(self) -> None:
        """Send what it is told, until it is dropped. Raises TimeoutError, ConnectionError."""
        while not self.dropped:
            await self._news.wait()
            self._news.clear()
            states, self._states = self._states, {}
            texts = [*states.values(), *self._events]
            self._events.clear()
            for text in texts:
                async with asyncio.timeout(TAKES_WITHIN_S):
                    await self.socket.send_str(text)


Greeting = Callable[[], list[str]]
"""What a newcomer is told at first, beside the newest states."""


class Viewers:
    """All of them, by what they look through."""

    def __init__(self) -> None:
        self._viewers: dict[Audience, set[Viewer]] = {audience: set() for audience in Audience}
        self._newest: dict[Audience, dict[str, str]] = {audience: {} for audience in Audience}
        self.greetings: dict[Audience, list[Greeting]] = {audience: [] for audience in Audience}

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self._viewers.values()))

    def watched(self, audience: Audience) -> bool:
        """Whether anybody looks through it."""
        return bool(self._viewers[audience])

    def show(self, audience: Audience, kind: str, message: Any, *, again: bool = False) -> None:
        """A state all of them are to see, newcomers too; the newest of its kind counts.

        One that they have seen is not told them `again`, unless it must be.
        """
        text = encode(message)
        if text == self._newest[audience].get(kind) and not again:
            return
        self._newest[audience][kind] = text
        for viewer in self._viewers[audience]:
            viewer.show(kind, text)

    def forget(self, audience: Audience, kind: str) -> bool:
        """Newcomers are no longer told a state of this kind; whether there was one."""
        return self._newest[audience].pop(kind, None) is not None

    def tell(self, audience: Audience, message: Any) -> None:
        """An event for who is there now."""
        text = encode(message)
        for viewer in list(self._viewers[audience]):
            viewer.tell(text)

    def add(self, audience: Audience, viewer: Viewer) -> None:
        """One more: greeted, then told the newest states."""
        for greet in self.greetings[audience]:
            for text in greet():
                viewer.tell(text)
        for kind, text in self._newest[audience].items():
            viewer.show(kind, text)
        self._viewers[audience].add(viewer)

    def remove(self, audience: Audience, viewer: Viewer) -> None:
        """It is gone."""
        self._viewers[audience].discard(viewer)
