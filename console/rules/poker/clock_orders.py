"""The orders to the centre of a tournament's clock: what it is told, as an output of the state."""

from msgspec import Struct

from console.rules.clock_row import ClockCall, ClockFace
from console.rules.poker_acts import Go
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.state import Rules, TableState
from console.rules.structs import replace

CLOCK_FIELDS = ("poker", "faults")
"""The fields of the state that the orders are computed from."""


class ClockOrders(Struct, frozen=True):
    """What the centre is told. The call's face held at `at` (ms); `ticks`: time passes on it."""

    call: ClockCall
    at: int
    ticks: bool

    def call_at(self, now: int) -> ClockCall:
        """The call, with what the clock has left now."""
        face = self.call.face
        passed = now - self.at if self.ticks else 0
        return replace(self.call, face=replace(face, left_ms=max(0, face.left_ms - passed)))


def clock_orders(state: TableState, rules: Rules) -> ClockOrders | None:
    """The orders; None at a table whose clock is its own, or that is locked."""
    poker, settings = state.poker, rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return None
    shared, clock = poker.shared, poker.clock
    if shared is None or clock is None or state.locked:
        return None
    face = ClockFace(
        *(clock.step, clock.left_ms, clock.running, clock.held),
        *(poker.hand_for_hand, poker.owes, shared.paid, clock.resumes_ms),
    )
    call = ClockCall(
        settings.tournament,
        poker.hand is not None,
        shared.version,
        shared.n if shared.changed else 0,
        face,
        any(isinstance(wish, Go) for wish in shared.wishes),
        poker.hand.players if poker.hand is not None else poker.players,
        *poker.count_entries(),
    )
    return ClockOrders(call, clock.at, clock.ticks(settings.structure))
