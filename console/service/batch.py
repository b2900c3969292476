"""Acts applied one after another and committed together."""

from msgspec import Struct

from console.rules import records
from console.rules.acts import Act
from console.rules.game_modules import advance
from console.rules.round import Transition
from console.rules.state import Rules, TableState
from jackpot.ledger.journal import Entry

Acts = list[tuple[Act, int]]
"""Each act with the time it arrived, in monotonic milliseconds."""


class ActBatch(Struct, frozen=True):
    """The steps of some acts, the entries to be committed, and the state after them.

    `newly_shown`: the state has a reading of the linked jackpot that came after the last entry.
    """

    steps: list[tuple[Act, Transition]]
    entries: list[Entry]
    state: TableState
    newly_shown: bool


def advance_acts(
    state: TableState, acts: Acts, rules: Rules, wall: str, *, newly_shown: bool = False
) -> ActBatch:
    """What these acts make of this state; `wall` is the label of their records.

    `newly_shown`: this state's reading came after the last record.
    """
    steps: list[tuple[Act, Transition]] = []
    entries: list[Entry] = []
    for act, at in acts:
        step = advance(state, act, rules, at)
        if records.is_worth_recording(act, state, step):
            version = step.state.settings.version if step.state.settings else 0
            entry = records.entry_of(act, state, step, at, wall, version, newly_shown=newly_shown)
            entries.append(entry)
            newly_shown = False
        else:
            newly_shown = newly_shown or step.state != state
        steps.append((act, step))
        state = step.state
    return ActBatch(steps, entries, state, newly_shown)
