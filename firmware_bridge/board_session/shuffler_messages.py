"""The messages of shufflers.

docs/reference/shuffler-protocol.md, docs/reference/deck-shuffler-protocol.md.

No message has a card, so that the order of undealt cards cannot be read from the wire
(docs/reference/rules.md, section 8).
"""

from enum import IntEnum
from struct import Struct
from typing import ClassVar, Self

import msgspec
from msgspec.structs import asdict

from firmware_bridge.board_session.protocol import check_length, pack_body
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.seat_words import format_name

LONGEST_HAND = 9
"""Packets of a hand: common cards, seven seats and the croupier."""

LARGEST_PACKET = 255

NOT_YET = 0xFFFF
"""The wire's number of cards while they are not counted yet."""


class DeckCode(IntEnum):
    """The state of the deck being prepared."""

    EMPTY = 0
    SHUFFLING = 1
    READY = 2
    JAMMED = 3


class BackCode(IntEnum):
    """The back of a deck; NONE: no deck."""

    NONE = 0
    RED = 1
    BLUE = 2


class ShufflerWant(msgspec.Struct, frozen=True):
    """What the shuffler may do; a mixer gets no packets."""

    HEAD: ClassVar = Struct("<BHB")
    MAY_DEAL: ClassVar = 0x01
    MAY_BEGIN: ClassVar = 0x02

    may_deal: bool = False
    may_begin: bool = False
    hand: int = 0
    packets: tuple[int, ...] = ()

    def to_bytes(self) -> bytes:
        """4 bytes, and one for each packet. Raises ProtocolError if it cannot be expressed."""
        self._check()
        count = len(self.packets)
        return pack_body(self.HEAD, self, self._flags(), self.hand, count) + bytes(self.packets)

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a WANT's body. Raises ProtocolError."""
        check_length("a shuffler's WANT", body, cls.HEAD.size)
        flags, hand, count = cls.HEAD.unpack_from(body)
        end = cls.HEAD.size + count
        check_length(f"a shuffler's WANT of {count} packets", body, end)
        packets = tuple(body[cls.HEAD.size : end])
        want = cls(bool(flags & cls.MAY_DEAL), bool(flags & cls.MAY_BEGIN), hand, packets)
        want._check()
        return want

    def words(self) -> str:
        """For people: `may deal yes may begin no hand 4 packets 5 5 5`."""
        packets = " ".join(map(str, self.packets)) or "none"
        deal, begin = _yes(self.may_deal), _yes(self.may_begin)
        return f"may deal {deal} may begin {begin} hand {self.hand} packets {packets}"

    def _flags(self) -> int:
        return self.MAY_DEAL * self.may_deal | self.MAY_BEGIN * self.may_begin

    def _check(self) -> None:
        if len(self.packets) > LONGEST_HAND:
            raise ProtocolError(f"{len(self.packets)} packets, a hand has at most {LONGEST_HAND}")
        if self.packets and not 0 < min(self.packets) <= max(self.packets) <= LARGEST_PACKET:
            raise ProtocolError(f"packets {self.packets}, each has 1 to {LARGEST_PACKET} cards")


class DeckShufflerWant(ShufflerWant, frozen=True):
    """A deck shuffler's orders; `ready_light` is its green light: a press would be accepted."""

    READY_LIGHT: ClassVar = 0x04

    ready_light: bool = False

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """See `ShufflerWant.from_bytes`."""
        orders = asdict(ShufflerWant.from_bytes(body))
        return cls(**orders, ready_light=bool(body[0] & cls.READY_LIGHT))

    def words(self) -> str:
        """See `ShufflerWant.words`."""
        return f"{super().words()} green light {_yes(self.ready_light)}"

    def _flags(self) -> int:
        return super()._flags() | self.READY_LIGHT * self.ready_light


class ShufflerState(msgspec.Struct, frozen=True):
    """The present state; the fields are those of `ShufflerSeen` in devices/card_reports.py."""

    LAYOUT: ClassVar = Struct("<BBHBHHBHB")

    preparing: DeckCode = DeckCode.EMPTY
    prepared_back: BackCode = BackCode.NONE
    counted: int | None = None
    playing_back: BackCode = BackCode.NONE
    hand: int = 0
    dealt: int = 0
    packets: int = 0
    unloaded: int | None = None
    waiting: bool = False

    def to_bytes(self) -> bytes:
        """13 bytes. Raises ProtocolError if it cannot be expressed."""
        return pack_body(
            self.LAYOUT, self, self.preparing, self.prepared_back, _encode_count(self.counted),
            self.playing_back, self.hand, self.dealt, self.packets, _encode_count(self.unloaded),
            self.waiting,
        )  # fmt: skip

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a STATE's body. Raises ProtocolError."""
        check_length("a shuffler's STATE", body, cls.LAYOUT.size)
        preparing, prepared, counted, playing, hand, dealt, packets, unloaded, waiting = (
            cls.LAYOUT.unpack_from(body)
        )
        if preparing not in _DECKS:
            raise ProtocolError(f"preparing {preparing} is not a state of a deck: use 0 to 3")
        if prepared not in _BACKS or playing not in _BACKS:
            raise ProtocolError(f"backs {prepared} and {playing}, there are 0 to 2")
        if waiting > 1:
            raise ProtocolError(f"waiting {waiting} is neither 0 nor 1")
        return cls(
            DeckCode(preparing), BackCode(prepared), _decode_count(counted), BackCode(playing),
            hand, dealt, packets, _decode_count(unloaded), bool(waiting),
        )  # fmt: skip

    def words(self) -> str:
        """For people, field by field."""
        return " ".join(f"{name} {value}" for name, value in self.facts().items())

    def facts(self) -> dict[str, str]:
        """The state for people: name and value of each field."""
        return {
            "preparing": format_name(self.preparing),
            "prepared back": format_name(self.prepared_back),
            "counted": _cards(self.counted),
            "playing back": format_name(self.playing_back),
            "hand": str(self.hand),
            "dealt": str(self.dealt),
            "packets": str(self.packets),
            "unloaded": _cards(self.unloaded),
            "packet waits": _yes(self.waiting),
        }


class DeckShufflerState(ShufflerState, frozen=True):
    """A deck shuffler's state; `presses` counts those of its green button, modulo 65536."""

    PRESSES: ClassVar = Struct("<H")

    presses: int = 0

    def to_bytes(self) -> bytes:
        """15 bytes. Raises ProtocolError if it cannot be expressed."""
        return super().to_bytes() + pack_body(self.PRESSES, self, self.presses)

    @classmethod
    def from_bytes(cls, body: bytes) -> Self:
        """The content of a STATE's body. Raises ProtocolError."""
        at = cls.LAYOUT.size
        check_length("a deck shuffler's STATE", body, at + cls.PRESSES.size)
        (presses,) = cls.PRESSES.unpack_from(body, at)
        return cls(**asdict(ShufflerState.from_bytes(body)), presses=presses)

    def facts(self) -> dict[str, str]:
        """See `ShufflerState.facts`."""
        return {**super().facts(), "presses": str(self.presses)}


_DECKS = frozenset(DeckCode)
_BACKS = frozenset(BackCode)


def _encode_count(cards: int | None) -> int:
    if cards == NOT_YET:
        raise ProtocolError(f"{NOT_YET} cards cannot be reported: it means none counted yet")
    return NOT_YET if cards is None else cards


def _decode_count(cards: int) -> int | None:
    return None if cards == NOT_YET else cards


def _cards(cards: int | None) -> str:
    return "not yet" if cards is None else str(cards)


def _yes(so: bool) -> str:
    return "yes" if so else "no"
