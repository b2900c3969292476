"""The board's side of the wire protocol: no clock, no pins, no line (docs/wire-protocol.md).

It is the reference for whoever builds a board. What surrounds it hands in bytes, sensors and the
time in milliseconds, sends what `advance` returns, and drives lamps and gates as it reads them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware_bridge.board_protocol import (
    ALL_SEATS,
    BOARD_REPEAT_MS,
    BOARD_SPACING_MS,
    GATE_OPEN_MS,
    SEAT_COUNT,
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
from firmware_bridge.framing import DELIMITER, Deframer, encode

NOTHING_SERVED = (0,) * SEAT_COUNT


@dataclass(slots=True)
class Heard:
    """What the board has made of the frames it took, besides acting on them."""

    repeated: int = 0  # the WANT already applied
    stale: int = 0  # a WANT older than that
    unattended: int = 0  # a WANT before HELLO, or after the watchdog
    unknown: int = 0  # a type this version does not know
    malformed: int = 0


class BoardFirmware:
    """A coin-rail board between power-up and power-down.

    `drops`, `tray`, `served` and `boot` are those of a board that has been running; a board that
    boots starts with zeros and another boot number. `lamps` has two bits a seat (`LampOrder`),
    `gates` is the mask of the gates that are open now.
    """

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        *,
        drops: Sequence[int] = (0,) * SEAT_COUNT,
        tray: int = 0,
        served: Sequence[int] = NOTHING_SERVED,
        serial: str = "",
        firmware: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        self.kind = kind
        self.boot = boot
        self.serial = serial
        self.firmware = firmware
        self.lamps = 0
        self.gates = 0
        self.occupied = 0
        self.drops = list(drops)
        self.tray = tray
        self.dead_lamps = 0
        self.served = list(served)  # the last turn for which each seat's gate was opened
        self.attended = False
        self.heard = Heard()
        self._deframer = Deframer()
        self._session: int | None = None
        self._applied = 0
        self._heard_at = 0
        self._close_at = [0] * SEAT_COUNT
        self._identity: bytes | None = None  # to be sent
        self._number = 0
        self._changed = True
        self._sent_at: int | None = None

    # What the world does to the board

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the host, in pieces of any size."""
        for payload in self._deframer.feed(data):
            try:
                self._obey(payload, now_ms)
            except ProtocolError:
                self.heard.malformed += 1

    def sense(self, occupied: int) -> None:
        """The mask of the seats whose sensor sees something; debounced in at most 20 ms."""
        self._changed |= occupied != self.occupied
        self.occupied = occupied

    def dropped(self, seat: int) -> None:
        """A token fell past the drop sensor of this seat (1 to 7): its gate closes behind it."""
        self.drops[seat - 1] = (self.drops[seat - 1] + 1) & 0xFFFF
        self.gates &= ~(1 << (seat - 1))
        self._changed = True

    def tray_passed(self) -> None:
        """A token passed the tray's mouth."""
        self.tray = (self.tray + 1) & 0xFFFF
        self._changed = True

    def lamps_found_dead(self, dead: int) -> None:
        """The mask of the seats whose lamp draws no current when it should."""
        self._changed |= dead != self.dead_lamps
        self.dead_lamps = dead

    def advance(self, now_ms: int) -> bytes:
        """Do what is due by now; the bytes to send at once, often none."""
        if self.attended and now_ms - self._heard_at >= SILENCE_MS:
            self._go_dark()
        if self.gates:
            self._close_overdue(now_ms)
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
        if self.gates:
            wake = min(wake, *(self._close_at[seat] for seat in self._open_seats()))
        return max(wake, now_ms)

    # What the host says

    def _obey(self, payload: bytes, now_ms: int) -> None:
        kind = payload[0]
        if kind == MessageType.WANT:
            self._take_want(Want.from_bytes(payload), now_ms)
        elif kind == MessageType.HELLO:
            self._greet(Hello.from_bytes(payload), now_ms)
        else:
            self.heard.unknown += 1

    def _greet(self, hello: Hello, now_ms: int) -> None:
        identity = Identity(self.kind, self.boot, hello.session, self.serial, self.firmware)
        self._identity = DELIMITER + encode(identity.to_bytes())
        if hello.version != VERSION:
            return
        self._heard_at = now_ms
        self.attended = True
        self._changed = True
        if hello.session != self._session:
            self._session = hello.session
            self._applied = 0
            self.gates = 0

    def _take_want(self, want: Want, now_ms: int) -> None:
        if not self.attended:
            self.heard.unattended += 1
            return
        self._heard_at = now_ms
        if want.number == self._applied:
            self.heard.repeated += 1
        elif self._applied and not is_newer(want.number, self._applied):
            self.heard.stale += 1
        else:
            self._applied = want.number
            self.lamps = want.lamps
            if self.kind == BoardKind.SLOT_RAIL:
                self._order_gates(want.gates, want.turn, now_ms)
            self._changed = True

    def _order_gates(self, wanted: int, turn: int, now_ms: int) -> None:
        self.gates &= wanted
        for seat in range(SEAT_COUNT):
            if wanted >> seat & 1 and self.served[seat] != turn:
                self.served[seat] = turn
                self._close_at[seat] = now_ms + GATE_OPEN_MS
                self.gates |= 1 << seat

    # What the board does by itself

    def _go_dark(self) -> None:
        self.attended = False
        self._applied = 0
        self.lamps = 0
        self.gates = 0
        self._changed = True

    def _open_seats(self) -> list[int]:
        return [seat for seat in range(SEAT_COUNT) if self.gates >> seat & 1]

    def _close_overdue(self, now_ms: int) -> None:
        for seat in self._open_seats():
            if now_ms >= self._close_at[seat]:
                self.gates &= ALL_SEATS ^ 1 << seat
                self._changed = True

    def _state_due(self, now_ms: int) -> int:
        if self._sent_at is None:
            return now_ms
        return self._sent_at + (BOARD_SPACING_MS if self._changed else BOARD_REPEAT_MS)

    def _next_state(self, now_ms: int) -> bytes:
        self._number = (self._number + 1) & 0xFFFF
        self._sent_at = now_ms
        self._changed = False
        state = State(
            number=self._number,
            boot=self.boot,
            applied=self._applied,
            unattended=not self.attended,
            occupied=self.occupied,
            gates=self.gates,
            drops=tuple(self.drops),
            tray=self.tray,
            dead_lamps=self.dead_lamps,
        )
        return encode(state.to_bytes())
