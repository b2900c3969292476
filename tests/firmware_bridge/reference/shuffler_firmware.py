"""The shuffler's board: what the machine may do, and the interlock.

docs/reference/shuffler-protocol.md.

The machine reads `orders`, and passes its state to `set_machine_state`. While the host is silent,
or has sent no WANT in its session, `orders` allows nothing. So the machine deals only while betting
is closed, whether or not a host runs.
"""

from collections import deque

from firmware_bridge.board_session.protocol import BoardKind, Hello
from firmware_bridge.board_session.shuffler_messages import (
    DeckShufflerWant,
    ShufflerState,
    ShufflerWant,
)
from tests.firmware_bridge.reference.firmware import BoardFirmware

NOTHING = ShufflerWant()

SESSIONS_KEPT = 64
"""A HELLO of one of the last sessions is an old frame, and must not begin anything."""


class ShufflerFirmware(BoardFirmware[ShufflerWant]):
    """A shuffler's or mixer's board between power-up and power-down."""

    def __init__(
        self,
        kind: BoardKind,
        boot: int,
        state: ShufflerState,
        *,
        serial: str = "",
        firmware: tuple[int, int, int] = (1, 0, 0),
    ) -> None:
        super().__init__(kind, boot, serial=serial, firmware=firmware)
        self.orders = NOTHING
        self._state = state
        self._begun: int | None = None  # the session, until it is over
        self._over: deque[int] = deque(maxlen=SESSIONS_KEPT)

    def set_machine_state(self, state: ShufflerState) -> None:
        """Take the machine's present state."""
        if state != self._state:
            self._state = state
            self.note_change()

    # Messages of the host

    def accepts(self, hello: Hello) -> bool:
        """See `BoardFirmware.accepts`; a HELLO of an ended session is not obeyed."""
        return super().accepts(hello) and hello.session not in self._over

    def read_wanted(self, body: bytes) -> ShufflerWant:
        """See `BoardFirmware.read_wanted`."""
        is_deck = self.kind is BoardKind.DECK_SHUFFLER
        return (DeckShufflerWant if is_deck else ShufflerWant).from_bytes(body)

    def apply(self, wanted: ShufflerWant, _now_ms: int) -> None:
        """See `BoardFirmware.apply`."""
        self.orders = wanted

    def make_safe(self) -> None:
        """See `BoardFirmware.make_safe`: nothing is allowed, the session is over."""
        self._end_session()

    def begin_session(self) -> None:
        """See `BoardFirmware.begin_session`: nothing is allowed until WANT."""
        self._end_session()
        self._begun = self.session

    def report(self) -> bytes:
        """See `BoardFirmware.report`."""
        return self._state.to_bytes()

    def _end_session(self) -> None:
        self.orders = NOTHING
        if self._begun is not None:
            self._over.append(self._begun)
            self._begun = None
