"""Levels and breaks: announced, declared, hand for hand.

docs/reference/poker-rules.md, section 16.
"""

from console.rules.codes import Refusal
from console.rules.poker.table import house_of, poker_of, steps_of
from console.rules.poker_clock import (
    Steps,
    TournamentClock,
    add_break,
    advance_clock,
    begin_clock,
    hold_clock,
    level_at,
    mark_clock,
    run_clock,
    step_of,
)
from console.rules.round.draft import Draft
from console.rules.structs import replace

NOTED_EVERY_MS = 10_000
"""What a running clock has left is on record so often: after a power cut it is never ahead by more
(section 20)."""


def announce_step(draft: Draft, clock: TournamentClock) -> None:
    """Set the clock; what it has reached is announced."""
    poker, steps = poker_of(draft), steps_of(draft)
    before = poker.clock
    draft.poker = replace(poker, clock=clock)
    if before is None:
        return
    was_break, is_break = before.is_break(steps), clock.is_break(steps)
    if before.step == clock.step and was_break == is_break:
        return
    after = "break" if was_break else "level"
    if is_break:
        draft.decide("break-announced", after=after)
    else:
        draft.decide("level-announced", level=level_at(steps, clock.step), after=after)
    if house_of(draft).change_with_level and _levels_differ(draft, before, clock):
        draft.poker = replace(poker_of(draft), change=True)


def _levels_differ(draft: Draft, before: TournamentClock, after: TournamentClock) -> bool:
    steps = steps_of(draft)
    return level_at(steps, before.step) != level_at(steps, after.step)


def apply_due_steps(draft: Draft) -> None:
    """Announce what the clock has reached by now, and note what it has left."""
    clock, steps = poker_of(draft).clock, steps_of(draft)
    if clock is None:
        return
    reached = advance_clock(clock, steps, draft.now)
    due = next_step_due(reached, steps)
    if due is not None and draft.now >= due:  # the last level's end is noted too
        reached = mark_clock(reached, steps, draft.now)
    if reached is not clock:
        announce_step(draft, reached)


def next_step_due(clock: TournamentClock | None, steps: Steps) -> int | None:
    """When the clock must be looked at next (ms); None: it does not tick, or is over."""
    if clock is None or not clock.ticks(steps) or not clock.left_ms:
        return None
    return clock.at + min(clock.left_ms, NOTED_EVERY_MS)


def stop_after_power(draft: Draft) -> None:
    """After a power cut the clock stands, with what was noted last."""
    clock = poker_of(draft).clock
    if clock is not None:
        draft.poker = replace(poker_of(draft), clock=replace(clock, running=False, at=draft.now))


def declare_clock(draft: Draft, *, running: bool) -> None:
    """`clock start`, `clock stop`: the clock runs, or pauses."""
    clock = poker_of(draft).clock
    if clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    if clock.running is running:
        draft.no_effect()
        return
    draft.poker = replace(
        poker_of(draft), clock=run_clock(clock, steps_of(draft), draft.now, running=running)
    )


def set_clock(draft: Draft, level: int, left_ms: int) -> None:
    """`clock set LEVEL 7m`: it runs or stands as before."""
    clock, step = poker_of(draft).clock, step_of(steps_of(draft), level)
    if clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    if step is None:
        draft.no_effect()
        return
    announce_step(draft, replace(clock, step=step, left_ms=left_ms, at=draft.now, resumes_ms=None))


def declare_break(draft: Draft, ms: int) -> None:
    """`break 10m`: an extra break at once; then what was left goes on."""
    clock = poker_of(draft).clock
    if clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    announce_step(draft, add_break(clock, steps_of(draft), draft.now, ms))


def begin_match(draft: Draft) -> None:
    """`match-new`: the clock starts again from level 1, standing; hand for hand is over."""
    poker, steps = poker_of(draft), steps_of(draft)
    if poker.clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    draft.poker = replace(poker, hand_for_hand=False, go=False, owes=False)
    announce_step(draft, replace(begin_clock(steps), at=draft.now))


def declare_hand_for_hand(draft: Draft, *, on: bool) -> None:
    """`hand-for-hand on`, `off`. After `off` the clock runs from the next beginning on."""
    poker = poker_of(draft)
    clock = poker.clock
    if clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    if poker.hand_for_hand is on:
        draft.no_effect()
        return
    if on:
        clock = hold_clock(clock, steps_of(draft), draft.now, held=True)
    owes = poker.owes or (on and poker.hand is not None)
    draft.poker = replace(poker, clock=clock, hand_for_hand=on, go=False, owes=owes)


def declare_go(draft: Draft) -> None:
    """`go`: one hand may begin."""
    poker = poker_of(draft)
    if poker.clock is None:
        draft.refuse(Refusal.NO_CLOCK)
        return
    if not poker.hand_for_hand or poker.go:
        draft.no_effect()
        return
    draft.poker = replace(poker, go=True)
