"""The clock that several tables share: what a table makes of the centre's row (section 16).

docs/dev/decisions/0012-tournaments.md. Times in ms.
"""

from console.rules.poker import levels
from console.rules.poker.table import poker_of, settings_of, steps_of
from console.rules.poker_acts import (
    BreakDeclared,
    ClockSet,
    ClockShown,
    ClockSwitched,
    Go,
    HandForHand,
    MatchNew,
)
from console.rules.poker_clock import (
    ClockFace,
    ClockRow,
    Steps,
    TournamentClock,
    advance_clock,
    take_hand,
)
from console.rules.poker_state import ClockWish, PokerState, SharedClock
from console.rules.round import faults
from console.rules.round.draft import ActOutcome, Draft
from console.rules.structs import replace
from devices.device import Device
from devices.roles import DeviceLost

DRIFT_MS = 100
"""A clock that is further from the row follows it."""


def begin_sharing(draft: Draft) -> None:
    """A table of a tournament with several shares its clock; any other has its own."""
    poker = poker_of(draft)
    if not settings_of(draft).tournament:
        draft.poker = replace(poker, shared=None)
    elif poker.shared is None:
        draft.poker = replace(poker, shared=SharedClock())


def forget_row(draft: Draft) -> None:
    """After a start the row is taken anew as soon as the centre shows it."""
    poker = poker_of(draft)
    if poker.shared is not None:
        shared = replace(poker.shared, version=0, noted=None)
        draft.poker = replace(poker, shared=shared)


def on_device_lost(draft: Draft, act: DeviceLost) -> None:
    """A device is silent; if it is the centre, the table counts on by itself."""
    faults.on_device_lost(draft, act)
    poker = draft.poker
    if act.device is Device.CLOCK and isinstance(poker, PokerState) and poker.shared is not None:
        shared = replace(poker.shared, away=True, wishes=(), changed=False)
        draft.poker = replace(poker, shared=shared)


def declare(draft: Draft, wish: ClockWish) -> None:
    """What is declared of the clock holds here at once, and is told to all tables."""
    shared = poker_of(draft).shared
    if shared is None or shared.away:
        _apply(draft, wish)
        return
    if isinstance(wish, Go):
        if not poker_of(draft).hand_for_hand or poker_of(draft).go or wish in shared.wishes:
            draft.no_effect()
            return
    else:
        _apply(draft, wish)
    if draft.outcome is ActOutcome.DONE:
        _tell_change(draft, wish)


def _apply(draft: Draft, wish: ClockWish) -> None:
    match wish:
        case ClockSwitched():
            levels.declare_clock(draft, running=wish.running)
        case ClockSet():
            levels.set_clock(draft, wish.level, wish.left_ms)
        case BreakDeclared():
            levels.declare_break(draft, wish.break_ms)
        case MatchNew():
            levels.begin_match(draft)
        case HandForHand():
            levels.declare_hand_for_hand(draft, on=wish.on)
        case Go():
            levels.declare_go(draft)


def _tell_change(draft: Draft, *wishes: ClockWish) -> None:
    poker = poker_of(draft)
    shared = poker.shared
    if shared is not None and not shared.away:
        wishes = (*shared.wishes, *wishes)
        shared = replace(shared, n=shared.n + 1, changed=True, wishes=wishes)
        draft.poker = replace(poker, shared=shared)


def owes_time(poker: PokerState) -> bool:
    """Whether the hand that begins must take what the one before costs.

    Of several tables the first one takes it for all.
    """
    shared = poker.shared
    alone = shared is None or shared.away or not poker.hand_for_hand
    return poker.owes and (alone or (shared is not None and shared.paid < shared.go))


def tell_beginning(draft: Draft, before: PokerState) -> None:
    """A hand has begun: what it changed of the clock is told to all tables."""
    poker = poker_of(draft)
    shared = poker.shared
    if shared is None:
        return
    draft.poker = replace(poker, shared=replace(shared, begun=shared.go))
    held = (before.clock is None or before.clock.held) != (poker.clock is None or poker.clock.held)
    if owes_time(before) or before.owes != poker.owes or held:
        _pay(draft)


