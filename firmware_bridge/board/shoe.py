"""The counting shoe's board: cards out, cut card, loads (docs/reference/shoe-protocol.md)."""

import struct

from firmware_bridge.board.firmware import Firmware

LAST_COUNT = 0xFFFE
NOT_YET = 0xFFFF


class ShoeBoard(Firmware):
    """A counting shoe between power-up and power-down.

    The caller keeps `memory`, `loads`, `cards`, `draws` and `cut_after` without power, and sets
    them again after a boot. `cut_after` is `NOT_YET` while the cut card is in the shoe.
    """

    KIND = 5

    __slots__ = ("cards", "cut_after", "draws", "loads", "memory")

    def __init__(
        self, boot: int, serial: str = "", version: tuple[int, int, int] = (1, 0, 0)
    ) -> None:
        super().__init__(boot, serial, version)
        self.memory = 0
        self.loads = 0
        self.cards = 0
        self.draws = 0
        self.cut_after = NOT_YET

    # Sensors

    def count_load(self, cards: int) -> None:
        """Count a new shoe of these cards, whatever was in it before. Raises ValueError."""
        if not 0 <= cards <= LAST_COUNT:
            raise ValueError(f"{cards} cards cannot be counted: at most {LAST_COUNT}")
        self.loads = (self.loads + 1) & 0xFFFF
        self.cards = cards
        self.draws = 0
        self.cut_after = NOT_YET
        self.note_change()

    def count_draw(self) -> None:
        """Count a card that has left."""
        if self.draws < LAST_COUNT:
            self.draws += 1
            self.note_change()

    def note_cut_card(self) -> None:
        """Note that the cut card has left; only the first time counts."""
        if self.cut_after == NOT_YET:
            self.cut_after = self.draws
            self.note_change()

    # Messages

    def is_sound(self, body: bytes) -> bool:
        """See `Firmware.is_sound`: the host asks nothing of a shoe."""
        del body
        return True

    def obey(self, body: bytes, now_ms: int) -> None:
        """See `Firmware.obey`."""

    def report(self) -> bytes:
        """See `Firmware.report`."""
        kept = (self.memory, self.loads, self.cards, self.draws, self.cut_after)
        return struct.pack("<IHHHH", *kept)
