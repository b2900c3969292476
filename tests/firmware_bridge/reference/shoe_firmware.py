"""The counting shoe's side: cards out, cut card, loads (docs/reference/shoe-protocol.md).

It is the reference for builders of such a shoe. The caller passes in what the sensors see, and
keeps `state` without power.
"""

from msgspec.structs import replace

from firmware_bridge.board_session.protocol import BoardKind
from firmware_bridge.board_session.shoe_messages import ShoeState
from firmware_bridge.protocol_error import ProtocolError
from tests.firmware_bridge.reference.firmware import BoardFirmware

LAST_COUNT = 0xFFFE


class ShoeFirmware(BoardFirmware[None]):
    """A counting shoe between power-up and power-down; `state` is kept without power."""

    def __init__(
        self,
        boot: int,
        state: ShoeState,
        *,
        serial: str = "",
        firmware: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        super().__init__(BoardKind.COUNTING_SHOE, boot, serial=serial, firmware=firmware)
        self.state = state

    # Sensors

    def count_load(self, cards: int) -> None:
        """Count a new shoe of these cards, whatever was in it before. Raises ProtocolError."""
        if not 0 <= cards <= LAST_COUNT:
            raise ProtocolError(f"{cards} cards cannot be counted: at most {LAST_COUNT}")
        loads = (self.state.loads + 1) & 0xFFFF
        self._set_state(ShoeState(self.state.memory, loads, cards))

    def count_draw(self) -> None:
        """Count a card that has left."""
        self._set_state(replace(self.state, draws=min(self.state.draws + 1, LAST_COUNT)))

    def cut_card_out(self) -> None:
        """Note that the cut card has left; only the first time counts."""
        if self.state.cut_after is None:
            self._set_state(replace(self.state, cut_after=self.state.draws))

    def _set_state(self, state: ShoeState) -> None:
        if state != self.state:
            self.state = state
            self.note_change()

    # The host wants nothing

    def read_wanted(self, body: bytes) -> None:
        """See `BoardFirmware.read_wanted`; a later version may want something."""

    def apply(self, wanted: None, now_ms: int) -> None:
        """See `BoardFirmware.apply`."""

    def make_safe(self) -> None:
        """See `BoardFirmware.make_safe`: it counts on."""

    def begin_session(self) -> None:
        """See `BoardFirmware.begin_session`."""

    def report(self) -> bytes:
        """See `BoardFirmware.report`."""
        return self.state.to_bytes()
