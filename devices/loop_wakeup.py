"""Wakes the event loop from other threads, through an eventfd(2) of Linux.

asyncio's own way, `call_soon_threadsafe`, writes to a socket and reads it twice for each call. Each
of these lets go of the interpreter's lock, so the threads pass it back and forth
(docs/dev/decisions/0004-event-loop.md).
"""

import asyncio
import os
from collections.abc import Callable
from threading import Lock, get_ident


class LoopWakeup:
    """Has the event loop call `on_wakeup` soon; further wake-ups until then cost nothing."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_wakeup: Callable[[], None]) -> None:
        """Made on the loop's thread."""
        self._loop = loop
        self._on_wakeup = on_wakeup
        self._thread = get_ident()
        self._lock = Lock()
        self._due = False
        self._eventfd: int | None = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        loop.add_reader(self._eventfd, self._read)

    def wake(self) -> None:
        """Wake the loop. Called on any thread; after `close` it does nothing."""
        with self._lock:
            if self._due or self._eventfd is None:
                return
            self._due = True
            if get_ident() == self._thread:
                self._loop.call_soon(self._call)
            else:
                os.eventfd_write(self._eventfd, 1)

    def close(self) -> None:
        """Release the eventfd. Called on the loop's thread."""
        with self._lock:
            if self._eventfd is not None:
                if not self._loop.is_closed():
                    self._loop.remove_reader(self._eventfd)
                os.close(self._eventfd)
                self._eventfd = None

    def _read(self) -> None:
        if self._eventfd is not None:
            os.eventfd_read(self._eventfd)
            self._call()

    def _call(self) -> None:
        self._due = False  # before the call: what comes during it wakes again
        if self._eventfd is not None:
            self._on_wakeup()
