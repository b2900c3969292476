"""The messages of a coin-rail board (docs/reference/wire-protocol.md, "WANT" and "STATE").

Seats are bits: bit 0 is seat 1, bit 6 is seat 7.
"""

from collections.abc import Iterable
from enum import IntEnum
from struct import Struct
from typing import ClassVar, Self

import msgspec

from firmware_bridge.board_session.protocol import check_length, pack_body
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.seat_words import format_lamps, format_seats

SEAT_COUNT = 7
ALL_SEATS = 0x7F


class LampOrder(IntEnum):
    """A slot lamp's mode: two bits of `RailWant.lamps` for each seat, seat 1 lowest."""

    DARK = 0
    INVITE = 1  # slow pulse
    ON = 2
    ALERT = 3  # fast blink


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


def _check_seats(field: str, mask: int) -> None:
    if mask > ALL_SEATS:
        raise ProtocolError(f"{field} {mask:#04x} has bits above seat 7, the highest is 0x40")


class RailWant(msgspec.Struct, frozen=True):
    """The wanted outputs.

    Each gate in `gates` opens once for each new `turn` (1 to 65535; 0 without gates).
    """

    LAYOUT: ClassVar = Struct("<HBH")

    lamps: int = 0
    gates: int = 0
    turn: int = 0

    def to_bytes(self) -> bytes:
        """5 bytes. Raises ProtocolError if it cannot be expressed."""
        self._check()
        return pack_body(self.LAYOUT, self, self.lamps, self.gates, self.turn)

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a WANT's body. Raises ProtocolError."""
        check_length("a rail's WANT", body, cls.LAYOUT.size)
        want = cls(*cls.LAYOUT.unpack_from(body))
        want._check()
        return want

    def words(self) -> str:
        """For people: `lamps invite 1 2 gates 3 turn 17`."""
        lamps, gates = (
            format_lamps(unpack_lamps(self.lamps)),
            format_seats(unpack_seats(self.gates)),
        )
        return f"lamps {lamps} gates {gates} turn {self.turn}"

    def _check(self) -> None:
        if self.gates > ALL_SEATS:
            _check_seats("gates", self.gates)
        if self.lamps >> 2 * SEAT_COUNT:
            raise ProtocolError(f"lamps {self.lamps:#06x} has bits above seat 7, at most 0x3fff")
        if self.gates and not self.turn:
            raise ProtocolError("gates without a turn, it is 1 to 65535 when a gate is to open")


class RailState(msgspec.Struct, frozen=True):
    """The present state: `drops` of seats 1 to 7 and `tray` count from the boot, modulo 65536."""

    LAYOUT: ClassVar = Struct("<BB7HHB")

    occupied: int = 0
    gates: int = 0
    drops: tuple[int, ...] = (0,) * SEAT_COUNT
    tray: int = 0
    dead_lamps: int = 0

    def to_bytes(self) -> bytes:
        """19 bytes. Raises ProtocolError if it cannot be expressed."""
        self._check()
        return pack_body(
            self.LAYOUT, self, self.occupied, self.gates, *self.drops, self.tray, self.dead_lamps
        )

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a STATE's body. Raises ProtocolError."""
        check_length("a rail's STATE", body, cls.LAYOUT.size)
        occupied, gates, *drops, tray, dead_lamps = cls.LAYOUT.unpack_from(body)
        state = cls(occupied, gates, tuple(drops), tray, dead_lamps)
        state._check()
        return state

    def words(self) -> str:
        """For people: `occupied 1 3 gates none drops 0 1 0 0 0 0 0 tray 4 dead lamps none`."""
        occupied, gates, dead = (
            format_seats(unpack_seats(mask))
            for mask in (self.occupied, self.gates, self.dead_lamps)
        )
        drops = " ".join(map(str, self.drops))
        return f"occupied {occupied} gates {gates} drops {drops} tray {self.tray} dead lamps {dead}"

    def _check(self) -> None:
        if (self.occupied | self.gates | self.dead_lamps) > ALL_SEATS:
            _check_seats("occupied", self.occupied)
            _check_seats("gates", self.gates)
            _check_seats("dead_lamps", self.dead_lamps)
