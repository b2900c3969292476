"""The messages of all our boards (docs/reference/wire-protocol.md).

HELLO, IDENTITY and IMAGE are whole messages. WANT and STATE have a common head; the *body* after it
belongs to the kind of board and has its own module (`rail_messages`, ...). Everything is
little-endian, and the first byte is the type. Of a message that is longer than this version knows,
the known part is read; a shorter one raises `ProtocolError`.
"""

from enum import IntEnum
from struct import Struct
from struct import error as misfit
from typing import ClassVar, Protocol, Self

import msgspec

from firmware_bridge.counter import HALF_CYCLE
from firmware_bridge.protocol_error import ProtocolError

VERSION = 1

PROVED_VERSION = 2
"""With a key: docs/reference/wire-protocol.md, version 2."""

HOST_REPEAT_MS = 325
"""The host sends WANT on every change, and otherwise this long after the last one at the latest.
"""

HOST_SPACING_MS = 100
"""A STATE that comes this long after the last WANT, or later, is answered with the next one: so
nothing wakes the host only to send it."""

BOARD_REPEAT_MS = 300
"""The board sends STATE on every change, and otherwise this long after the last one."""

HELLO_REPEAT_MS = 200
"""The host repeats HELLO this often until it has the IDENTITY."""

WANT_RETRY_MS = 100
"""The host repeats a WANT this often while it is not applied."""

SILENCE_MS = 1000
"""The other side is lost when it is silent for so long; two repetitions in a row may go missing."""

SERIAL_LENGTH = 8
KEY_SIZE = 16
CHALLENGE_SIZE = 8
MAC_SIZE = 8
IDENTITY_PROVED_SIZE = 28
"""What IDENTITY's mac is over, behind the challenge."""


class BoardKind(IntEnum):
    """The kinds of boards (docs/reference/rules.md, section 1)."""

    SLOT_RAIL = 1
    SENSOR_RAIL = 2
    SHUFFLER = 3
    MIXER = 4
    COUNTING_SHOE = 5
    CCTALK_SLOTS = 6  # the slot lamps and slot sensors beside the acceptors of a ccTalk rail
    DECK_SHUFFLER = 7  # gives out whole decks, and has a green button

    @property
    def seats(self) -> int:
        """The number of seats of this kind of board."""
        return 0 if self in _SEATLESS else 7


_SEATLESS = (
    BoardKind.SHUFFLER,
    BoardKind.MIXER,
    BoardKind.COUNTING_SHOE,
    BoardKind.DECK_SHUFFLER,
)


class MessageType(IntEnum):
    """The first byte of a message; messages of the board have 0x80 set."""

    HELLO = 0x01
    WANT = 0x02
    KEY = 0x03
    IDENTITY = 0x81
    STATE = 0x82
    IMAGE = 0x83


class Body(Protocol):
    """The body of WANT or STATE for a kind of board."""

    def to_bytes(self) -> bytes:
        """The body's bytes. Raises ProtocolError if it cannot be expressed."""


def is_newer(number: int, than: int) -> bool:
    """Whether a 16-bit number comes after another one, by at most half the circle."""
    return 0 < (number - than) & 0xFFFF < HALF_CYCLE


def pack_body(layout: Struct, message: object, *values: int | bytes) -> bytes:
    """The values' bytes. Raises ProtocolError if one does not fit its field of `message`."""
    try:
        return layout.pack(*values)
    except misfit as error:
        raise ProtocolError(f"{message} does not fit its fields: {error}") from error


def check_length(name: str, data: bytes, needed: int) -> None:
    """Raise ProtocolError unless there are as many bytes as this version of the message has."""
    if len(data) < needed:
        raise ProtocolError(f"{name} has {len(data)} bytes, it needs {needed}")


def _check_head(layout: Struct, kind: MessageType, data: bytes) -> None:
    if len(data) < layout.size:
        check_length(kind.name, data, layout.size)
    if data[0] != kind:
        raise ProtocolError(f"type {data[0]:#04x} is not {kind.name}, which is {kind:#04x}")


def _check_extension(message: object, version: int, fits: bool) -> None:
    if version != PROVED_VERSION or not fits:
        raise ProtocolError(f"{message}: challenge and mac have 8 bytes, in version 2 only")


def _pack_serial(serial: str) -> bytes:
    if len(serial) > SERIAL_LENGTH or not (serial.isascii() and serial.isprintable()):
        raise ProtocolError(f"serial {serial!r} must be at most 8 printable ASCII characters")
    return serial.encode("ascii").ljust(SERIAL_LENGTH)


