"""A tournament's clock as the pages are sent it, of a table or of all tables that share it."""

from typing import Any

from msgspec import Struct

from console.web.messages import PagesOpening, TableSnapshot


class ClockFacts(Struct, frozen=True):
    """Where a tournament stands. `step`: of the structure, from 0.

    `left_ms`: of the step, or of an `extra` break in it; None: it is not known. `ticks`: whether
    time passes. `hand`: of a table. `tables`: that share the clock.
    """

    step: int
    left_ms: int | None
    ticks: bool
    hand_for_hand: bool
    players: int
    extra: bool
    hand: int | None = None
    tables: int | None = None


def describe_clock(steps: tuple[str, ...], facts: ClockFacts) -> dict[str, Any]:
    """The tournament on a sign: level, blinds, clock, what comes next.

    `blinds` of the step, "" for a break; `next` of the one after it, None if there is none.
    """
    step = facts.step
    following = step if facts.extra else step + 1
    return {
        "kind": "clock",
        "level": sum(1 for blinds in steps[: step + 1] if blinds),
        "blinds": "" if facts.extra else steps[step],
        "next": steps[following] if following < len(steps) else None,
        "left_ms": facts.left_ms,
        "ticks": facts.ticks,
        "hand_for_hand": facts.hand_for_hand,
        "players": facts.players,
        "hand": facts.hand,
        "tables": facts.tables,
    }


def clock_message(opening: PagesOpening, snapshot: TableSnapshot) -> dict[str, Any]:
    """A table's own. `left_ms`: when the message was made. Raises ValueError without a clock."""
    poker, seen = snapshot.poker, snapshot.seen
    if poker is None or poker.step is None or opening.poker is None:
        raise ValueError("no tournament")
    passed = snapshot.now - poker.at if poker.ticks else 0
    facts = ClockFacts(
        poker.step,
        max(0, poker.left_ms - passed),
        poker.ticks and snapshot.powered,
        poker.hand_for_hand,
        seen["players"],
        poker.extra,
        hand=seen["hand"],
    )
    return describe_clock(opening.poker.steps, facts)
