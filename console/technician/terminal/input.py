"""Reads keys from a terminal and keeps a bounded number of them. Ctrl-C is handled at once.

Bytes are decoded in small pieces, so that the event loop is never blocked for long.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from console.technician.terminal.keys import Key, KeyReader, Press

TYPED_AHEAD = 1024
"""Most keys kept while a command runs; further ones are dropped, with a bell."""

PIECE = 256
"""Bytes decoded in one turn of the loop."""

LONGEST_UNDECODED = 4096
"""Most bytes waiting to be decoded; further ones are dropped."""

_CTRL_C = 0x03
_AT_ONCE = frozenset({Key.INTERRUPT, Key.PAUSE, Key.GO_ON})


class TerminalInput:
    """The keys of a terminal.

    `on_urgent` is called at once with Ctrl-C, Ctrl-S and Ctrl-Q, which are not queued, and with the
    first key after one of them. Ctrl-C clears the queue. `on_drop` is called when keys begin to be
    dropped.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        on_urgent: Callable[[Press], None],
        on_drop: Callable[[], None],
    ) -> None:
        self.last_key_s = loop.time()
        self._loop = loop
        self._on_urgent = on_urgent
        self._on_drop = on_drop
        self._reader = KeyReader()
        self._undecoded = bytearray()
        self._reading: asyncio.Handle | None = None
        self._presses: deque[Press] = deque()
        self._dropping = False
        self._was_urgent = False
        self._timer: asyncio.TimerHandle | None = None
        self._event = asyncio.Event()

    @property
    def moves_cursor(self) -> bool:
        """Whether the terminal has sent a cursor key's escape sequence."""
        return self._reader.moves_cursor

    def feed(self, data: bytes) -> None:
        """Take bytes that have arrived."""
        space = LONGEST_UNDECODED - len(self._undecoded)
        self._undecoded += data[:space]
        if _CTRL_C in data[space:]:
            self._take([Key.INTERRUPT])
        if len(data) > space:
            self._drop()
        if self._reading is None:
            self._read_piece()

    def forget(self) -> None:
        """Forget everything: another terminal may be connected now."""
        self._undecoded.clear()
        self._reader = KeyReader()
        self.drop_typed_ahead()
        self._watch_deadline()

    def drop_typed_ahead(self) -> None:
        """Forget the queued keys."""
        self._presses.clear()
        self._dropping = False

    def wake(self) -> None:
        """End a `wait`."""
        self._event.set()

    def first(self) -> Press | None:
        """Return the next key without removing it; None if there is none."""
        return self._presses[0] if self._presses else None

    def next(self) -> Press | None:
        """Remove and return the next key; None if there is none."""
        if not self._presses:
            self._dropping = False
            return None
        return self._presses.popleft()

    def give_back(self, press: Press) -> None:
        """Make a key that was read the next one again."""
        self._presses.appendleft(press)

    async def wait(self, seconds: float) -> None:
        """Wait for a key or a wake-up, at most for a time."""
        self._event.clear()
        if self._presses:
            return
        timer = self._loop.call_later(seconds, self._event.set)
        try:
            await self._event.wait()
        finally:
            timer.cancel()

    def _read_piece(self) -> None:
        self._reading = None
        piece = bytes(self._undecoded[:PIECE])
        del self._undecoded[:PIECE]
        if self._undecoded:
            self._reading = self._loop.call_soon(self._read_piece)
        self._take(self._reader.feed(piece, self._loop.time()))
        self._watch_deadline()

    def _take(self, presses: list[Press]) -> None:
        for press in presses:
            at_once = press in _AT_ONCE
            if press is Key.INTERRUPT:
                self.drop_typed_ahead()
            elif not at_once:
                self._keep(press)
            if at_once or self._was_urgent:
                self._on_urgent(press)
            self._was_urgent = at_once
        if presses:
            self.last_key_s = self._loop.time()
            self._event.set()

    def _keep(self, press: Press) -> None:
        if len(self._presses) < TYPED_AHEAD:
            self._presses.append(press)
        else:
            self._drop()

    def _drop(self) -> None:
        if not self._dropping:
            self._dropping = True
            self._on_drop()

    def _watch_deadline(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self._reader.deadline
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._deadline_passed, deadline)

    def _deadline_passed(self, deadline: float) -> None:
        self._timer = None
        self._take(self._reader.flush(max(deadline, self._loop.time())))
        self._watch_deadline()
