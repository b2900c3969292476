"""The clock that the tables of a tournament share, as it stands now.

docs/reference/poker-rules.md, 16.
"""

from typing import Any

from console.configuration.room_file import RoomClock
from console.link.centre.room_reading import RoomClockRow
from console.room.describe import DASHES_AFTER_S
from console.room.room_state import RoomState
from console.rules.poker_clock import (
    Steps,
    TournamentClock,
    advance_clock,
    begin_clock,
    mark_clock,
    name_steps,
)
from console.web.serving.clock_messages import ClockFacts, describe_clock


def describe_shared_clock(state: RoomState, clock: RoomClock, now: float) -> dict[str, Any]:
    """At this time, in seconds of the monotonic clock.

    No time where the row may be old, or is one of another structure. Before a table has brought
    the row: the first level, which stands.
    """
    steps = clock.structure.parse()
    row = _find_row(state, clock.tournament)
    fits = row is None or row.step < len(steps)
    known = fits and state.is_known(now, DASHES_AFTER_S)
    at = begin_clock(steps)
    if row is not None and fits:
        at = _count_on(row, steps, state.read_ago(now))
    facts = ClockFacts(
        at.step,
        at.left_ms if known else None,
        known and at.ticks(steps),
        row is not None and row.hand_for_hand,
        row.players if row is not None else 0,
        at.resumes_ms is not None,
        tables=row.tables if row is not None else 0,
    )
    return describe_clock(name_steps(steps), facts) | {"tournament": clock.tournament}


def _find_row(state: RoomState, tournament: str) -> RoomClockRow | None:
    rows = state.room.clocks if state.room is not None else ()
    return next((row for row in rows if row.tournament == tournament), None)


def _count_on(row: RoomClockRow, steps: Steps, read_ago_ms: int) -> TournamentClock:
    """The clock now, at time 0."""
    at = -(row.age_ms + read_ago_ms)
    clock = TournamentClock(row.step, row.left_ms, row.running, row.held, at, row.resumes_ms)
    return mark_clock(advance_clock(clock, steps, 0), steps, 0)
