"""What arrives from a terminal: keys, typed ahead within bounds; Ctrl-C is seen at once.

Bytes are looked at in small pieces, the loop goes round between them.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from console.technician.terminal.keys import Key, KeyReader, Press

TYPED_AHEAD = 1024
"""Keys that wait while a command runs; those on top are dropped, with a bell."""


PIECE = 256
"""Bytes looked at in one turn of the loop."""

LONGEST_UNSEEN = 4096
"""Bytes not yet looked at; those on top are dropped."""

_CTRL_C = 0x03
_AT_ONCE = frozenset({Key.INTERRUPT, Key.PAUSE, Key.GO_ON})


class TerminalInput:
    """The keys of a terminal, for one who waits for them.

    `overheard` is called at once with Ctrl-C, Ctrl-S and Ctrl-Q, which are heard only there, and
    with the first key after one of them. Ctrl-C clears what has been typed ahead. `dropped`: when
    keys begin to be dropped.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        overheard: Callable[[Press], None],
        dropped: Callable[[], None],
    ) -> None:
        self.last_key_s = loop.time()
        self._loop = loop
        self._on_urgent = overheard
        self._on_drop = dropped
        self._reader = KeyReader()
        self._unseen = bytearray()
        self._reading: asyncio.Handle | None = None
        self._presses: deque[Press] = deque()
        self._dropping = False
        self._was_urgent = False
        self._timer: asyncio.TimerHandle | None = None
        self._event = asyncio.Event()

    @property
    def moves_cursor(self) -> bool:
        """The terminal has sent a cursor key's escape sequence."""
        return self._reader.moves_cursor

    def feed(self, data: bytes) -> None:
        """Bytes have arrived."""
        room = LONGEST_UNSEEN - len(self._unseen)
        self._unseen += data[:room]
        if _CTRL_C in data[room:]:
            self._take([Key.INTERRUPT])
        if len(data) > room:
            self._drop()
        if self._reading is None:
            self._read_piece()

    def forget(self) -> None:
        """Another terminal may be there now."""
        self._unseen.clear()
        self._reader = KeyReader()
        self.drop_typed_ahead()
        self._watch_deadline()

    def drop_typed_ahead(self) -> None:
        """Forget the keys that nobody has asked for yet."""
        self._presses.clear()
        self._dropping = False

    def wake(self) -> None:
        """Have who waits for a key look up."""
        self._event.set()

    def first(self) -> Press | None:
        """The next key that has arrived, which stays there; None: none has."""
        return self._presses[0] if self._presses else None

    def next(self) -> Press | None:
        """The next key that has arrived; None: none has."""
        if not self._presses:
            self._dropping = False
            return None
        return self._presses.popleft()

    def give_back(self, press: Press) -> None:
        """A key that was taken is the next one again."""
        self._presses.appendleft(press)

    async def wait(self, seconds: float) -> None:
        """Wait for a key, a wake-up or the time to pass."""
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
        piece = bytes(self._unseen[:PIECE])
        del self._unseen[:PIECE]
        if self._unseen:
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
        self._take(self._reader.due(max(deadline, self._loop.time())))
        self._watch_deadline()
