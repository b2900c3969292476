"""A line over a serial port, which reconnects: it is opened again whenever it is gone.

This class wraps `pyserial-asyncio` and adds what that lacks: its write buffer has no bound, its
`close` waits for ever on a port that takes nothing, and its end drains the port, which may block
the loop. So unsent bytes are discarded first.
"""

import asyncio
import errno
import os
import termios
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from firmware_bridge.line import LineUser

if TYPE_CHECKING:
    import serial

FIRST_REOPEN_PAUSE_S = 0.1
LONGEST_REOPEN_PAUSE_S = 1.0
"""The backoff: a port that is gone, since it was unplugged, is opened again after a pause, which
doubles up to this one: a device is back within 5 s (docs/reference/rules.md, section 7)."""

LONGEST_UNSENT = 4096
"""Bytes that wait for the port, besides those in the kernel; 0.36 s at 115200 baud."""

DSR_PERIOD_S = 0.25
"""DSR is read four times in the second after which a device counts as lost."""

_FORBIDDEN = (errno.EPERM, errno.EACCES)
_NO_MODEM_LINES = (errno.ENOTTY, errno.EINVAL)  # the answers of a pseudo-terminal


class _Transport(Protocol):
    """The methods of `serial_asyncio.SerialTransport` that are used here."""

    def write(self, data: bytes) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def is_closing(self) -> bool: ...
    def abort(self) -> None: ...


class _Port(asyncio.Protocol):
    """One opening of the port; after `forget` it reports nothing."""

    def __init__(self, line: "SerialLine") -> None:
        self._line: SerialLine | None = line

    def forget(self) -> None:
        self._line = None

    def data_received(self, data: bytes) -> None:
        if self._line is not None:
            self._line.port_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._line is not None:
            self._line.port_lost(f"{self._line.path}: {exc or 'hung up'}")


