"""The round: pure functions from a state and an act to the next state and its consequences."""

from console.rules.round.draft import ActOutcome, Decision, Transition

__all__ = ["ActOutcome", "Decision", "Transition"]
