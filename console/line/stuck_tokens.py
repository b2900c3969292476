"""Remembers at which seats tokens have stuck in the last rounds.

The fault TOKEN_STUCK clears at the next COIN IN (docs/reference/rules.md 7.3). The technician who
repairs the gate comes later and needs the count.
"""

from collections import Counter, deque
from collections.abc import Mapping

from msgspec import Struct

from console.rules.acts import Act
from console.rules.round import Transition
from console.service.table_service import TableService

ROUNDS = 10
MINUTES_MS = 30 * 60_000
"""A stuck token is remembered for `ROUNDS` rounds or `MINUTES_MS`, whichever is longer."""

MOST = 200
"""Most stuck tokens remembered; older ones are forgotten."""


class _Stuck(Struct, frozen=True):
    seat: int
    round: int
    at_ms: int


class StuckTokens:
    """Follows one service from its start on. A token dropped in SERVICE clears its seat."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._stuck: deque[_Stuck] = deque(maxlen=MOST)
        service.watchers.append(self._on_act)

    def count_by_seat(self) -> Mapping[int, int]:
        """Return how often a token stuck at each seat; at least 1 where one is stuck now."""
        now, last = self._service.clock.now(), self._service.state.round
        counted = Counter(
            one.seat
            for one in self._stuck
            if one.round > last - ROUNDS or now - one.at_ms <= MINUTES_MS
        )
        stuck = self._service.state.seats.stuck
        return {**counted, **{seat: max(1, counted[seat]) for seat in stuck}}

    def _on_act(self, _act: Act, step: Transition) -> None:
        for decision in step.decisions:
            seat = decision.facts.get("seat")
            if decision.what == "token-stuck" and isinstance(seat, int):
                self._stuck.append(_Stuck(seat, step.state.round, self._service.clock.now()))
            elif decision.what == "drop-in-service":
                still = [one for one in self._stuck if one.seat != seat]
                self._stuck = deque(still, maxlen=MOST)