def _read_serial(serial: bytes) -> str:
    name = serial.decode("ascii", "replace")
    if not (name.isascii() and name.isprintable()):
        raise ProtocolError(f"serial {serial!r} must be printable ASCII, filled with blanks")
    return name.rstrip(" ")


class Hello(msgspec.Struct, frozen=True):
    """Host to board: who are you? `session` is new for every connection; so is `challenge`.

    Version 1 has no challenge; without one version 2 asks for no proof.
    """

    LAYOUT: ClassVar = Struct("<BBI")

    session: int
    version: int = VERSION
    challenge: bytes = b""

    def to_bytes(self) -> bytes:
        """6 bytes and the challenge. Raises ProtocolError if something does not fit its field."""
        head = pack_body(self.LAYOUT, self, MessageType.HELLO, self.version, self.session)
        if self.challenge:
            _check_extension(self, self.version, len(self.challenge) == CHALLENGE_SIZE)
        return head + self.challenge

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, of any version. Raises ProtocolError."""
        _check_head(cls.LAYOUT, MessageType.HELLO, data)
        _, version, session = cls.LAYOUT.unpack_from(data)
        end = cls.LAYOUT.size + CHALLENGE_SIZE
        has_challenge = version == PROVED_VERSION and len(data) >= end
        return cls(session, version, data[cls.LAYOUT.size : end] if has_challenge else b"")


class KeyMessage(msgspec.Struct, frozen=True):
    """Host to board: prove yourself by this key from now on. Never shown to anybody."""

    LAYOUT: ClassVar = Struct(f"<BBI{SERIAL_LENGTH}s{KEY_SIZE}s")

    session: int
    serial: str
    key: bytes
    version: int = PROVED_VERSION

    def __repr__(self) -> str:
        return f"KeyMessage(session={self.session}, serial={self.serial!r})"

    def to_bytes(self) -> bytes:
        """30 bytes. Raises ProtocolError if something does not fit its field."""
        if len(self.key) != KEY_SIZE:
            raise ProtocolError(f"a board's key has {KEY_SIZE} bytes, not {len(self.key)}")
        return pack_body(
            self.LAYOUT, self, MessageType.KEY, self.version, self.session,
            _pack_serial(self.serial), self.key,
        )  # fmt: skip

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, of any version. Raises ProtocolError."""
        _check_head(cls.LAYOUT, MessageType.KEY, data)
        _, version, session, serial, key = cls.LAYOUT.unpack_from(data)
        return cls(session, _read_serial(serial), key, version)


class Want(msgspec.Struct, frozen=True):
    """Host to board: what should be. `number`, 1 to 65535, counts the different ones."""

    HEAD: ClassVar = Struct("<BH")

    number: int
    body: bytes = b""

    def to_bytes(self) -> bytes:
        """3 bytes and the body. Raises ProtocolError if the number is invalid."""
        self._check()
        return pack_body(self.HEAD, self, MessageType.WANT, self.number) + self.body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, with its body unread. Raises ProtocolError."""
        _check_head(cls.HEAD, MessageType.WANT, data)
        _, number = cls.HEAD.unpack_from(data)
        want = cls(number, data[cls.HEAD.size :])
        want._check()
        return want

    def _check(self) -> None:
        if self.number == 0:
            raise ProtocolError("number 0 means no WANT, they are counted from 1 to 65535")


class KeyAnswer(msgspec.Struct, frozen=True):
    """What IDENTITY says of the board's key, from version 2 on."""

    LAYOUT: ClassVar = Struct(f"<BI{MAC_SIZE}s")
    KEY_HELD: ClassVar = 0x01
    JUMPER_CLOSED: ClassVar = 0x02

    key_state: int
    """KEY_HELD and JUMPER_CLOSED, or neither; other bits mean nothing yet."""
    greeting: int
    """One higher with each session that the board was greeted with since its boot."""
    mac: bytes = bytes(MAC_SIZE)