class SerialLine:
    """A `Line` on the serial port or pseudo-terminal at `path`, 8N1 without flow control.

    The port is opened exclusively, each time by its path, so that a link to another device is
    followed. With `watch_dsr` a port counts as down while DSR is off. A pseudo-terminal has no
    modem lines; there only the hang-up counts.
    """

    def __init__(
        self,
        path: str,
        baud: int,
        *,
        loop: asyncio.AbstractEventLoop,
        watch_dsr: bool = False,
        dtr: bool = True,
        rts: bool = True,
        must_be_allowed: bool = False,
    ) -> None:
        """`must_be_allowed`: one that may not be opened raises OSError, and is not tried again."""
        self.path = path
        self.baud = baud
        self._loop = loop
        self._watch_dsr = watch_dsr
        self._dtr = dtr
        self._rts = rts
        self._must_be_allowed = must_be_allowed
        self._user: LineUser | None = None
        self._serial: serial.Serial | None = None
        self._transport: _Transport | None = None
        self._port: _Port | None = None
        self._up = False  # as the user knows it
        self._reported_why: str | None = None  # why it is down, as the user knows it
        self._pause = FIRST_REOPEN_PAUSE_S
        self._dsr_counts = False  # at this opening
        self._timer: asyncio.Handle | None = None  # the next attempt, or the next reading of DSR

    def start(self, user: LineUser) -> None:
        """See `Line.start`. A port that cannot be opened is reported by `line_down`."""
        self._user = user
        self._timer = self._loop.call_soon(self._try)

    def send(self, data: bytes) -> bool:
        """See `Line.send`; at most `LONGEST_UNSENT` bytes wait."""
        transport = self._transport
        if transport is None or not self._up:
            return False
        unsent = transport.get_write_buffer_size()
        if unsent + len(data) > LONGEST_UNSENT:
            return False
        # The transport's own write wakes the loop once more, though the port takes the bytes now.
        rest = data if unsent or self._serial is None else _write_now(self._serial, data)
        if rest:
            transport.write(rest)
        return True

    def drop(self, why: str) -> None:
        """See `Line.drop`."""
        if self._transport is not None:
            self._abandon()
            self._loop.call_soon(self._report_down, why)
            self._try_later()

    def close(self) -> None:
        """See `Line.close`."""
        self._user = None
        self._abandon()

    # One opening, from its `_Port`

    def port_received(self, data: bytes) -> None:
        """Bytes have arrived."""
        self._pause = FIRST_REOPEN_PAUSE_S
        if self._user is not None and self._up:
            self._user.line_received(data)

    def port_lost(self, why: str) -> None:
        """The port has hung up or failed."""
        self._abandon()
        self._try_later()
        self._report_down(why)

    # Opening and closing

    def _try(self) -> None:
        self._timer = None
        try:
            self._open()
            self._dsr_counts = self._watch_dsr
            dsr_is_off = self._dsr_is_off()
        except (OSError, termios.error) as error:
            self._abandon()
            if self._must_be_allowed and error.args[0] in _FORBIDDEN:
                raise
            self._try_later()
            self._report_down(f"{self.path}: {error}")
            return
        if self._dsr_counts:
            self._timer = self._loop.call_later(DSR_PERIOD_S, self._look_at_dsr)
        if dsr_is_off:
            self._report_down(f"{self.path}: DSR is off")
        else:
            self._report_up()

    def _open(self) -> None:
        # Imported here: a table without serial ports starts faster.
        import serial
        import serial_asyncio

        port = serial.Serial(baudrate=self.baud, exclusive=True)
        port.dtr = self._dtr
        port.rts = self._rts
        port.port = self.path
        port.open()  # with O_NONBLOCK and CLOCAL: it does not wait for a carrier
        self._serial = port
        self._port = _Port(self)
        self._transport = serial_asyncio.SerialTransport(self._loop, self._port, port)

    def _abandon(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._port is not None:
            self._port.forget()
        if self._transport is not None and self._serial is not None:
            _discard_unsent(self._serial)
            _abort(self._transport)
        self._serial = self._transport = self._port = None
        self._up = False

    def _try_later(self) -> None:
        self._timer = self._loop.call_later(self._pause, self._try)
        self._pause = min(2 * self._pause, LONGEST_REOPEN_PAUSE_S)

    def _report_up(self) -> None:
        if self._user is not None and not self._up:
            self._up = True
            self._reported_why = None
            self._user.line_up()

    def _report_down(self, why: str) -> None:
        # The same failure at every attempt is reported once.
        if self._user is not None and why != self._reported_why:
            self._reported_why = why
            self._user.line_down(why)

    # Data set ready

    def _look_at_dsr(self) -> None:
        self._timer = self._loop.call_later(DSR_PERIOD_S, self._look_at_dsr)
        try:
            dsr_is_off = self._dsr_is_off()
        except OSError as error:
            self.port_lost(f"{self.path}: {error}")
            return
        if not dsr_is_off:
            self._report_up()
        elif self._up:
            self._up = False
            self._report_down(f"{self.path}: DSR is off")

    def _dsr_is_off(self) -> bool:
        if not self._dsr_counts or self._serial is None:
            return False
        try:
            return not self._serial.dsr
        except OSError as error:
            if error.errno in _NO_MODEM_LINES:
                self._dsr_counts = False
                return False
            raise


def _write_now(port: "serial.Serial", data: bytes) -> bytes:
    """What the port does not take at once; an error is met again by the transport, which tells."""
    try:
        return data[os.write(port.fileno(), data) :]
    except OSError:
        return data


def _discard_unsent(port: "serial.Serial") -> None:
    # A port that is already gone has nothing to wait for.
    with suppress(OSError, termios.error):
        port.reset_output_buffer()


def _abort(transport: _Transport) -> None:
    # Without unsent bytes a closing transport is about to end, and a second end would fail.
    if not transport.is_closing() or transport.get_write_buffer_size():
        transport.abort()
