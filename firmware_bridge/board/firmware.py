"""What all boards do: HELLO, IDENTITY, WANT, STATE, IMAGE, sessions, the watchdog.

docs/reference/wire-protocol.md.

The caller passes in bytes and the time in milliseconds (`TickClock`), and sends what `advance`
returns.
"""

import struct

from firmware_bridge.board.framing import FrameReader, encode
from firmware_bridge.board.proof import CHALLENGE_SIZE, KEY_SIZE, KeyKeeper, Proofs

VERSION = 1
"""Of the protocol, for a board without a key."""

PROVED_VERSION = 2

HELLO = 0x01
WANT = 0x02
KEY = 0x03
IDENTITY = 0x81
STATE = 0x82
IMAGE = 0x83

HELLO_SIZE = 6
PROVED_HELLO_SIZE = HELLO_SIZE + CHALLENGE_SIZE
WANT_HEAD_SIZE = 3
SERIAL_LENGTH = 8
KEY_HEAD_SIZE = 6 + SERIAL_LENGTH
FIRST_PRINTABLE = 0x20
LAST_PRINTABLE = 0x7E
UNATTENDED = 0x01
NOTICES = 0xFE

REPEAT_MS = 300
"""A STATE in which nothing is new follows the last one after so long."""

SPACING_MS = 5
"""The least time between two STATEs."""

IMAGE_REPEAT_MS = 10_000
"""IMAGE is sent again after so long: a lost one is made good."""

SILENCE_MS = 1000
"""Without a HELLO or WANT for so long everything is switched off."""


HALF_CIRCLE = 0x8000


def is_newer(number: int, than: int) -> bool:
    """Whether a 16-bit number comes after another one, by at most half the circle."""
    return 0 < (number - than) & 0xFFFF < HALF_CIRCLE


