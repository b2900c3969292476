"""What the pages draw of a poker table besides what a scenario can expect of it."""

from msgspec import Struct

from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState


class PokerShown(Struct, frozen=True):
    """Times are of the table's monotonic clock, in ms, so that nothing changes while time passes.

    `step`: of the structure, from 0; `left_ms`: what it had left at `at`; `ticks`: whether it runs;
    `on_break`: it is a break's, `extra`: one that is no step, which has what is left.
    `pots`: what is entered so far, the main pot first, in cents. `time_until`: None: nobody's time
    is called, 0: it is up.
    """

    hand_for_hand: bool
    awaited: bool
    pots: tuple[int, ...]
    step: int | None = None
    left_ms: int = 0
    at: int = 0
    ticks: bool = False
    on_break: bool = False
    extra: bool = False
    time_until: int | None = None
    countdown_ms: int = 0


def show_poker(poker: PokerState, settings: PokerSettings) -> PokerShown:
    """What is drawn of a table in this state."""
    clock, call = poker.clock, poker.time_call
    return PokerShown(
        hand_for_hand=poker.hand_for_hand,
        awaited=poker.hand is not None and poker.hand.awaited,
        pots=tuple(sum(chips) for chips in poker.pots),
        step=clock.step if clock is not None else None,
        left_ms=clock.left_ms if clock is not None else 0,
        at=clock.at if clock is not None else 0,
        ticks=clock is not None and clock.ticks(settings.structure),
        on_break=clock is not None and clock.is_break(settings.structure),
        extra=clock is not None and clock.resumes_ms is not None,
        time_until=call.until if call is not None else None,
        countdown_ms=call.countdown_ms if call is not None else 0,
    )
