"""What a scenario can expect of a poker table, and what the pages draw of it besides.

docs/reference/poker-rules.md, section 21.
"""

from typing import Any

from msgspec import Struct

from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState


class PokerSeen(Struct, frozen=True):
    """A poker table's facts, worded as a scenario expects them.

    Between hands `hand` is the last one; `deal` and `dealt` are 0. `stub` and `dealt` are None
    where they are unknown. `time`: seconds left, `none` or `expired`.
    """

    hand: int
    deal: int
    players: int
    dealt: int | None
    stub: int | None
    deck: str
    change: str
    level: int
    blinds: str
    clock: str
    time: str
    street: str
    pot: str
    rake: str
    taken: str
    dispute: str
    share: str

    def to_json(self) -> dict[str, Any]:
        """The keys of `banco play --json`."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def word(self, name: str) -> str:
        """One fact in the words of `expect`."""
        value = getattr(self, name)
        return "none" if value is None else str(value)


class PokerShown(Struct, frozen=True):
    """Times are of the table's monotonic clock, in ms, so that nothing changes while time passes.

    `step`: of the structure, from 0; `left_ms`: what it had left at `at`; `ticks`: whether it runs;
    `on_break`: it is a break's, `extra`: one that is no step, which has what is left.
    `pots`: what is entered so far, the main pot first, in cents. `time_until`: None: nobody's time
    is called, 0: it is up. `entries`, `chips`: of a tournament that is played at this table alone.
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
    entries: int = 0
    chips: int = 0


def show_poker(poker: PokerState, settings: PokerSettings) -> PokerShown:
    """What is drawn of a table in this state."""
    clock, call = poker.clock, poker.time_call
    entries, chips = poker.count_entries() if poker.shared is None else (0, 0)
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
        entries=entries,
        chips=chips,
    )
