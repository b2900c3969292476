"""The board's side of the wire protocol: no clock, no pins, no line (docs/wire-protocol.md).

This is common to all our boards. The caller passes in bytes and the time in milliseconds, and sends
what `advance` returns.
"""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from msgspec import Struct

from firmware_bridge.board_link.body_reader import BodyReader
from firmware_bridge.board_link.framing import DELIMITER, Deframer, encode
from firmware_bridge.board_link.protocol import (
    BOARD_REPEAT_MS,
    BOARD_SPACING_MS,
    SILENCE_MS,
    VERSION,
    BoardKind,
    Hello,
    Identity,
    MessageType,
    ProtocolError,
    State,
    Want,
    is_newer,
)

Wanted = TypeVar("Wanted")
"""The content of WANT for a kind of board: `RailWant` for a rail."""


class FirmwareCounts(Struct):
    """Counts of frames without effect."""

    repeated: int = 0  # the WANT already applied
    stale: int = 0  # a WANT older than that
    unattended: int = 0  # a WANT before HELLO, or after the watchdog
    unknown: int = 0  # an unknown type
    malformed: int = 0


class BoardFirmware(ABC, Generic[Wanted]):
    """A board between power-up and power-down.

    Each kind of board implements the abstract methods.
    """

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        *,
        serial: str = "",
        firmware: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        self.kind = kind
        self.boot = boot
        self.serial = serial
        self.firmware = firmware
        self.attended = False
        self.heard = FirmwareCounts()
        self._deframer = Deframer()
        self.session: int | None = None
        self._applied = 0
        self._heard_at = 0
        self._identity: bytes | None = None  # to be sent
        self._reader = BodyReader(self.read_wanted)
        self._number = 0
        self._changed = True
        self._sent_at: int | None = None

    # For each kind of board

    @abstractmethod
    def read_wanted(self, body: bytes) -> Wanted:
        """The content of a WANT's body. Raises ProtocolError."""

    @abstractmethod
    def apply(self, wanted: Wanted, now_ms: int) -> None:
        """Do from now on what is wanted."""

    @abstractmethod
    def make_safe(self) -> None:
        """Switch everything off, because the host is silent."""

    @abstractmethod
    def begin_session(self) -> None:
        """Start another connection: end what must not outlive the one before."""

    @abstractmethod
    def report(self) -> bytes:
        """The body of the next STATE."""

    def note_change(self) -> None:
        """Note that the result of `report` has changed, so that STATE is due at once."""
        self._changed = True

    def accepts(self, hello: Hello) -> bool:
        """Whether this HELLO is obeyed; it is answered in any case."""
        return hello.version == VERSION

    # Input and time

    def receive(self, data: bytes, now_ms: int) -> None:
        """Take bytes from the host, in pieces of any size."""
        for payload in self._deframer.feed(data):
            try:
                self._obey(payload, now_ms)
            except ProtocolError:
                self.heard.malformed += 1

    def advance(self, now_ms: int) -> bytes:
        """Do what is due by now; returns the bytes to send at once, often none."""
        if self.attended and now_ms - self._heard_at >= SILENCE_MS:
            self.attended = False
            self._applied = 0
            self._changed = True
            self.make_safe()
        out = b""
        if self._identity is not None:
            out, self._identity = self._identity, None
        if now_ms >= self._state_due(now_ms):
            out += self._next_state(now_ms)
        return out

    def next_wake(self, now_ms: int) -> int:
        """When `advance` is due next, if nothing happens before."""
        if self._identity is not None:
            return now_ms
        wake = self._state_due(now_ms)
        if self.attended:
            wake = min(wake, self._heard_at + SILENCE_MS)
        return max(wake, now_ms)

    # Messages of the host

    def _obey(self, payload: bytes, now_ms: int) -> None:
        kind = payload[0]
        if kind == MessageType.WANT:
            want = Want.from_bytes(payload)
            self._take_want(want.number, self._reader.read(want.body), now_ms)
        elif kind == MessageType.HELLO:
            self._greet(Hello.from_bytes(payload), now_ms)
        else:
            self.heard.unknown += 1

    def _greet(self, hello: Hello, now_ms: int) -> None:
        identity = Identity(
            self.kind, self.boot, hello.session, self.serial, self.firmware, seats=self.kind.seats
        )
        self._identity = DELIMITER + encode(identity.to_bytes())
        if not self.accepts(hello):
            return
        self._heard_at = now_ms
        self.attended = True
        self._changed = True
        if hello.session != self.session:
            self.session = hello.session
            self._applied = 0
            self.begin_session()

    def _take_want(self, number: int, wanted: Wanted, now_ms: int) -> None:
        if not self.attended:
            self.heard.unattended += 1
            return
        self._heard_at = now_ms
        if number == self._applied:
            self.heard.repeated += 1
        elif self._applied and not is_newer(number, self._applied):
            self.heard.stale += 1
        else:
            self._applied = number
            self._changed = True
            self.apply(wanted, now_ms)

    # Messages of the board

    def _state_due(self, now_ms: int) -> int:
        if self._sent_at is None:
            return now_ms
        return self._sent_at + (BOARD_SPACING_MS if self._changed else BOARD_REPEAT_MS)

    def _next_state(self, now_ms: int) -> bytes:
        self._number = (self._number + 1) & 0xFFFF
        self._sent_at = now_ms
        self._changed = False
        state = State(self._number, self.boot, self._applied, not self.attended, self.report())
        return encode(state.to_bytes())
