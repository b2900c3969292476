"""The round: a pure function from a state and an act to the next state and its consequences."""

from console.rules.round.draft import ActOutcome, Decision, Transition
from console.rules.round.transitions import advance, next_deadline

__all__ = ["ActOutcome", "Decision", "Transition", "advance", "next_deadline"]
