"""Seats whose token has not dropped in the last rounds: a memory longer than the fault.

TOKEN_STUCK is over with the COIN IN that leaves the seat out; whoever mends the gate comes later.
"""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

from console.rules.acts import Act
from console.rules.round import Transition
from console.service.table_service import TableService

ROUNDS = 10
MINUTES_MS = 30 * 60_000
"""A token that stuck is remembered for so many rounds, or for so long if that is longer."""

MOST = 200
"""So many are remembered at once; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class _Stuck:
    seat: int
    round: int
    at_ms: int


class StuckTokens:
    """Follows one service from its start on. A token let fall there in SERVICE ends the memory."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._stuck: deque[_Stuck] = deque(maxlen=MOST)
        service.watchers.append(self._look)

    def times(self) -> Mapping[int, int]:
        """How often at each seat; one whose token is stuck now: at least once."""
        now, last = self._service.clock.now(), self._service.state.round
        counted = Counter(
            one.seat
            for one in self._stuck
            if one.round > last - ROUNDS or now - one.at_ms <= MINUTES_MS
        )
        stuck = self._service.state.seats.stuck
        return {**counted, **{seat: max(1, counted[seat]) for seat in stuck}}

    def _look(self, _act: Act, step: Transition) -> None:
        for decision in step.decisions:
            seat = decision.facts.get("seat")
            if decision.what == "token-stuck" and isinstance(seat, int):
                self._stuck.append(_Stuck(seat, step.state.round, self._service.clock.now()))
            elif decision.what == "drop-in-service":
                still = [one for one in self._stuck if one.seat != seat]
                self._stuck = deque(still, maxlen=MOST)
