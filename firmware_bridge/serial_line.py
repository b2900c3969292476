"""A line over a serial port, which is opened again whenever it is gone.

pyserial opens and sets the port; its bytes are read and written here, so that neither a port that
takes nothing nor one that is closed ever holds the loop.
"""

import asyncio
import errno
import os
import termios
from contextlib import suppress
from typing import TYPE_CHECKING

from firmware_bridge.line import LineUser

if TYPE_CHECKING:
    import serial

FIRST_REOPEN_PAUSE_S = 0.1
LONGEST_REOPEN_PAUSE_S = 1.0
"""A port that is gone is opened again after a pause, which doubles up to this one: a device is back
within 5 s (docs/reference/rules.md, section 7)."""

LONGEST_UNSENT = 4096
"""Bytes that wait for the port, besides those in the kernel; 0.36 s at 115200 baud."""

READ_AT_ONCE = 4096
"""Bytes: as many as a terminal of the kernel keeps."""

DSR_PERIOD_S = 0.25
"""DSR is read four times in the second after which a device counts as lost."""

_FORBIDDEN = (errno.EPERM, errno.EACCES)
_NO_MODEM_LINES = (errno.ENOTTY, errno.EINVAL)  # the answers of a pseudo-terminal


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
        self._unsent = bytearray()
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
        port, unsent = self._serial, self._unsent
        if port is None or not self._up or len(unsent) + len(data) > LONGEST_UNSENT:
            return False
        if not unsent:
            data = data[_write_now(port, data) :]
            if data:
                self._loop.add_writer(port.fileno(), self._write_unsent, port)
        unsent += data
        return True

    def drop(self, why: str) -> None:
        """See `Line.drop`."""
        if self._serial is not None:
            self._abandon()
            self._loop.call_soon(self._report_down, why)
            self._try_later()

    def close(self) -> None:
        """See `Line.close`."""
        self._user = None
        self._abandon()

    # The open port

    def _read(self, port: "serial.Serial") -> None:
        try:
            data = os.read(port.fileno(), READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(str(error))
            return
        if not data:
            self._lose("hung up")
            return
        self._pause = FIRST_REOPEN_PAUSE_S
        if self._user is not None and self._up:
            self._user.line_received(data)

    def _write_unsent(self, port: "serial.Serial") -> None:
        try:
            del self._unsent[: os.write(port.fileno(), self._unsent)]
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(str(error))
            return
        if not self._unsent:
            self._loop.remove_writer(port.fileno())

    def _lose(self, why: str) -> None:
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

        port = serial.Serial(baudrate=self.baud, exclusive=True)
        port.dtr = self._dtr
        port.rts = self._rts
        port.port = self.path
        port.open()  # with O_NONBLOCK and CLOCAL: it does not wait for a carrier
        self._serial = port
        self._loop.add_reader(port.fileno(), self._read, port)

    def _abandon(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        port, self._serial, self._up = self._serial, None, False
        if port is not None:
            self._loop.remove_reader(port.fileno())
            self._loop.remove_writer(port.fileno())
            self._unsent.clear()
            _discard_unsent(port)
            port.close()

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
            self._lose(f"{self.path}: {error}")
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


def _write_now(port: "serial.Serial", data: bytes) -> int:
    """How many bytes the port takes at once. An error is met again where it may be told: later."""
    try:
        return os.write(port.fileno(), data)
    except OSError:
        return 0


def _discard_unsent(port: "serial.Serial") -> None:
    """Closing a port waits for what the kernel has not sent; one that is gone has nothing."""
    with suppress(OSError, termios.error):
        port.reset_output_buffer()
