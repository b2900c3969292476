"""A poker table under construction: its part of the draft, and its settings."""

from console.rules.poker_clock import Steps, TournamentClock, level_at
from console.rules.poker_settings import HOUSES, HouseRules, PokerSettings
from console.rules.poker_state import PokerState
from console.rules.round.draft import Draft


def settings_of(draft: Draft) -> PokerSettings:
    """The poker table's settings. Raises ValueError at another game's table."""
    if not isinstance(draft.rules.poker, PokerSettings):
        raise ValueError("no poker table")
    return draft.rules.poker


def poker_of(draft: Draft) -> PokerState:
    """What the poker table remembers. Raises ValueError before its settings are in force."""
    if not isinstance(draft.poker, PokerState):
        raise ValueError("no poker table")
    return draft.poker


def house_of(draft: Draft) -> HouseRules:
    """What the house prescribes."""
    return HOUSES[settings_of(draft).house]


def steps_of(draft: Draft) -> Steps:
    """The tournament's structure; empty in cash."""
    return settings_of(draft).structure


def level_of(draft: Draft, clock: TournamentClock | None) -> int:
    """The level that was announced last; 0 in cash."""
    return level_at(steps_of(draft), clock.step) if clock is not None else 0


def is_break(draft: Draft) -> bool:
    """Whether a break was announced, and no level after it."""
    clock = poker_of(draft).clock
    return clock is not None and clock.is_break(steps_of(draft))
