"""What all boards do: HELLO, IDENTITY, WANT, STATE, sessions, the watchdog (docs/wire-protocol.md).

The caller passes in bytes and the time in milliseconds (`TickClock`), and sends what `advance`
returns.
"""

import struct

from firmware_bridge.board.framing import FrameReader, encode

VERSION = 1
"""Of the protocol."""

HELLO = 0x01
WANT = 0x02
IDENTITY = 0x81
STATE = 0x82

HELLO_SIZE = 6
WANT_HEAD_SIZE = 3
SERIAL_LENGTH = 8
LAST_ASCII = 0x7F
UNATTENDED = 0x01

REPEAT_MS = 300
"""A STATE in which nothing is new follows the last one after so long."""

SPACING_MS = 5
"""The least time between two STATEs."""

SILENCE_MS = 1000
"""The watchdog: without a HELLO or WANT for so long everything is switched off."""


HALF_CIRCLE = 0x8000


def is_newer(number: int, than: int) -> bool:
    """Whether a 16-bit number comes after another one, by at most half the circle."""
    return 0 < (number - than) & 0xFFFF < HALF_CIRCLE


class Firmware:
    """A board between power-up and power-down; each kind of board completes it.

    `boot` differs from boot to boot; `serial` has at most 8 ASCII characters. `attended`: a host is
    there.
    """

    KIND = 0
    SEATS = 0

    __slots__ = (
        "_applied", "_changed", "_heard_at", "_identity", "_number", "_reader", "_sent_at",
        "_session", "_version", "attended", "boot", "ignored", "serial",
    )  # fmt: skip

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        name = serial.encode()
        if len(name) > SERIAL_LENGTH or any(byte > LAST_ASCII for byte in name):
            raise ValueError(f"serial {serial!r} must be at most {SERIAL_LENGTH} ASCII characters")
        self.boot = boot
        self.serial = serial
        self.attended = False
        self.ignored = 0  # messages that were unknown, malformed, stale or unattended, modulo 65536
        self._version = version
        self._reader = FrameReader()
        self._session: int | None = None
        self._applied = 0
        self._heard_at = 0
        self._identity = b""  # to be sent
        self._number = 0
        self._changed = True
        self._sent_at: int | None = None

    # For each kind of board

    def obey(self, body: bytes, now_ms: int) -> None:
        """Do from now on what this body of a WANT says, which `is_sound`."""
        raise NotImplementedError

    def is_sound(self, body: bytes) -> bool:
        """Whether a WANT's body is long enough, and every field in it possible."""
        raise NotImplementedError

    def make_safe(self) -> None:
        """Switch everything off, because the host is silent."""

    def begin_session(self) -> None:
        """Start another connection: end what must not outlive the one before."""

    def report(self) -> bytes:
        """The body of the next STATE."""
        raise NotImplementedError

    def accepts(self, version: int, session: int) -> bool:
        """Whether this HELLO is obeyed; it is answered in any case."""
        del session
        return version == VERSION

    # Input and time

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host, in pieces of any size."""
        for payload in self._reader.feed(data):
            if not self._take(payload, now_ms):
                self.ignored = (self.ignored + 1) & 0xFFFF

    def advance(self, now_ms: int) -> bytes:
        """Do what is due by now; returns the bytes to send at once, often none."""
        if self.attended and now_ms - self._heard_at >= SILENCE_MS:
            self.attended = False
            self._applied = 0
            self._changed = True
            self.make_safe()
        out, self._identity = self._identity, b""
        if now_ms >= self._state_due(now_ms):
            out += self._next_state(now_ms)
        return out

    def next_wake(self, now_ms: int) -> int:
        """When `advance` is due next, if nothing happens before."""
        if self._identity:
            return now_ms
        wake = self._state_due(now_ms)
        if self.attended:
            wake = min(wake, self._heard_at + SILENCE_MS)
        return max(wake, now_ms)

    @property
    def bad_frames(self) -> int:
        """What came on the line and was no frame, modulo 65536."""
        return self._reader.bad

    def note_change(self) -> None:
        """Note that the result of `report` has changed, so that STATE is due at once."""
        self._changed = True

    # Messages of the host

    def _take(self, payload: bytes, now_ms: int) -> bool:
        """Take a message; False if it has no effect, not even as a sign of life."""
        kind = payload[0]
        if kind == HELLO and len(payload) >= HELLO_SIZE:
            _, version, session = struct.unpack_from("<BBI", payload)
            self._greet(version, session, now_ms)
            return True
        if kind == WANT and len(payload) >= WANT_HEAD_SIZE:
            _, number = struct.unpack_from("<BH", payload)
            body = payload[WANT_HEAD_SIZE:]
            if number and self.attended and self.is_sound(body):
                return self._take_want(number, body, now_ms)
        return False

    def _greet(self, version: int, session: int, now_ms: int) -> None:
        self._identity = b"\0" + encode(self._identity_to(session))
        if not self.accepts(version, session):
            return
        self._heard_at = now_ms
        self.attended = True
        self._changed = True
        if session != self._session:
            self._session = session
            self._applied = 0
            self.begin_session()

    def _take_want(self, number: int, body: bytes, now_ms: int) -> bool:
        self._heard_at = now_ms
        if number == self._applied:
            return True
        if self._applied and not is_newer(number, self._applied):
            return False
        self._applied = number
        self._changed = True
        self.obey(body, now_ms)
        return True

    # Messages of the board

    def _identity_to(self, session: int) -> bytes:
        serial = (self.serial + " " * SERIAL_LENGTH)[:SERIAL_LENGTH].encode()
        head = struct.pack("<BBBBII", IDENTITY, VERSION, self.KIND, self.SEATS, self.boot, session)
        return head + serial + bytes(self._version)

    def _state_due(self, now_ms: int) -> int:
        if self._sent_at is None:
            return now_ms
        return self._sent_at + (SPACING_MS if self._changed else REPEAT_MS)

    def _next_state(self, now_ms: int) -> bytes:
        self._number = (self._number + 1) & 0xFFFF
        self._sent_at = now_ms
        self._changed = False
        flags = 0 if self.attended else UNATTENDED
        head = struct.pack("<BHIHB", STATE, self._number, self.boot, self._applied, flags)
        return encode(head + self.report())
