"""Finds gates that stay closed because their board has served the turn before. Pure.

A board opens a gate once for each turn, and remembers the turn until it boots. The ledger counts
turns from 1. So a new ledger, or one restored from an older copy, can reach turns that a board
without a power cut has served already. The board does not report this, but its gates stay closed.
"""

from collections.abc import Sequence

from devices.roles import SEATS, RailOrders

JUDGED_WITHIN_S = 1.0
"""A gate opened by an order no older than this cannot have closed by itself, which takes 2 s."""

NO_SEATS: frozenset[int] = frozenset()


class GateTurns:
    """Follows the gates of one board, from when it is found until it boots."""

    def __init__(self) -> None:
        self._turn = 0
        self._ordered_at = 0.0
        self._drops: Sequence[int] = ()  # when the turn was ordered
        self._judged = True
        self._closed = NO_SEATS  # seats whose gate did not open in this turn
        self._opened = NO_SEATS  # seats whose gate has opened in a turn of this ledger

    def begin_connection(self) -> None:
        """A new connection: the board closes its gates, which says nothing about the turn."""
        self._judged = True

    def order(self, orders: RailOrders, drops: Sequence[int], now: float) -> None:
        """Note that these gates are ordered; `drops` are the board's last counts."""
        if orders.gates and orders.turn != self._turn:
            self._turn, self._ordered_at, self._drops = orders.turn, now, drops
            self._judged, self._closed = False, NO_SEATS

    def on_obeyed(
        self, orders: RailOrders, open_gates: frozenset[int], drops: Sequence[int], now: float
    ) -> None:
        """Note that the board has applied the last order, and which gates are open."""
        if self._judged:
            return
        self._judged = True
        if now - self._ordered_at < JUDGED_WITHIN_S:
            counted = zip(SEATS, self._drops, drops, strict=True)
            fallen = frozenset(seat for seat, before, after in counted if before != after)
            self._closed = orders.gates - open_gates - fallen - self._opened
            self._opened |= orders.gates - self._closed

    def find_served_turn(self, orders: RailOrders, open_gates: frozenset[int]) -> int:
        """The ordered turn if gates stay closed because it was served before; otherwise 0.

        Also 0 while another gate of the turn is open, because that gate would open again in the
        next turn.
        """
        waits = self._closed & orders.gates and not open_gates & orders.gates
        return self._turn if waits else 0
