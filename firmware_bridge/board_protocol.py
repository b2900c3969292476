"""The messages between host and coin-rail board (docs/wire-protocol.md, "Messages").

Little-endian, the first byte is the type. A message longer than this version knows is read as far
as it is known; a shorter one is a `ProtocolError`. Seats are bits: bit 0 is seat 1, bit 6 seat 7.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from struct import error as misfit
from typing import ClassVar, Self

VERSION = 1
SEAT_COUNT = 7
ALL_SEATS = 0x7F

HOST_REPEAT_MS = 300
"""The host sends WANT on every change and, without one, this long after the last."""

BOARD_REPEAT_MS = 300
"""The board sends STATE on every change and, without one, this long after the last."""

BOARD_SPACING_MS = 5
"""Two STATE are never closer: a chattering sensor cannot fill the line (a STATE takes 3 ms)."""

HELLO_REPEAT_MS = 200
"""The host repeats HELLO until it has its IDENTITY."""

WANT_RETRY_MS = 100
"""The host repeats a WANT that has not been applied, sooner than otherwise."""

SILENCE_MS = 1000
"""Silent for so long, the other side is lost; two repetitions in a row may go missing."""

GATE_OPEN_MS = 2000
"""A gate is open for no longer, token or none (TABLE.md, section 2)."""

SERIAL_LENGTH = 8

_HALF = 0x8000


class ProtocolError(ValueError):
    """A message that cannot be; the text says what is wrong and what would be right."""


class BoardKind(IntEnum):
    """What the board drives (TABLE.md, section 1)."""

    SLOT_RAIL = 1
    SENSOR_RAIL = 2


class LampOrder(IntEnum):
    """What a slot lamp does: two bits of `Want.lamps` a seat, seat 1 lowest."""

    DARK = 0
    INVITE = 1  # slow pulse
    ON = 2
    ALERT = 3  # fast blink


class MessageType(IntEnum):
    """The first byte of a message; 0x80 is set in what the board sends."""

    HELLO = 0x01
    WANT = 0x02
    IDENTITY = 0x81
    STATE = 0x82


def is_newer(number: int, than: int) -> bool:
    """Whether a 16-bit number follows another, by at most half the circle."""
    return 0 < (number - than) & 0xFFFF < _HALF


def pack_lamps(orders: Iterable[LampOrder]) -> int:
    """The lamp bits of the orders of seats 1 to 7."""
    lamps = 0
    for seat, order in enumerate(orders):
        lamps |= order << 2 * seat
    return lamps


def unpack_lamps(lamps: int) -> tuple[LampOrder, ...]:
    """The orders of seats 1 to 7 in these lamp bits."""
    return tuple(LampOrder(lamps >> 2 * seat & 3) for seat in range(SEAT_COUNT))


def pack_seats(seats: Iterable[int]) -> int:
    """The mask of these seats (1 to 7)."""
    mask = 0
    for seat in seats:
        mask |= 1 << (seat - 1)
    return mask


_SEATS_OF = tuple(
    frozenset(seat + 1 for seat in range(SEAT_COUNT) if mask >> seat & 1)
    for mask in range(ALL_SEATS + 1)
)


def unpack_seats(mask: int) -> frozenset[int]:
    """The seats (1 to 7) of this mask."""
    return _SEATS_OF[mask]


def _packed(layout: Struct, message: object, *values: int | bytes) -> bytes:
    try:
        return layout.pack(*values)
    except misfit as error:
        raise ProtocolError(f"{message} does not fit its fields: {error}") from error


def _fields(layout: Struct, kind: MessageType, data: bytes) -> tuple[int, ...]:
    if len(data) < layout.size:
        raise ProtocolError(f"{kind.name} has {len(data)} bytes, it needs {layout.size}")
    if data[0] != kind:
        raise ProtocolError(f"type {data[0]:#04x} is not {kind.name}, which is {kind:#04x}")
    return layout.unpack_from(data)


def _check_seats(field: str, mask: int) -> None:
    if mask > ALL_SEATS:
        raise ProtocolError(f"{field} {mask:#04x} has bits above seat 7, the highest is 0x40")


@dataclass(frozen=True, slots=True)
class Hello:
    """Host to board: who are you? `session` is new for every connection."""

    LAYOUT: ClassVar = Struct("<BBI")

    session: int
    version: int = VERSION

    def to_bytes(self) -> bytes:
        """6 bytes; ProtocolError if a number is too large for its field."""
        return _packed(self.LAYOUT, self, MessageType.HELLO, self.version, self.session)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, of whatever version; ProtocolError if there is none."""
        _, version, session = _fields(cls.LAYOUT, MessageType.HELLO, data)
        return cls(session=session, version=version)


