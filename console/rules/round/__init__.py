"""The round: a pure function from a state and an act to the next state and what happened."""

from console.rules.round.draft import Decision, Outcome, Step
from console.rules.round.transitions import advance, next_deadline

__all__ = ["Decision", "Outcome", "Step", "advance", "next_deadline"]