def _pay(draft: Draft) -> None:
    poker = poker_of(draft)
    if poker.shared is not None:
        draft.poker = replace(poker, shared=replace(poker.shared, paid=poker.shared.go))
        _tell_change(draft)


def on_clock_shown(draft: Draft, act: ClockShown) -> None:
    """The centre shows the row. After it was silent, the row holds from the next hand."""
    poker = draft.poker
    if not isinstance(poker, PokerState) or poker.shared is None or draft.locked:
        draft.no_effect()
        return
    shared, noted = poker.shared, poker.shared.noted
    if not shared.away or poker.hand is None:
        _follow_row(draft, act.row, act.at)
    elif noted is None or (noted.version, noted.go) != (act.row.version, act.row.go):
        shared = replace(shared, noted=act.row, noted_at=act.at)
        draft.poker = replace(poker, shared=shared)


def return_to_row(draft: Draft) -> None:
    """A hand is over: the row that came during it holds."""
    shared = poker_of(draft).shared
    if shared is not None and shared.away and shared.noted is not None:
        _follow_row(draft, shared.noted, shared.noted_at)


def _follow_row(draft: Draft, row: ClockRow, at: int) -> None:
    poker = poker_of(draft)
    shared = poker.shared or SharedClock()
    waits = shared.changed and row.n != shared.n
    stale = shared.away or row.version != shared.version
    if stale or (not waits and _is_far(draft, row.face, at)):
        _lay_row(draft, row.face, at)
    number = max(shared.n, row.n)
    goes = row.go > shared.go and poker_of(draft).hand_for_hand
    shared = replace(
        shared,
        version=row.version,
        n=number + 1 if waits and row.n > shared.n else number,
        changed=waits,
        wishes=shared.wishes if waits else (),
        go=row.go,
        paid=row.face.paid if stale else shared.paid,
        away=False,
        noted=None,
    )
    poker = poker_of(draft)
    draft.poker = replace(poker, shared=shared, go=poker.go or goes)
    if stale and waits:
        _lay_wishes(draft, shared.wishes)
    _owe_hand(draft)


def _is_far(draft: Draft, face: ClockFace, at: int) -> bool:
    clock, steps = poker_of(draft).clock, steps_of(draft)
    if clock is None:
        return False
    shown = _clock_of(face, steps, at)
    return abs(
        _reckon_all_left(clock, steps, draft.now) - _reckon_all_left(shown, steps, draft.now)
    ) > (DRIFT_MS)


def _reckon_all_left(clock: TournamentClock, steps: Steps, now: int) -> int:
    clock = advance_clock(clock, steps, now)
    later = sum(step.ms for step in steps[clock.step + 1 :])
    return clock.reckon_left(steps, now) + (clock.resumes_ms or 0) + later


def _clock_of(face: ClockFace, steps: Steps, at: int) -> TournamentClock:
    step = min(face.step, len(steps) - 1)
    return TournamentClock(step, face.left_ms, face.running, face.held, at, face.resumes_ms)


def _lay_row(draft: Draft, face: ClockFace, at: int) -> None:
    """The clock is the row's."""
    steps, poker = steps_of(draft), poker_of(draft)
    clock = advance_clock(_clock_of(face, steps, at), steps, draft.now)
    go = poker.go and face.hand_for_hand
    draft.poker = replace(poker, hand_for_hand=face.hand_for_hand, owes=face.owes, go=go)
    levels.announce_step(draft, clock)


def _lay_wishes(draft: Draft, wishes: tuple[ClockWish, ...]) -> None:
    """What was declared here and is not at the centre yet, over the row."""
    outcome = draft.outcome
    for wish in wishes:
        if not isinstance(wish, Go):
            _apply(draft, wish)
    draft.outcome = outcome


def _owe_hand(draft: Draft) -> None:
    """Hand for hand the hand in play costs time; what the one before costs is taken once."""
    poker = poker_of(draft)
    shared, clock = poker.shared, poker.clock
    if shared is None or clock is None or poker.hand is None or not poker.hand_for_hand:
        return
    if not poker.owes:
        draft.poker = replace(poker, owes=True)
        _tell_change(draft)
    elif shared.begun > shared.paid and not shared.changed:
        levels.announce_step(draft, take_hand(clock, steps_of(draft), draft.now))
        _pay(draft)
