"""ccTalk as bytes: frames, and the events that a coin acceptor keeps (docs/reference/cctalk.md).

Nothing here waits or sends; the time is passed in.
"""

from enum import IntEnum
from typing import ClassVar, Self

from msgspec import Struct

from firmware_bridge.protocol_error import ProtocolError

HOST = 1
"""The host's address."""

GAP_MS = 50
"""After a longer pause within a frame the received part is discarded."""

HEAD = 4  # destination, length, source, header
OVERHEAD = HEAD + 1  # and the checksum

BUFFERED = 5
"""The number of events that an acceptor keeps."""

COUNTER_CYCLE = 255
"""The counter runs from 1 to 255 and then from 1 again; it is 0 only after a reset or power-up."""

COINS = 16
"""Coins are numbered from 1; the inhibit mask has a bit for each."""


class CcTalkHeader(IntEnum):
    """A frame's command, or its answer (ACK, NAK, BUSY)."""

    ACK = 0
    RESET = 1
    NAK = 5
    BUSY = 6
    REQUEST_MASTER_INHIBIT = 227
    MODIFY_MASTER_INHIBIT = 228  # bit 0: 1 accepts
    READ_CREDIT = 229
    REQUEST_INHIBIT = 230
    MODIFY_INHIBIT = 231  # two bytes, coin 1 in the lowest bit, a 1 accepts
    SELF_CHECK = 232
    READ_OPTO = 236
    SERIAL_NUMBER = 242
    PRODUCT_CODE = 244
    MANUFACTURER = 246
    SIMPLE_POLL = 254


EVENT_NAMES = {
    14: "sensor blocked",
    17: "coin the wrong way",
    20: "coin on a string",
    40: "outside light",
}
FIRST_INHIBITED = 128
"""Event 128: coin 1 was refused because it is inhibited; 143: coin 16."""


class Frame(Struct, frozen=True):
    """One frame: destination, source, header, and up to 252 bytes of data."""

    LONGEST: ClassVar = 252

    destination: int
    source: int
    header: int
    data: bytes = b""

    def to_bytes(self) -> bytes:
        """DEST LEN SRC HEADER DATA CHECKSUM. Raises ProtocolError if it cannot be expressed."""
        if len(self.data) > self.LONGEST:
            raise ProtocolError(f"{len(self.data)} bytes of data, a frame carries {self.LONGEST}")
        try:
            head = bytes((self.destination, len(self.data), self.source, self.header))
        except ValueError as error:
            raise ProtocolError(f"{self} has a number that is no byte") from error
        body = head + self.data
        return body + bytes((-sum(body) & 0xFF,))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The frame of exactly these bytes. Raises ProtocolError if they are not one."""
        if len(data) < OVERHEAD or len(data) != OVERHEAD + data[1]:
            raise ProtocolError(f"{len(data)} bytes are not as long as a frame says")
        if sum(data) & 0xFF:
            raise ProtocolError(f"the bytes sum to {sum(data) & 0xFF} and not to 0 modulo 256")
        return cls(data[0], data[2], data[3], data[HEAD:-1])


class FrameParser:
    """Finds the frames in a stream of pieces of any size.

    Only a pause shows where a frame begins: after an invalid frame the parser waits for one.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._deaf = False
        self._heard_ms = 0

    @property
    def idle(self) -> bool:
        """Whether it is between two frames."""
        return not self._rest and not self._deaf

    @property
    def waiting(self) -> bool:
        """Whether it has the beginning of a frame."""
        return bool(self._rest)

    def reset(self) -> None:
        """Take the next byte as the beginning of a frame."""
        self._rest = b""
        self._deaf = False

    def feed(self, data: bytes, now_ms: int) -> list[Frame]:
        """The frames that these bytes, received now, complete."""
        if now_ms - self._heard_ms > GAP_MS:
            self.reset()
        self._heard_ms = now_ms
        frames: list[Frame] = []
        heard = self._rest + data if self._rest else data
        at, end = 0, len(heard)
        while not self._deaf and end - at >= OVERHEAD:
            after = at + OVERHEAD + heard[at + 1]
            if after > end:
                break
            try:
                frames.append(Frame.from_bytes(heard[at:after]))
            except ProtocolError:
                self._deaf = True
            at = after
        self._rest = b"" if self._deaf else heard[at:]
        return frames


class CoinEvent(Struct, frozen=True):
    """One pair of the answer to header 229: `coin` accepted to sorter path `code`.

    With `coin` 0 no coin was accepted, and `code` says what happened.
    """

    coin: int
    code: int

    def __str__(self) -> str:
        if self.coin:
            return f"coin {self.coin} by path {self.code}"
        inhibited = self.code - FIRST_INHIBITED
        if 0 <= inhibited < COINS:
            return f"inhibited coin {inhibited + 1}"
        return EVENT_NAMES.get(self.code, f"event {self.code}")


NOTHING = CoinEvent(0, 0)
"""The buffer's content where no event has happened yet."""


class CreditBuffer(Struct, frozen=True):
    """The answer to header 229: the running counter and the last five events, newest first."""

    SIZE: ClassVar = 1 + 2 * BUFFERED

    counter: int
    events: tuple[CoinEvent, ...] = (NOTHING,) * BUFFERED

    def to_bytes(self) -> bytes:
        """11 bytes."""
        pairs = (byte for event in self.events for byte in (event.coin, event.code))
        return bytes((self.counter, *pairs))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The buffer in these bytes. Raises ProtocolError unless they are 11."""
        if len(data) != cls.SIZE:
            raise ProtocolError(f"{len(data)} bytes of credit, an acceptor gives {cls.SIZE}")
        return cls(data[0], tuple(CoinEvent(*data[at : at + 2]) for at in range(1, cls.SIZE, 2)))


class Events(Struct, frozen=True):
    """The new events, oldest first; often none."""

    events: tuple[CoinEvent, ...] = ()


class Overrun(Struct, frozen=True):
    """More events happened than the acceptor keeps; only their number is known."""

    count: int


class Restarted(Struct, frozen=True):
    """The acceptor was reset; unread events before that are lost."""


CreditChange = Events | Overrun | Restarted


def compare_credits(
    last: int, now: CreditBuffer, known: tuple[CoinEvent, ...] = ()
) -> CreditChange:
    """The changes since the counter was `last`.

    `known` are the events that were in the buffer then. If the acceptor continued to count, it
    moved them down unchanged. If they are not there, it was reset and has counted since. Without
    known events, only an empty place among the new ones shows a reset.
    """
    count = _count_events(last, now.counter)
    if count is None:
        return Restarted()
    if count > BUFFERED:
        return Overrun(count)
    fresh = now.events[:count]
    if known and now.counter:
        if now.events[count:] != known[: BUFFERED - count]:
            return Restarted()
    elif NOTHING in fresh:
        return Restarted()
    return Events(fresh[::-1])


def _count_events(last: int, counter: int) -> int | None:
    """How far the counter has advanced; None: it was reset."""
    if counter == 0:
        return 0 if last == 0 else None
    if last == 0:
        return counter
    return (counter - last) % COUNTER_CYCLE