class Identity(msgspec.Struct, frozen=True):
    """Board to host: the answer to HELLO, with its session.

    `kind` is a `BoardKind`, or a number that this version does not know; `boot` differs from boot
    to boot; `serial` has at most 8 printable ASCII characters, without a blank at the end.
    """

    LAYOUT: ClassVar = Struct("<BBBBII8sBBB")

    kind: int
    boot: int
    session: int
    serial: str = ""
    firmware: tuple[int, int, int] = (1, 0, 0)
    version: int = VERSION
    seats: int = 7
    answer: KeyAnswer | None = None
    """Of version 2 only; without it nothing is proved."""

    def to_bytes(self) -> bytes:
        """23 bytes, in version 2 36. Raises ProtocolError if something does not fit its field."""
        head = pack_body(
            self.LAYOUT, self, MessageType.IDENTITY, self.version, self.kind, self.seats,
            self.boot, self.session, _pack_serial(self.serial), *self.firmware,
        )  # fmt: skip
        answer = self.answer
        if answer is None:
            return head
        _check_extension(self, self.version, len(answer.mac) == MAC_SIZE)
        layout = KeyAnswer.LAYOUT
        return head + pack_body(layout, self, answer.key_state, answer.greeting, answer.mac)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, of any version. Raises ProtocolError."""
        _check_head(cls.LAYOUT, MessageType.IDENTITY, data)
        _, version, kind, seats, boot, session, serial, *firmware = cls.LAYOUT.unpack_from(data)
        name = _read_serial(serial)
        major, minor, patch = firmware
        answer = None
        layout, at = KeyAnswer.LAYOUT, cls.LAYOUT.size
        if version == PROVED_VERSION and len(data) >= at + layout.size:
            answer = KeyAnswer(*layout.unpack_from(data, at))
        return cls(kind, boot, session, name, (major, minor, patch), version, seats, answer)

    def find_misfit(self, kind: BoardKind, version: int) -> str | None:
        """Why this is not the expected board, or None."""
        if self.kind != kind:
            return f"the board is of kind {self.kind}, kind {int(kind)} ({kind.name}) is expected"
        if self.seats != kind.seats:
            return f"the board has {self.seats} seats, {kind.seats} are expected"
        if self.version != version:
            return f"the board speaks version {self.version}, this host version {version}"
        return None


_NOTICES_OF = tuple(
    frozenset(bit for bit in range(1, 8) if bits >> bit - 1 & 1) for bits in range(128)
)


def unpack_notices(notices: int) -> frozenset[int]:
    """The numbers of these bits of a STATE's flags, 1 to 7."""
    return _NOTICES_OF[notices >> 1 & 0x7F]


def describe_notices(notices: int) -> str:
    """For people: `1 3`; "" without one."""
    return " ".join(map(str, sorted(unpack_notices(notices))))


class State(msgspec.Struct, frozen=True):
    """Board to host: the present state."""

    HEAD: ClassVar = Struct("<BHIHB")
    UNATTENDED: ClassVar = 0x01
    NOTICES: ClassVar = 0xFE

    number: int
    """Counts the STATEs since the boot, modulo 65536."""
    boot: int
    applied: int = 0
    """The number of the last WANT applied; 0 if none was since the last HELLO, boot or watchdog."""
    unattended: bool = False
    """The host is silent, or was not heard since the boot: all outputs are off."""
    body: bytes = b""
    notices: int = 0
    """What is wrong with the board itself: bits 1 to 7 of the flags, in their places."""

    def to_bytes(self) -> bytes:
        """10 bytes and the body. Raises ProtocolError if a number is too large for its field."""
        if self.notices & ~self.NOTICES:
            raise ProtocolError(f"notices {self.notices:#x}, they are bits 1 to 7")
        flags = self.notices | (self.UNATTENDED if self.unattended else 0)
        head = (MessageType.STATE, self.number, self.boot, self.applied, flags)
        return pack_body(self.HEAD, self, *head) + self.body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, with its body unread. Raises ProtocolError."""
        _check_head(cls.HEAD, MessageType.STATE, data)
        _, number, boot, applied, flags = cls.HEAD.unpack_from(data)
        unattended, notices = bool(flags & cls.UNATTENDED), flags & cls.NOTICES
        return cls(number, boot, applied, unattended, data[cls.HEAD.size :], notices)


class Image(msgspec.Struct, frozen=True):
    """Board to host: the SHA-256 of the image in its flash, as `flashing.images` reckons it."""

    LAYOUT: ClassVar = Struct("<B32s")

    digest: bytes

    def to_bytes(self) -> bytes:
        """33 bytes."""
        return self.LAYOUT.pack(MessageType.IMAGE, self.digest)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes. Raises ProtocolError."""
        _check_head(cls.LAYOUT, MessageType.IMAGE, data)
        return cls(cls.LAYOUT.unpack_from(data)[1])
