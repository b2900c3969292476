"""A session at a port, from its first key to its end: keys, output, Ctrl-C and pauses.

Its output waits in a queue that is bounded, and leaves at the wire's pace.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from console.technician.talk import Hung, Interrupted
from console.technician.terminal.keys import Key, KeyReader, Press
from console.technician.terminal.row_painter import BELL, NEW_LINE
from console.texts.layout import plain
from firmware_bridge.line import Line

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


LONGEST_WAITING = 64 * 1024
"""Most bytes in the queue; further ones are refused."""

STOPPED_READING_S = 30.0
"""A terminal that takes nothing for this long is given up."""

SENT_AT_ONCE = 256
"""Most bytes sent to the port at once."""

AHEAD_S = 0.1
"""The port gets as much as the wire carries in this time, so that Ctrl-C takes effect soon."""

AGAIN_S = 0.02
"""The pause before a full port is tried again."""

log = logging.getLogger(__name__)

IDLE_S = 30 * 60.0
"""A session without a key for this long ends."""

PAUSED_S = 60.0
"""A pause (Ctrl-S, or noise that looked like it) ends by itself after this time."""

AT_ONCE = 64
"""Most keys handled in one turn of the event loop."""

FILLED = 2048
"""With more bytes than this in the queue, `write` waits until it is empty."""

SLACK_S = 0.0005
"""A timer may fire this much too early; the time then counts as up."""

NOBODY = "nobody is there"
IDLE = "nobody has pressed a key for half an hour"
READS_NOTHING = "the terminal reads nothing any more"


class TerminalOutput:
    """A queue of bytes for a port.

    `pace`: bytes per second of the wire; None for a port that says itself when it is full.
    `on_stopped` is called when the terminal has taken nothing for `STOPPED_READING_S`.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        port: Line,
        pace: int | None,
        on_stopped: Callable[[], None],
    ) -> None:
        self._loop = loop
        self._port = port
        self._pace = pace
        self._on_stopped = on_stopped
        self._waiting = bytearray()
        self._paused = False
        self._timer: asyncio.TimerHandle | None = None
        self._taken_s = 0.0  # when the port took something last
        self._allowance = 0.0  # bytes that the wire has space for
        self._allowed_s = 0.0  # when that was computed
        self._emptied = asyncio.Event()
        self._emptied.set()

    @property
    def waiting(self) -> int:
        """The bytes in the queue."""
        return len(self._waiting)

    def put(self, data: bytes) -> bool:
        """Add bytes to the queue; False, and nothing is added, if there is no space."""
        if len(self._waiting) + len(data) > LONGEST_WAITING:
            return False
        if data:
            if not self._waiting:
                self._taken_s = self._loop.time()
            self._waiting += data
            self._emptied.clear()
            self._send()
        return True

    async def drain(self) -> None:
        """Wait until the queue is empty."""
        await self._emptied.wait()

    def pause(self) -> None:
        """Send nothing until `resume`."""
        self._paused = True
        self._cancel()

    def resume(self) -> None:
        """End a pause."""
        if self._paused:
            self._paused = False
            self._taken_s = self._loop.time()
            self._send()

    def clear(self) -> None:
        """Clear the queue, and end a pause."""
        self._paused = False
        self._waiting.clear()
        self._emptied.set()
        self._cancel()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _send(self) -> None:
        if self._paused or self._timer is not None:
            return
        now = self._loop.time()
        while self._waiting:
            piece = bytes(self._waiting[: min(SENT_AT_ONCE, self._budget(now))])
            if not piece or not self._port.send(piece):
                break
            del self._waiting[: len(piece)]
            self._allowance -= len(piece)
            self._taken_s = now
        if not self._waiting:
            self._emptied.set()
        elif now - self._taken_s >= STOPPED_READING_S:
            self.clear()
            self._on_stopped()
        else:
            self._timer = self._loop.call_later(AGAIN_S, self._send_again)

    def _send_again(self) -> None:
        self._timer = None
        self._send()

    def _budget(self, now: float) -> int:
        """Return how many bytes the wire has space for now."""
        if self._pace is None:
            return SENT_AT_ONCE
        most = self._pace * AHEAD_S
        grown = self._allowance + (now - self._allowed_s) * self._pace
        self._allowance, self._allowed_s = min(most, grown), now
        return int(self._allowance)