@dataclass(frozen=True, slots=True)
class Want:
    """Host to board: what should be. `number` 1 to 65535 counts the differing ones.

    A gate named in `gates` opens once for each new `turn` (1 to 65535; 0 with no gate).
    """

    LAYOUT: ClassVar = Struct("<BHHBH")

    number: int
    lamps: int = 0
    gates: int = 0
    turn: int = 0

    def to_bytes(self) -> bytes:
        """8 bytes; ProtocolError if a number is too large for its field."""
        self._check()
        return _packed(
            self.LAYOUT, self, MessageType.WANT, self.number, self.lamps, self.gates, self.turn
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes; ProtocolError if there is none."""
        _, number, lamps, gates, turn = _fields(cls.LAYOUT, MessageType.WANT, data)
        want = cls(number, lamps, gates, turn)
        want._check()
        return want

    def _check(self) -> None:
        _check_seats("gates", self.gates)
        if self.number == 0:
            raise ProtocolError("number 0 means no WANT, they are counted from 1 to 65535")
        if self.lamps >> 2 * SEAT_COUNT:
            raise ProtocolError(f"lamps {self.lamps:#06x} has bits above seat 7, at most 0x3fff")
        if self.gates and not self.turn:
            raise ProtocolError("gates without a turn, it is 1 to 65535 when a gate is to open")


@dataclass(frozen=True, slots=True)
class Identity:
    """Board to host: the answer to HELLO, whose session it repeats.

    `kind` is a `BoardKind`, or a number that this version does not know; `boot` differs from boot
    to boot; `serial` is at most 8 ASCII characters, the last one no blank.
    """

    LAYOUT: ClassVar = Struct("<BBBBII8sBBB")

    kind: int
    boot: int
    session: int
    serial: str = ""
    firmware: tuple[int, int, int] = (1, 0, 0)
    version: int = VERSION
    seats: int = SEAT_COUNT

    def to_bytes(self) -> bytes:
        """23 bytes; ProtocolError if something does not fit its field."""
        if len(self.serial) > SERIAL_LENGTH or not self.serial.isascii():
            raise ProtocolError(f"serial {self.serial!r} must be at most 8 ASCII characters")
        serial = self.serial.encode("ascii").ljust(SERIAL_LENGTH)
        return _packed(
            self.LAYOUT, self, MessageType.IDENTITY, self.version, self.kind, self.seats,
            self.boot, self.session, serial, *self.firmware,
        )  # fmt: skip

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes, of whatever version; ProtocolError if there is none."""
        _fields(cls.LAYOUT, MessageType.IDENTITY, data)
        _, version, kind, seats, boot, session, serial, *firmware = cls.LAYOUT.unpack_from(data)
        if not serial.isascii():
            raise ProtocolError(f"serial {serial!r} must be ASCII, filled with blanks")
        name = serial.decode("ascii").rstrip(" ")
        major, minor, patch = firmware
        return cls(kind, boot, session, name, (major, minor, patch), version, seats)


@dataclass(frozen=True, slots=True)
class State:
    """Board to host: what is.

    `number` counts the STATE sent since boot, modulo 65536; `applied` is the number of the last
    WANT applied, 0 if none has been since the last HELLO, boot or watchdog; `unattended`: the host
    has been silent, or has not been heard since boot, and the board is dark and closed; `drops` of
    seats 1 to 7 and `tray` run since boot, modulo 65536.
    """

    LAYOUT: ClassVar = Struct("<BHIHBBB7HHB")
    UNATTENDED: ClassVar = 0x01

    number: int
    boot: int
    applied: int = 0
    unattended: bool = False
    occupied: int = 0
    gates: int = 0
    drops: tuple[int, ...] = (0,) * SEAT_COUNT
    tray: int = 0
    dead_lamps: int = 0

    def to_bytes(self) -> bytes:
        """29 bytes; ProtocolError if a number is too large for its field."""
        self._check()
        return _packed(
            self.LAYOUT, self, MessageType.STATE, self.number, self.boot, self.applied,
            self.UNATTENDED if self.unattended else 0, self.occupied, self.gates,
            *self.drops, self.tray, self.dead_lamps,
        )  # fmt: skip

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The message in these bytes; ProtocolError if there is none. Unknown flags are nothing."""
        fields = _fields(cls.LAYOUT, MessageType.STATE, data)
        _, number, boot, applied, flags, occupied, gates = fields[:7]
        unattended = bool(flags & cls.UNATTENDED)
        drops, tray, dead = fields[7:14], fields[14], fields[15]
        state = cls(number, boot, applied, unattended, occupied, gates, drops, tray, dead)
        state._check()
        return state

    def _check(self) -> None:
        if (self.occupied | self.gates | self.dead_lamps) > ALL_SEATS:
            _check_seats("occupied", self.occupied)
            _check_seats("gates", self.gates)
            _check_seats("dead_lamps", self.dead_lamps)
