"""The coin-rail board: gates that open once a turn, counters, lamps.

docs/reference/wire-protocol.md.

It is the reference for builders of such a board. The caller also passes in the sensors, and drives
lamps and gates as read here.
"""

from collections.abc import Sequence

from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.rail_messages import (
    ALL_SEATS,
    SEAT_COUNT,
    RailState,
    RailWant,
)
from tests.firmware_bridge.reference.firmware import BoardFirmware

NOTHING_SERVED = (0,) * SEAT_COUNT

GATE_OPEN_MS = 2000
"""The longest time that a gate is open, with or without a token (docs/reference/rules.md, 2)."""

TRAY_WITHIN_MS = 900
"""The longest time from the drop sensor to the tray's mouth. The host waits a little longer, as a
STATE may come late."""


class RailFirmware(BoardFirmware[RailWant]):
    """A coin-rail board between power-up and power-down.

    A running board has its `drops`, `tray`, `served` and `boot`; a board that boots starts with
    zeros and another boot number. `lamps` has two bits for each seat (`LampOrder`); `gates` is the
    mask of the open gates.
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
        super().__init__(kind, boot, serial=serial, firmware=firmware)
        self.lamps = 0
        self.gates = 0
        self.occupied = 0
        self.drops = list(drops)
        self.tray = tray
        self.dead_lamps = 0
        self.served = list(served)  # the last turn for which each seat's gate was opened
        self._close_at = [0] * SEAT_COUNT

    # Sensors

    def sense(self, occupied: int) -> None:
        """Take the mask of the seats whose sensor sees something, debounced in at most 20 ms."""
        if occupied != self.occupied:
            self.occupied = occupied
            self.note_change()

    def count_drop(self, seat: int) -> None:
        """Count a token at the drop sensor of a seat (1 to 7), and close the seat's gate."""
        self.drops[seat - 1] = (self.drops[seat - 1] + 1) & 0xFFFF
        self.gates &= ~(1 << (seat - 1))
        self.note_change()

    def count_in_tray(self) -> None:
        """Count a token at the tray's mouth."""
        self.tray = (self.tray + 1) & 0xFFFF
        self.note_change()

    def set_dead_lamps(self, dead: int) -> None:
        """Take the mask of the seats whose lamp draws no current although it should."""
        if dead != self.dead_lamps:
            self.dead_lamps = dead
            self.note_change()

    def advance(self, now_ms: int) -> bytes:
        """See `BoardFirmware.advance`; an overdue gate closes."""
        if self.gates:
            self._close_overdue(now_ms)
        return super().advance(now_ms)

    def next_wake(self, now_ms: int) -> int:
        """See `BoardFirmware.next_wake`."""
        wake = super().next_wake(now_ms)
        if self.gates:
            wake = min(wake, *(self._close_at[seat] for seat in self._open_seats()))
        return max(wake, now_ms)

    # What the host wants

    def read_wanted(self, body: bytes) -> RailWant:
        """See `BoardFirmware.read_wanted`."""
        return RailWant.from_bytes(body)

    def apply(self, wanted: RailWant, now_ms: int) -> None:
        """See `BoardFirmware.apply`."""
        self.lamps = wanted.lamps
        if self.kind == BoardKind.SLOT_RAIL:
            self._order_gates(wanted.gates, wanted.turn, now_ms)

    def make_safe(self) -> None:
        """See `BoardFirmware.make_safe`: dark and closed."""
        self.lamps = 0
        self.gates = 0

    def begin_session(self) -> None:
        """See `BoardFirmware.begin_session`: gates close, lamps stay."""
        self.gates = 0

    def report(self) -> bytes:
        """See `BoardFirmware.report`."""
        return RailState(
            self.occupied, self.gates, tuple(self.drops), self.tray, self.dead_lamps
        ).to_bytes()

    # Gates

    def _order_gates(self, wanted: int, turn: int, now_ms: int) -> None:
        self.gates &= wanted
        for seat in range(SEAT_COUNT):
            if wanted >> seat & 1 and self.served[seat] != turn:
                self.served[seat] = turn
                self._close_at[seat] = now_ms + GATE_OPEN_MS
                self.gates |= 1 << seat

    def _open_seats(self) -> list[int]:
        return [seat for seat in range(SEAT_COUNT) if self.gates >> seat & 1]

    def _close_overdue(self, now_ms: int) -> None:
        for seat in self._open_seats():
            if now_ms >= self._close_at[seat]:
                self.gates &= ALL_SEATS ^ 1 << seat
                self.note_change()
