"""A two-line customer display on a line, whatever commands it takes: what is written, and when."""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from devices.device import Device
from devices.figures import DeviceFigures, LineCounts
from devices.line_figures import describe_frames
from devices.port_reporter import PortReporter
from devices.roles import DISPLAY_COLUMNS, DisplayText, Listener
from firmware_bridge.frame_trace import FrameTrace
from firmware_bridge.line import Line
from firmware_bridge.repetition import US, Repetition, later

BYTES_PER_S = 960.0
REPEAT_S = 5.0
"""The text is written again after so long, in case a byte was lost on the wire."""


class DisplayCommands(Struct, frozen=True):
    """The bytes that a kind of display understands."""

    name: str
    """What the technician's line calls it."""
    initialise: bytes
    """Sent once, when the display is found: it clears both lines."""
    settings: bytes
    """Sent before the text, when the display is found and at each repetition."""
    lines: tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]
    """The command that writes line 1, line 2; each is given its 20 characters."""
    describe: Callable[[bytes], str]
    """Says in words what these bytes write."""


def describe_received(raw: bytes) -> str:
    """A display sends nothing: whatever is received is bad."""
    return f"bad: {len(raw)} bytes from a display that says nothing"


class LineDisplay:
    """`Display` on a line.

    Only a changed line is written, 25 ms at 9600 baud. The next text waits until it is sent; of
    several waiting texts the newest is written.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, line: Line, commands: DisplayCommands
    ) -> None:
        self._loop = loop
        self._line = line
        self._commands = commands
        self._reporter = PortReporter(Device.DISPLAY, loop)
        self._text = DisplayText()
        self._line_is_up = False
        self._written: tuple[bytes, ...] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._free_at = 0.0
        self._repeat_us: int | None = None  # None: the display has not got the same text twice
        self._trace = FrameTrace(loop.time)
        self._sent = 0
        self._refused = 0
        self._found = 0

    def start(self, listener: Listener) -> None:
        """See `Display.start`."""
        self._reporter.start(listener)
        self._line.start(self)

    def show(self, text: DisplayText) -> None:
        """See `Display.show`; a character that is not ASCII is shown as a question mark."""
        if text != self._text:
            self._text = text
            self._write_soon()

    def close(self) -> None:
        """See `Display.close`."""
        self._reporter.stop()
        self._line_is_up = False
        self._cancel_write()
        self._line.close()

    def figures(self, frames: int = 0, /) -> tuple[DeviceFigures, ...]:
        """See `Display.figures`."""
        traced = self._trace.last(frames)
        texts = [
            self._commands.describe(seen.raw) if seen.sent else describe_received(seen.raw)
            for seen in traced
        ]
        lines = zip(("line 1", "line 2"), self._written or (), strict=False)
        return (
            DeviceFigures(
                Device.DISPLAY,
                Device.DISPLAY.value,
                self._commands.name,
                self._reporter.up,
                self._reporter.why_down,
                state={name: text.decode("ascii").rstrip() for name, text in lines},
                counts=LineCounts(
                    received=self._trace.bad,
                    bad=self._trace.bad,
                    sent=self._sent,
                    retries=self._refused,
                    connections=self._found,
                ),
                frames=describe_frames(traced, texts),
            ),
        )

    def repetition(self) -> Repetition | None:
        """See `Repeating`: the same text is written again."""
        if self._repeat_us is None or self._timer is None or not self._reporter.up:
            return None
        return Repetition(self._repeat_us, (self._timer,), self._pass_over)

    def _pass_over(self, us: int) -> None:
        if self._timer is not None and self._repeat_us is not None:
            when = later(self._timer.when(), us)
            self._timer.cancel()
            self._timer = self._loop.call_at(when, self._write)
            self._free_at = later(self._free_at, us)
            self._sent += us // self._repeat_us

    # The line

    def line_up(self) -> None:
        """See `LineUser`: the content of the display is unknown."""
        self._line_is_up = True
        self._found += 1
        self._written = None
        self._free_at = self._loop.time()
        self._write_soon()

    def line_received(self, data: bytes) -> None:
        """See `LineUser`; the display sends nothing."""
        self._trace.note_received(data, False, self._loop.time())

    def line_down(self, why: str) -> None:
        """See `LineUser`."""
        self._line_is_up = False
        self._cancel_write()
        self._reporter.start_loss_timer(why)

    # Writing

    def _write_soon(self) -> None:
        if not self._line_is_up:
            return
        self._cancel_write()
        if self._loop.time() >= self._free_at:
            self._write()
        else:
            self._timer = self._loop.call_at(self._free_at, self._write)

    def _write(self) -> None:
        """Write the lines that differ; if none does, write both again.

        A display that is found is cleared: a line without text is not written, so that the first
        text need not wait for it.
        """
        lines = _lines(self._text)
        commands = self._commands
        writes = [write(line) for write, line in zip(commands.lines, lines, strict=True)]
        shown = self._written or _lines(DisplayText())
        changed = [
            write for write, line, old in zip(writes, lines, shown, strict=True) if line != old
        ]
        if self._written is None:
            frame = b"".join((commands.initialise, commands.settings, *changed))
        else:
            frame = b"".join(changed or (commands.settings, *writes))
        sent = self._line.send(frame)
        repeated = sent and self._written == lines
        self._repeat_us = round((len(frame) / BYTES_PER_S + REPEAT_S) * US) if repeated else None
        now = self._loop.time()
        self._free_at = now + len(frame) / BYTES_PER_S
        self._timer = self._loop.call_at(self._free_at + (REPEAT_S if sent else 0), self._write)
        if sent:
            self._sent += 1
            self._trace.note_sent(frame, now)
            self._written = lines
            self._reporter.report_up()
        else:
            self._refused += 1
            self._reporter.start_loss_timer("the port takes no more bytes")

    def _cancel_write(self) -> None:
        self._repeat_us = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _lines(text: DisplayText) -> tuple[bytes, ...]:
    return tuple(
        line[:DISPLAY_COLUMNS].ljust(DISPLAY_COLUMNS).encode("ascii", "replace")
        for line in text.lines
    )
