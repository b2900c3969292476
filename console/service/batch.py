"""Acts that are advanced one after another and committed together."""

from dataclasses import dataclass

from console.rules import records
from console.rules.acts import Act
from console.rules.round import Transition, advance
from console.rules.state import Rules, TableState
from jackpot.journal import Entry

Acts = list[tuple[Act, int]]
"""Acts and when each arrived, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The steps they made, the entries to be committed, and the state they lead to."""

    steps: list[tuple[Act, Transition]]
    entries: list[Entry]
    state: TableState


def advanced(state: TableState, acts: Acts, rules: Rules, wall: str) -> Batch:
    """What these acts make of this state; `wall` is the label of their records."""
    steps: list[tuple[Act, Transition]] = []
    entries: list[Entry] = []
    for act, at in acts:
        step = advance(state, act, rules, at)
        if records.is_worth_recording(act, state, step):
            version = step.state.settings.version if step.state.settings else 0
            entries.append(records.entry_of(act, state, step, at, wall, version))
        steps.append((act, step))
        state = step.state
    return Batch(steps, entries, state)
