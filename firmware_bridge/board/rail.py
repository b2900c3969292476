"""The coin rails' boards: lamps, sensors, counters, and gates that open once a turn.

A mask has a bit for each seat: bit 0 is seat 1, bit 6 is seat 7.
"""

import struct

from firmware_bridge.board.firmware import Firmware

SEAT_COUNT = 7
WANT_SIZE = 5
LAST_LAMPS = 0x3FFF
LAST_MASK = 0x7F

GATE_OPEN_MS = 2000
"""The longest time that a gate is open, with or without a token."""


class Rail(Firmware):
    """Seven lamps and seven sensors. `lamps` has two bits for each seat, seat 1 lowest.

    0 dark, 1 invite, 2 on, 3 alert: `lamps.lit_lamps` makes levels of them. `gates` is the mask of
    the open ones.
    """

    SEATS = SEAT_COUNT

    __slots__ = ("dead_lamps", "drops", "gates", "lamps", "occupied", "served", "tray")

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        super().__init__(boot, serial, version)
        self.lamps = 0
        self.gates = 0
        self.occupied = 0
        self.drops = [0] * SEAT_COUNT
        self.tray = 0
        self.dead_lamps = 0
        self.served = [0] * SEAT_COUNT  # the last turn for which each seat's gate was opened

    # Sensors

    def sense(self, occupied: int) -> None:
        """Take the mask of the seats whose sensor sees something, debounced."""
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

    # What the host wants

    def is_sound(self, body: bytes) -> bool:
        """See `Firmware.is_sound`."""
        if len(body) < WANT_SIZE:
            return False
        lamps, gates, turn = struct.unpack_from("<HBH", body)
        possible: bool = lamps <= LAST_LAMPS and gates <= LAST_MASK and (turn or not gates)
        return bool(possible)

    def obey(self, body: bytes, now_ms: int) -> None:
        """See `Firmware.obey`."""
        self.lamps, gates, turn = struct.unpack_from("<HBH", body)
        self.order_gates(gates, turn, now_ms)

    def order_gates(self, wanted: int, turn: int, now_ms: int) -> None:
        """Do nothing: this rail has no gates."""

    def make_safe(self) -> None:
        """See `Firmware.make_safe`: dark and closed."""
        self.lamps = 0
        self.gates = 0

    def begin_session(self) -> None:
        """See `Firmware.begin_session`: gates close, lamps stay."""
        self.gates = 0

    def report(self) -> bytes:
        """See `Firmware.report`."""
        seen = struct.pack("<BB", self.occupied, self.gates)
        return seen + struct.pack("<7HHB", *self.drops, self.tray, self.dead_lamps)


class SensorRail(Rail):
    """Sensors and lamps only."""

    KIND = 2

    __slots__ = ()


class CcTalkSlots(Rail):
    """The lamps and sensors of the slots beside ccTalk acceptors."""

    KIND = 6

    __slots__ = ()


class SlotRail(Rail):
    """Gates over a chute: each opens once for a turn, for one token, for 2 s at most."""

    KIND = 1

    __slots__ = ("_close_at",)

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        super().__init__(boot, serial, version)
        self._close_at = [0] * SEAT_COUNT

    def advance(self, now_ms: int) -> bytes:
        """See `Firmware.advance`; an overdue gate closes."""
        for seat in range(SEAT_COUNT):
            if self.gates >> seat & 1 and now_ms >= self._close_at[seat]:
                self.gates &= ~(1 << seat)
                self.note_change()
        return super().advance(now_ms)

    def next_wake(self, now_ms: int) -> int:
        """See `Firmware.next_wake`."""
        wake = super().next_wake(now_ms)
        for seat in range(SEAT_COUNT):
            if self.gates >> seat & 1:
                wake = min(wake, self._close_at[seat])
        return max(wake, now_ms)

    def order_gates(self, wanted: int, turn: int, now_ms: int) -> None:
        """Close what is not wanted; open what is, unless its turn was served before."""
        self.gates &= wanted
        for seat in range(SEAT_COUNT):
            if wanted >> seat & 1 and self.served[seat] != turn:
                self.served[seat] = turn
                self._close_at[seat] = now_ms + GATE_OPEN_MS
                self.gates |= 1 << seat
