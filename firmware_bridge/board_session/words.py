"""The frames of our boards' protocol in words, for people. Pure.

`STATE 18 boot 0x1f applied 7 occupied 1 3 gates none drops 0 1 0 0 0 0 0 tray 4 dead lamps none`; a
bad frame is `bad: ` and why. No bytes raise an error, and the result is ASCII that is safe for a
terminal.
"""

from collections.abc import Callable, Mapping
from typing import Protocol
from zlib import crc32

from cobs import cobs

from firmware_bridge.board_session.framing import DELIMITER, LONGEST_FRAME
from firmware_bridge.board_session.protocol import (
    BoardKind,
    Hello,
    Identity,
    Image,
    KeyMessage,
    MessageType,
    State,
    Want,
    describe_notices,
)
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.board_session.shoe_messages import ShoeState, ShoeWant
from firmware_bridge.board_session.shuffler_messages import (
    DeckShufflerState,
    DeckShufflerWant,
    ShufflerState,
    ShufflerWant,
)
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.seat_words import format_name, plain_ascii

CHECKSUM_SIZE = 4
SHORTEST = 1 + CHECKSUM_SIZE


class _Description(Protocol):
    def words(self) -> str: ...


_Read = Callable[[bytes], _Description]

_RAIL: tuple[_Read, _Read] = RailWant.from_bytes, RailState.from_bytes
_CARDS: tuple[_Read, _Read] = ShufflerWant.from_bytes, ShufflerState.from_bytes
_BODIES: Mapping[BoardKind, tuple[_Read, _Read]] = {
    BoardKind.SLOT_RAIL: _RAIL,
    BoardKind.SENSOR_RAIL: _RAIL,
    BoardKind.CCTALK_SLOTS: _RAIL,
    BoardKind.SHUFFLER: _CARDS,
    BoardKind.MIXER: _CARDS,
    BoardKind.DECK_SHUFFLER: (DeckShufflerWant.from_bytes, DeckShufflerState.from_bytes),
    BoardKind.COUNTING_SHOE: (ShoeWant.from_bytes, ShoeState.from_bytes),
}
"""The readers of WANT's and STATE's bodies."""


def describe_frame(raw: bytes, kind: BoardKind) -> str:
    """A frame on the line of a board of this kind in words; the 00 around it may be missing."""
    coded = raw.strip(DELIMITER)
    if len(coded) > LONGEST_FRAME:
        return f"bad: longer than {LONGEST_FRAME} bytes without an end"
    try:
        checked = cobs.decode(coded)
    except cobs.DecodeError:
        return "bad: its lengths (COBS) do not fit, bytes are missing or too many"
    if len(checked) < SHORTEST:
        return f"bad: {len(checked)} bytes, a frame has at least {SHORTEST}"
    payload, checksum = checked[:-CHECKSUM_SIZE], checked[-CHECKSUM_SIZE:]
    if crc32(payload).to_bytes(CHECKSUM_SIZE, "little") != checksum:
        return "bad: wrong checksum"
    return describe_message(payload, kind)


def describe_message(payload: bytes, kind: BoardKind) -> str:
    """A good frame's payload, at least one byte, in words."""
    say = _MESSAGES.get(payload[0])
    if say is None:
        return f"bad: unknown type {payload[0]:#04x}"
    try:
        return say(payload, kind)
    except ProtocolError as error:
        return f"bad: {plain_ascii(str(error))}"


def describe_kind(number: int) -> str:
    """A kind of board in words, even one that this version does not know."""
    known = number in BoardKind.__members__.values()
    return format_name(BoardKind(number)) if known else f"kind {number}"


def describe_firmware(identity: Identity) -> str:
    """`1.2.3`."""
    return ".".join(map(str, identity.firmware))


def _hello(payload: bytes, _kind: BoardKind) -> str:
    hello = Hello.from_bytes(payload)
    return f"HELLO version {hello.version} session {hello.session:#x}"


def _identity(payload: bytes, _kind: BoardKind) -> str:
    board = Identity.from_bytes(payload)
    return (
        f"IDENTITY {describe_kind(board.kind)} version {board.version} seats {board.seats} "
        f"boot {board.boot:#x} session {board.session:#x} "
        f"serial {plain_ascii(board.serial) or 'none'} firmware {describe_firmware(board)}"
    )


def _key(payload: bytes, _kind: BoardKind) -> str:
    key = KeyMessage.from_bytes(payload)
    return f"KEY session {key.session:#x} serial {plain_ascii(key.serial) or 'none'} (not shown)"


def _want(payload: bytes, kind: BoardKind) -> str:
    want = Want.from_bytes(payload)
    read, _ = _BODIES[kind]
    return f"WANT {want.number} {read(want.body).words()}"


def _state(payload: bytes, kind: BoardKind) -> str:
    state = State.from_bytes(payload)
    _, read = _BODIES[kind]
    alone = " unattended" if state.unattended else ""
    notices = f" notices {describe_notices(state.notices)}" if state.notices else ""
    head = f"STATE {state.number} boot {state.boot:#x} applied {state.applied}{alone}{notices}"
    return f"{head} {read(state.body).words()}"


def _image(payload: bytes, _kind: BoardKind) -> str:
    return f"IMAGE {Image.from_bytes(payload).digest.hex()}"


_MESSAGES: Mapping[int, Callable[[bytes, BoardKind], str]] = {
    MessageType.HELLO: _hello,
    MessageType.IDENTITY: _identity,
    MessageType.KEY: _key,
    MessageType.WANT: _want,
    MessageType.STATE: _state,
    MessageType.IMAGE: _image,
}
