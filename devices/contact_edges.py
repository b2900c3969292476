"""Edges of the panel's contacts, on their way from the pins' threads to the event loop."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator

from devices.loop_wakeup import LoopWakeup
from devices.panel_wiring import Contact
from devices.roles import Button

log = logging.getLogger(__name__)

LONGEST_QUEUE = 1024
"""Edges that wait for the loop. Contacts that chatter beyond that are read anew instead."""

Edge = tuple[Contact, bool, float]
"""The contact, whether it closed, and when (seconds of the loop's clock)."""


class ContactEdges:
    """Keeps the edges in their order and wakes the loop for those that something may follow from.

    Nothing follows from the release of a button. It waits for the next edge or deadline, or until
    somebody asks for figures; its time is that of the edge, so a late reading changes nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, on_edges: Callable[[], None]) -> None:
        self._edges: deque[Edge] = deque()
        self._overflowed = False
        self._wakeup = LoopWakeup(loop, on_edges)

    def put(self, contact: Contact, closed: bool, when: float) -> None:
        """Add an edge. Called on the pin's thread."""
        if len(self._edges) < LONGEST_QUEUE:
            self._edges.append((contact, closed, when))
        else:
            self._overflowed = True
        if closed or not isinstance(contact, Button):
            self._wakeup.wake()

    def take(self) -> Iterator[Edge]:
        """Remove and yield the edges in their order."""
        while self._edges:
            yield self._edges.popleft()

    def take_overflow(self) -> bool:
        """Whether edges were discarded since the last call: the contacts must be read anew."""
        overflowed, self._overflowed = self._overflowed, False
        if overflowed:
            log.warning("more than %d edges waited for the loop; the rest are lost", LONGEST_QUEUE)
        return overflowed

    def close(self) -> None:
        """Take no more notice."""
        self._wakeup.close()
        self._edges.clear()
