"""The browsers that show the pages, and the messages that wait for each.

A message is encoded once for all. A slow viewer gets the newest state, not every one; a viewer
that does not read is dropped.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Any

import msgspec
from aiohttp import web

MOST_VIEWERS = 512
"""The maximum of viewers at once, on all pages; a further one is refused."""

TAKES_WITHIN_S = 5.0
WAITING_EVENTS = 64
"""Events that may wait for one viewer; with more it is dropped."""


class Audience(Enum):
    """The socket of a viewer: /live/cabinet, /live/sign, /live/supervisor and so on."""

    CABINET = "cabinet"
    SIGN = "sign"
    SUPERVISOR = "supervisor"
    ROOM = "room"
    TOURNAMENT = "tournament"


def encode(message: Any) -> str:
    """A message to a browser, as its text."""
    return msgspec.json.encode(message).decode()


class Viewer:
    """One browser: the states and events that it has not been sent yet."""

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

    def send_event(self, text: str) -> None:
        """An event: each is sent."""
        if len(self._events) >= WAITING_EVENTS:
            self.drop()
            return
        self._events.append(text)
        self._news.set()

    def drop(self) -> None:
        """Drop this viewer: it does not read."""
        self.dropped = True
        self._news.set()

    async def run(self) -> None:
        """Send messages until the viewer is dropped. Raises TimeoutError, ConnectionError."""
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
"""The messages for a new viewer, besides the newest states."""


class Viewers:
    """All viewers, by their sockets."""

    def __init__(self) -> None:
        self._viewers: dict[Audience, set[Viewer]] = {audience: set() for audience in Audience}
        self._newest: dict[Audience, dict[str, str]] = {audience: {} for audience in Audience}
        self.greetings: dict[Audience, list[Greeting]] = {audience: [] for audience in Audience}

    @property
    def count(self) -> int:
        """The number of viewers."""
        return sum(map(len, self._viewers.values()))

    def show(self, audience: Audience, kind: str, message: Any, *, again: bool = False) -> None:
        """Show all of them a state, new viewers too; the newest of its kind counts.

        A state that they have already is sent only with `again`.
        """
        text = encode(message)
        if text == self._newest[audience].get(kind) and not again:
            return
        self._newest[audience][kind] = text
        for viewer in self._viewers[audience]:
            viewer.show(kind, text)

    def forget(self, audience: Audience, kind: str) -> bool:
        """Show new viewers no state of this kind; whether there was one."""
        return self._newest[audience].pop(kind, None) is not None

    def send(self, audience: Audience, message: Any) -> None:
        """Send an event to those who are there now."""
        text = encode(message)
        for viewer in list(self._viewers[audience]):
            viewer.send_event(text)

    def add(self, audience: Audience, viewer: Viewer) -> None:
        """Greet one more viewer and show it the newest states."""
        for greet in self.greetings[audience]:
            for text in greet():
                viewer.send_event(text)
        for kind, text in self._newest[audience].items():
            viewer.show(kind, text)
        self._viewers[audience].add(viewer)

    def remove(self, audience: Audience, viewer: Viewer) -> None:
        """Remove a viewer that has left."""
        self._viewers[audience].discard(viewer)