class Firmware:
    """A board between power-up and power-down; each kind of board completes it.

    `boot` differs from boot to boot; `serial` has at most 8 printable ASCII characters. `attended`:
    a host is there.
    """

    KIND = 0
    SEATS = 0

    __slots__ = (
        "_applied", "_changed", "_heard_at", "_identity", "_image", "_image_due", "_notices",
        "_number", "_proofs", "_reader", "_sent_at", "_session", "_version", "attended", "boot",
        "ignored", "serial",
    )  # fmt: skip

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        name = serial.encode()
        printable = all(FIRST_PRINTABLE <= byte <= LAST_PRINTABLE for byte in name)
        if len(name) > SERIAL_LENGTH or not printable:
            raise ValueError(
                f"serial {serial!r} must be at most {SERIAL_LENGTH} printable ASCII characters"
            )
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
        self._image = b""  # the whole IMAGE, once its digest is known
        self._image_due = 0
        self._notices = 0
        self._number = 0
        self._changed = True
        self._sent_at: int | None = None
        self._proofs: Proofs | None = None  # None: the board speaks version 1 only

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

    def use_key(self, keeper: KeyKeeper) -> None:
        """Speak version 2 as well, and nothing else once there is a key."""
        self._proofs = Proofs(self.boot, keeper)

    # Input and time

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host, in pieces of any size."""
        for payload in self._reader.feed(data):
            if not self._take(payload, now_ms):
                self.ignored = (self.ignored + 1) & 0xFFFF

    def advance(self, now_ms: int) -> bytes:
        """Do what is due by now; returns the bytes to send at once, often none."""
        if self.attended and now_ms - self._heard_at >= SILENCE_MS:
            self._fall_silent()
        out, self._identity = self._identity, b""
        if now_ms >= self._state_due(now_ms):
            out += self._next_state(now_ms)
        elif self._image and self.attended and now_ms >= self._image_due:
            self._image_due = now_ms + IMAGE_REPEAT_MS
            out += self._encode_proved(self._image)
        return out

    def next_wake(self, now_ms: int) -> int:
        """When `advance` is due next, if nothing happens before."""
        if self._identity:
            return now_ms
        wake = self._state_due(now_ms)
        if self.attended:
            wake = min(wake, self._heard_at + SILENCE_MS)
            if self._image:
                wake = min(wake, self._image_due)
        return max(wake, now_ms)

    @property
    def rests(self) -> bool:
        """Whether the next STATE is due only because time passes."""
        return not self._changed and not self._identity

    def note_change(self) -> None:
        """Note that the result of `report` has changed, so that STATE is due at once."""
        self._changed = True

    def set_notices(self, notices: int) -> None:
        """Report from now on what is wrong with the board itself: bits 1 to 7, one for each."""
        if notices & ~NOTICES:
            raise ValueError(f"notices {notices:#x} must be bits 1 to 7")
        if notices != self._notices:
            self._notices = notices
            self.note_change()

    def tell_image(self, digest: bytes) -> None:
        """Tell in each session from now on that this is the SHA-256 of the board's image."""
        self._image = bytes([IMAGE]) + digest
        self._image_due = 0

    # Messages of the host

    def _take(self, payload: bytes, now_ms: int) -> bool:
        """Take a message; False if it has no effect, not even as a sign of life."""
        kind = payload[0]
        if kind == HELLO and len(payload) >= HELLO_SIZE:
            return self._take_hello(payload, now_ms)
        if kind == WANT:
            return self._take_any_want(payload, now_ms)
        return kind == KEY and self._take_key(payload)

    def _take_hello(self, payload: bytes, now_ms: int) -> bool:
        _, version, session = struct.unpack_from("<BBI", payload)
        proofs, challenge = self._proofs, payload[HELLO_SIZE:PROVED_HELLO_SIZE]
        if proofs and version == PROVED_VERSION and len(challenge) == CHALLENGE_SIZE:
            proofs.greet(challenge, session)
            self._answer(proofs.end_identity(self._identity_to(session, version), challenge))
        elif proofs and proofs.has_key():
            self._answer(proofs.end_identity(self._identity_to(session, PROVED_VERSION), b""))
        else:
            self._answer(self._identity_to(session, VERSION))
            if self.accepts(version, session):
                self._attend(session, now_ms)
        return True

    def _answer(self, identity: bytes) -> None:
        self._identity = b"\0" + encode(identity)

    def _attend(self, session: int, now_ms: int) -> None:
        self._heard_at = now_ms
        self.attended = True
        self._changed = True
        if session != self._session:
            self._begin(session)

    def _begin(self, session: int) -> None:
        self._session = session
        self._applied = 0
        self._image_due = 0
        self.begin_session()

    def _take_any_want(self, payload: bytes, now_ms: int) -> bool:
        message = payload
        if self._proofs and self._proofs.has_key():
            taken = self._proofs.take_want(payload)
            if taken is None:
                return False
            message, session = taken
            if session is not None:
                self._session = None
                self._attend(session, now_ms)
        if len(message) < WANT_HEAD_SIZE or not self.attended:
            return False
        number: int = struct.unpack_from("<H", message, 1)[0]
        body = message[WANT_HEAD_SIZE:]
        return bool(number) and self.is_sound(body) and self._take_want(number, body, now_ms)

    def _take_key(self, payload: bytes) -> bool:
        if not self._proofs or len(payload) < KEY_HEAD_SIZE + KEY_SIZE:
            return False
        _, version, session = struct.unpack_from("<BBI", payload)
        if version != PROVED_VERSION or payload[6:KEY_HEAD_SIZE] != self._pad_serial():
            return False
        if not self._proofs.take_key(session, payload[KEY_HEAD_SIZE : KEY_HEAD_SIZE + KEY_SIZE]):
            return False
        self._fall_silent()
        return True

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

    def _identity_to(self, session: int, version: int) -> bytes:
        head = struct.pack("<BBBBII", IDENTITY, version, self.KIND, self.SEATS, self.boot, session)
        return head + self._pad_serial() + bytes(self._version)

    def _pad_serial(self) -> bytes:
        return (self.serial + " " * SERIAL_LENGTH)[:SERIAL_LENGTH].encode()

    def _fall_silent(self) -> None:
        self.attended = False
        self._applied = 0
        self._changed = True
        self.make_safe()

    def _state_due(self, now_ms: int) -> int:
        if self._sent_at is None:
            return now_ms
        return self._sent_at + (SPACING_MS if self._changed else REPEAT_MS)

    def _next_state(self, now_ms: int) -> bytes:
        self._number = (self._number + 1) & 0xFFFF
        self._sent_at = now_ms
        self._changed = False
        flags = self._notices | (0 if self.attended else UNATTENDED)
        head = struct.pack("<BHIHB", STATE, self._number, self.boot, self._applied, flags)
        return self._encode_proved(head + self.report())

    def _encode_proved(self, message: bytes) -> bytes:
        return encode(self._proofs.prove(message) if self._proofs else message)
