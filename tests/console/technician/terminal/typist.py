"""A typist at a terminal in virtual time: presses keys and reads the screen.

with typist(loop, lambda terminal: run_shell(terminal, session)) as anna:
    anna.types("status\\r")
    assert "PLAYING" in anna.reads()
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from console.technician.talk import Hung
from console.technician.terminal.terminal import Escapes, Size, Terminal
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.memory_line import memory_wire
from tests.console.technician.terminal.screen import Screen

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
HOME, END, DELETE = "\x1b[H", "\x1b[F", "\x1b[3~"
ENTER, TAB, BACKSPACE = "\r", "\t", "\x7f"
CTRL_A, CTRL_B, CTRL_C, CTRL_D, CTRL_E = "\x01", "\x02", "\x03", "\x04", "\x05"
CTRL_K, CTRL_L, CTRL_Q, CTRL_S, CTRL_U, CTRL_W = "\x0b", "\x0c", "\x11", "\x13", "\x15", "\x17"

USUAL = Size()

AFTER_TYPING_S = 0.2
"""Virtual seconds to wait after typing."""

TerminalUser = Callable[[Terminal], Awaitable[object]]


class Typist:
    """The far end of a memory line; `screen` shows what the terminal got, `sent` has the bytes."""

    def __init__(
        self,
        loop: VirtualLoop,
        *,
        escapes: Escapes = Escapes.ONCE_SENT,
        size: Size = USUAL,
        pace: int | None = None,
    ) -> None:
        self.loop = loop
        self.size = size
        self.line, self.wire = memory_wire(loop)
        self.terminal = Terminal(
            loop, self.line, size=lambda: self.size, escapes=escapes, pace=pace
        )
        self.screen = Screen(size.columns, dumb=escapes is Escapes.NEVER)
        self.sent = b""
        self.task: asyncio.Task[object] | None = None
        self._read = 0
        self.wire.on_received = self._on_received

    def start(self, user: TerminalUser) -> None:
        """Begin the session with this user of the terminal."""

        async def serve() -> object:
            await self.terminal.wait_for_user(at_once=True)
            return await user(self.terminal)

        self.terminal.session.open()
        self.task = self.loop.create_task(serve())
        self.wait(AFTER_TYPING_S)

    def type(self, *keys: str | bytes) -> None:
        """Press keys one after the other, and wait a little."""
        self.sent = b""
        for key in keys:
            self.wire.send(key.encode() if isinstance(key, str) else key)
        self.wait(AFTER_TYPING_S)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.loop.run_for(seconds)

    def read(self) -> str:
        """Return what is new on the screen, from the row read last."""
        rows = self.screen.rows[self._read :]
        self._read = self.screen.row
        return "\n".join(row.rstrip() for row in rows)

    @property
    def is_served(self) -> bool:
        """Whether the user of the terminal still runs."""
        return self.task is not None and not self.task.done()

    def unplug(self) -> None:
        """Pull the cable."""
        self.wire.unplug()
        self.wait(AFTER_TYPING_S)

    def stop(self) -> BaseException | None:
        """Pull the cable, for good; what its user raised, except a Hung that this caused."""
        assert self.task is not None
        served = self.is_served
        self.unplug()
        self.terminal.session.close()
        self.task.cancel()
        self.wait(0)
        failure = None if self.task.cancelled() else self.task.exception()
        return None if served and isinstance(failure, Hung) else failure

    def _on_received(self, data: bytes) -> None:
        self.sent += data
        self.screen.feed(data)


@contextmanager
def typist(
    loop: VirtualLoop,
    user: TerminalUser,
    *,
    escapes: Escapes = Escapes.ONCE_SENT,
    size: Size = USUAL,
    pace: int | None = None,
) -> Iterator[Typist]:
    """Open a terminal with this user and a typist; the cable is pulled at the end.

    Raises what the user raised.
    """
    somebody = Typist(loop, escapes=escapes, size=size, pace=pace)
    somebody.start(user)
    try:
        yield somebody
    finally:
        failure = somebody.stop()
    if failure is not None:
        raise failure
