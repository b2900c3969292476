"""The boards of shufflers and mixer: orders, sessions, interlock.

docs/reference/shuffler-protocol.md.

While the host is silent, or has sent no WANT in its session, nothing is allowed and the exit is
shut. So the machine deals only while betting is closed, whether or not a host runs.
"""

import struct

from firmware_bridge.board.firmware import Firmware
from firmware_bridge.board.interlock import Machine, Orders, exit_is_open, packet_due

HEAD_SIZE = 4
MAY_DEAL = 0x01
MAY_BEGIN = 0x02
READY_LIGHT = 0x04

LONGEST_HAND = 9
"""Packets of a hand."""

SESSIONS_KEPT = 64
"""A HELLO of one of the last sessions is an old frame, and must not begin anything."""


class ShufflerBoard(Firmware):
    """A shuffler's board between power-up and power-down.

    The caller changes `machine`, and calls `note_change` after it.
    """

    KIND = 3

    __slots__ = ("_begun", "_over", "machine", "orders")

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        super().__init__(boot, serial, version)
        self.machine = Machine()
        self.orders = Orders()
        self._begun: int | None = None  # the session, until it is over
        self._over: list[int] = []

    def set_machine(self, machine: Machine) -> None:
        """Take the machine's present state."""
        before = self.report()
        self.machine = machine
        if self.report() != before:
            self.note_change()

    # What the machine may do

    def packet_due(self) -> int:
        """The cards of the packet that belongs at the exit now; 0: none."""
        return packet_due(self.orders, self.machine)

    def exit_is_open(self) -> bool:
        """Whether the shutter is open: the packet at the exit can be taken."""
        return exit_is_open(self.orders, self.machine)

    def ready_light(self) -> bool:
        """Whether a deck shuffler's green light is lit; other machines have none of that kind."""
        return False

    # Messages of the host

    def accepts(self, version: int, session: int) -> bool:
        """See `Firmware.accepts`; a HELLO of an ended session is not obeyed."""
        return super().accepts(version, session) and session not in self._over

    def is_sound(self, body: bytes) -> bool:
        """See `Firmware.is_sound`."""
        if len(body) < HEAD_SIZE:
            return False
        count = body[HEAD_SIZE - 1]
        sizes = body[HEAD_SIZE : HEAD_SIZE + count]
        return count <= LONGEST_HAND and len(sizes) == count and 0 not in sizes

    def obey(self, body: bytes, now_ms: int) -> None:
        """See `Firmware.obey`."""
        del now_ms
        flags, hand, count = struct.unpack_from("<BHB", body)
        packets = body[HEAD_SIZE : HEAD_SIZE + count]
        self.orders = Orders(bool(flags & MAY_DEAL), bool(flags & MAY_BEGIN), hand, packets)

    def make_safe(self) -> None:
        """See `Firmware.make_safe`: nothing is allowed, the session is over."""
        self._end_session()

    def begin_session(self) -> None:
        """See `Firmware.begin_session`: nothing is allowed until WANT."""
        self._end_session()
        self._begun = self._session

    def report(self) -> bytes:
        """See `Firmware.report`."""
        now = self.machine
        deck = struct.pack("<BBHB", now.preparing, now.prepared_back, now.counted, now.playing_back)
        hand = (now.hand, now.dealt, now.packets, now.unloaded, 1 if now.waiting else 0)
        return deck + struct.pack("<HHBHB", *hand)

    def _end_session(self) -> None:
        self.orders = Orders()
        if self._begun is not None:
            self._over.append(self._begun)
            self._over = self._over[-SESSIONS_KEPT:]
            self._begun = None


class MixerBoard(ShufflerBoard):
    """A mixer's board: it shuffles, counts and unloads, and has no exit."""

    KIND = 4

    __slots__ = ()

    def packet_due(self) -> int:
        """See `ShufflerBoard.packet_due`: a mixer deals nothing."""
        return 0

    def exit_is_open(self) -> bool:
        """See `ShufflerBoard.exit_is_open`: a mixer has none."""
        return False


class DeckShufflerBoard(ShufflerBoard):
    """A deck shuffler's board: a shuffler's that tells the presses of its green button.

    See docs/reference/deck-shuffler-protocol.md. The button only counts; what it does, the host
    decides, and also when the green light is lit.
    """

    KIND = 7

    __slots__ = ()

    def ready_light(self) -> bool:
        """See `ShufflerBoard.ready_light`: as the host orders, and dark without a host."""
        return self.orders.ready_light

    def obey(self, body: bytes, now_ms: int) -> None:
        """See `Firmware.obey`."""
        super().obey(body, now_ms)
        self.orders.ready_light = bool(body[0] & READY_LIGHT)

    def report(self) -> bytes:
        """See `Firmware.report`."""
        return super().report() + struct.pack("<H", self.machine.presses)