class TerminalSession:
    """The port's user. Between two sessions it is silent; `wait_for_user` waits for the next.

    `pace`: bytes per second of the wire; None for a port that takes what it can show.
    `echoes_interrupt`: whether a Ctrl-C is shown as `^C` here; otherwise the reader of the keys
    shows it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, port: Line, pace: int | None) -> None:
        self.echoes_interrupt = True
        self._loop = loop
        self._port = port
        self._input = TerminalInput(loop, self._on_urgent, lambda: self.put(BELL))
        self._output = TerminalOutput(loop, port, pace, self._on_stopped_reading)
        self._up = False
        self._over: str | None = NOBODY
        self._interrupted = False
        self._taken = 0
        self._pausing: asyncio.TimerHandle | None = None
        self._disturbed = asyncio.Event()

    def open(self) -> None:
        """Open the port, now and again whenever it was lost."""
        self._port.start(self)

    def close(self) -> None:
        """Close the port."""
        self._end("closed")
        self._up = False
        self._port.close()

    # The port's user

    def line_up(self) -> None:
        """See `LineUser`."""
        log.info("the port is open")
        self._up = True
        self._input.forget()
        self._input.wake()

    def line_received(self, data: bytes) -> None:
        """See `LineUser`."""
        self._input.feed(data)

    def line_down(self, why: str) -> None:
        """See `LineUser`: the session ends."""
        log.info("the port is closed: %s", why)
        self._up = False
        self._end(why)

    # Beginning and end

    async def wait_for_user(self, *, at_once: bool, greeting: str = "") -> None:
        """Wait until the port is open and, unless `at_once`, a key is pressed.

        `greeting` is printed whenever the port opens.
        """
        self._end(NOBODY)
        greeted = False
        while not (self._up and (at_once or self._input.first() is not None)):
            if greeting and self._up and not greeted:
                self.notice("", greeting)
            greeted = self._up
            await self._input.wait(IDLE_S)
        if self._input.first() is Key.ENTER:
            self._input.next()
        self._input.last_key_s = self._loop.time()
        self._over = None
        self._interrupted = False

    async def farewell(self, seconds: float, *lines: str) -> None:
        """Print the last lines if the port is open; wait for that at most `seconds`."""
        if not self._up:
            return
        self.notice(*lines)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._output.drain()

    async def wait_disturbed(self) -> None:
        """Wait until there is an unhandled Ctrl-C, or the session is over."""
        while not self.is_disturbed:
            self._disturbed.clear()
            await self._disturbed.wait()

    @property
    def is_disturbed(self) -> bool:
        """Whether there is an unhandled Ctrl-C, or the session is over."""
        return self._interrupted or self._over is not None

    # Keys

    @property
    def moves_cursor(self) -> bool:
        """Whether the terminal has sent a cursor key's escape sequence in this session."""
        return self._input.moves_cursor

    async def read_key(self, until: float | None) -> Press | None:
        """Return the next key, which may be Ctrl-C; None if none comes until then. Raises Hung."""
        while self._over is None:
            if self._interrupted:
                self._interrupted = False
                return Key.INTERRUPT
            press = self._input.next()
            if press is not None:
                await self._yield_loop()
                return press
            now = self._loop.time()
            idle_s = self._input.last_key_s + IDLE_S
            if now >= idle_s - SLACK_S:
                self._end(IDLE)
            elif until is not None and now >= until - SLACK_S:
                return None
            else:
                await self._input.wait(min(idle_s, until or idle_s) - now)
        raise Hung(self._over)

    def drop_typed_ahead(self, until: Callable[[Press], bool] = lambda _: False) -> None:
        """Forget the queued keys, up to the first for which `until` is true."""
        while (press := self._input.first()) is not None and not until(press):
            self._input.next()

    def give_back(self, press: Press) -> None:
        """Make a key that was read the next one again."""
        self._input.give_back(press)

    def forget_interrupt(self) -> None:
        """Forget an unhandled Ctrl-C."""
        self._interrupted = False

    async def _yield_loop(self) -> None:
        self._taken += 1
        if self._taken % AT_ONCE == 0:
            await asyncio.sleep(0)

    # Output

    @property
    def waiting(self) -> int:
        """The bytes that the terminal has not taken yet."""
        return self._output.waiting

    def put(self, data: bytes) -> None:
        """Send if there is space; otherwise the bytes are lost."""
        self._output.put(data)

    def notice(self, *lines: str) -> None:
        """Print lines if there is space, even between two sessions."""
        self.put(b"".join(plain(line).encode("ascii") + NEW_LINE for line in lines))

    async def write(self, data: bytes) -> None:
        """Send when there is space. Raises Hung, Interrupted."""
        await self.wait_for_room()
        self.put(data)

    async def wait_for_room(self) -> None:
        """Wait until there is space in the queue. Raises Hung, Interrupted."""
        if self._output.waiting > FILLED:
            await self._output.drain()
        self.raise_if_disturbed()

    async def drain(self) -> None:
        """Wait until everything is sent. Raises Hung, Interrupted."""
        await self._output.drain()
        self.raise_if_disturbed()

    def raise_if_disturbed(self) -> None:
        """Raise Hung if the session is over; Interrupted after a Ctrl-C that no reader handles."""
        if self._over is not None:
            raise Hung(self._over)
        if self._interrupted and self.echoes_interrupt:
            self._interrupted = False
            raise Interrupted

    # Events at any time

    def _on_urgent(self, press: Press) -> None:
        if press is Key.PAUSE:
            self._end_pause()
            self._output.pause()
            self._pausing = self._loop.call_later(PAUSED_S, self._end_pause)
        elif self._pausing is not None:
            self._end_pause()
        if press is Key.INTERRUPT and self._over is None:
            self._interrupted = True
            self._disturbed.set()
            self._output.clear()
            if self.echoes_interrupt:
                self.put(b"^C" + NEW_LINE)

    def _end_pause(self) -> None:
        if self._pausing is not None:
            self._pausing.cancel()
            self._pausing = None
        self._output.resume()

    def _on_stopped_reading(self) -> None:
        self._port.drop(READS_NOTHING)
        self._end(READS_NOTHING)

    def _end(self, why: str) -> None:
        self._over = why
        self._disturbed.set()
        self._end_pause()
        self._output.clear()
        self._input.forget()
        self._input.wake()
