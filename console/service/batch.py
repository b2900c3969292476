"""Acts applied one after another and committed together."""

from msgspec import Struct

from console.rules import records
from console.rules.acts import Act
from console.rules.game_modules import advance
from console.rules.round import Transition
from console.rules.state import Rules, TableState
from jackpot.journal import Entry

Acts = list[tuple[Act, int]]
"""Each act with the time it arrived, in monotonic milliseconds."""


class ActBatch(Struct, frozen=True):
    """The steps of some acts, the entries to be committed, and the state after them."""

    steps: list[tuple[Act, Transition]]
    entries: list[Entry]
    state: TableState


def advance_acts(state: TableState, acts: Acts, rules: Rules, wall: str) -> ActBatch:
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
    return ActBatch(steps, entries, state)
