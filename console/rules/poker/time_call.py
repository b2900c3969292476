"""The call of time (docs/reference/poker-rules.md, section 15)."""

from console.rules.poker.table import poker_of, settings_of
from console.rules.poker_settings import SECOND, TimeAllowed
from console.rules.poker_state import TimeCall
from console.rules.round.draft import Draft
from console.rules.structs import replace

TIE_MS = 20
"""An edge at the last instant still counts: that the time is up is told so late."""


def press_time(draft: Draft) -> None:
    """TIME in a dealt hand: a player is called; again: the player has acted."""
    poker = poker_of(draft)
    if poker.time_call is not None:
        end_time_call(draft)
        return
    allowed = settings_of(draft).time_allowed
    if poker.seconds is not None:
        allowed = TimeAllowed(poker.seconds)
    call = TimeCall(draft.now + allowed.total_ms, allowed.countdown * SECOND)
    draft.poker = replace(poker, time_call=call)
    draft.decide("time-called", seconds=allowed.seconds, countdown=allowed.countdown)


def end_time_call(draft: Draft) -> None:
    """The player has acted, or nobody is called any more."""
    poker = poker_of(draft)
    if poker.time_call is not None:
        draft.poker = replace(poker, time_call=None)


def apply_due_time(draft: Draft) -> None:
    """The time is up."""
    poker = poker_of(draft)
    call = poker.time_call
    if call is not None and call.until and draft.now >= call.until + TIE_MS:
        draft.poker = replace(poker, time_call=replace(call, until=0))
        draft.decide("time-expired")


def end_time_after_power(draft: Draft) -> None:
    """A running call is over after a power cut; an expired one is not."""
    call = poker_of(draft).time_call
    if call is not None and call.until:
        end_time_call(draft)
