"""The round: what each act does in each phase, readable as a table (docs/rules.md, section 6)."""

from collections.abc import Callable, Mapping
from typing import Any

from console.rules.acts import (
    Act,
    Adopted,
    CardAnnulled,
    Cleared,
    CoupVoid,
    CoupWithoutStakes,
    DeckReplaced,
    Elapsed,
    Entered,
    EntryRefused,
    HandVoid,
    LastHands,
    Left,
    OutputsDriven,
    Reopened,
    RoundVoid,
    SelfTested,
    SettingChanged,
    ShoeReplaced,
    Started,
    TrayCounted,
)
from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.round import (
    buttons,
    corrections,
    decks,
    declarations,
    driving,
    faults,
    key,
    shoe,
    tokens,
    tray,
)
from console.rules.round.draft import Draft, Outcome, Step
from console.rules.state import Rules, TableState
from devices.card_reports import (
    CardBurnt,
    CardDrawn,
    CutCardOut,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeSeen,
    ShoeTrouble,
    ShufflerSeen,
)
from devices.roles import (
    Button,
    ButtonPressed,
    FloodBegan,
    FloodOver,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyUnreadable,
    LinkLost,
    LinkUp,
    RailSeen,
)

Done = Callable[[Draft], None]
DoneWith = Callable[[Draft, Button], None]
NO_EFFECT = Outcome.NO_EFFECT

# What a button does, phase by phase: a function does it, a code refuses it.
COIN_IN: Mapping[Phase, Done | Refusal] = {
    Phase.PAUSED: Refusal.NOT_OPEN,
    Phase.BETTING: buttons.close_betting,
    Phase.COLLECTING: buttons.retry_stuck,
    Phase.PLAYING: Refusal.NOT_OPEN,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
GAME_OVER: Mapping[Phase, Done | Refusal] = {
    Phase.PAUSED: buttons.open_betting,
    Phase.BETTING: Refusal.ALREADY_OPEN,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: buttons.open_betting,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
JPOT: Mapping[Phase, Done | Refusal] = {
    Phase.PAUSED: Refusal.NOT_OPEN,
    Phase.BETTING: Refusal.NO_COMBINATION,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: buttons.begin_award,
    Phase.AWARDING: buttons.add_winner,
}
COMBINATION: Mapping[Phase, DoneWith | Outcome] = {
    Phase.PAUSED: NO_EFFECT,
    Phase.BETTING: NO_EFFECT,
    Phase.COLLECTING: NO_EFFECT,
    Phase.PLAYING: buttons.choose,
    Phase.AWARDING: buttons.cancel_award,
}
CONSOLE_BUTTONS = {Button.COIN_IN: COIN_IN, Button.GAME_OVER: GAME_OVER, Button.JPOT: JPOT}


def _button(draft: Draft, act: ButtonPressed) -> None:
    if draft.state.locked:
        draft.refuse(Refusal.LOCKED)
    elif draft.state.service:
        draft.refuse(Refusal.IN_SERVICE)
    elif act.button in CONSOLE_BUTTONS:
        entry = CONSOLE_BUTTONS[act.button][draft.state.phase]
        if isinstance(entry, Refusal):
            draft.refuse(entry)
        else:
            entry(draft)
    else:
        combination = COMBINATION[draft.state.phase]
        if isinstance(combination, Outcome):
            draft.no_effect()
        else:
            combination(draft, act.button)


def _inspector(draft: Draft, act: InspectorSeen) -> None:
    draft.set(inspector=act.present)


def _nothing_of_its_own(_draft: Draft, _act: Elapsed) -> None:
    """Time passing acts through the consequences every act has."""


def _unless_locked(declare: Callable[[Draft, Any], None]) -> Callable[[Draft, Any], None]:
    def declared(draft: Draft, act: Any) -> None:
        if draft.state.locked:
            draft.refuse(Refusal.LOCKED)
        else:
            declare(draft, act)

    return declared


TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    Started: faults.started,
    Adopted: faults.adopted,
    Reopened: faults.reopened,
    Elapsed: _nothing_of_its_own,
    ButtonPressed: _button,
    KeyMoved: key.key_moved,
    KeyFound: key.key_found,
    KeyUnreadable: key.key_unreadable,
    InspectorSeen: _inspector,
    RailSeen: tokens.rail_seen,
    LinkLost: faults.link_lost,
    LinkUp: faults.link_up,
    FloodBegan: faults.noted,
    FloodOver: faults.noted,
    HandVoid: _unless_locked(declarations.hand_void),
    RoundVoid: _unless_locked(declarations.round_void),
    LastHands: _unless_locked(declarations.last_hands),
    TrayCounted: _unless_locked(declarations.tray_counted),
    Cleared: faults.cleared,
    ShufflerSeen: decks.shuffler_seen,
    ShoeSeen: shoe.shoe_seen,
    ShoeLoaded: shoe.shoe_loaded,
    CardDrawn: shoe.card_drawn,
    CardBurnt: shoe.card_burnt,
    CutCardOut: shoe.cut_card_out,
    ResultReported: shoe.result_reported,
    ShoeTrouble: shoe.shoe_trouble,
    ReportsMissed: shoe.reports_missed,
    DeckReplaced: _unless_locked(decks.deck_replaced),
    CoupVoid: _unless_locked(shoe.coup_void),
    CoupWithoutStakes: _unless_locked(shoe.coup_without_stakes),
    CardAnnulled: _unless_locked(shoe.card_annulled),
    ShoeReplaced: _unless_locked(shoe.shoe_replaced),
    Corrected: _unless_locked(corrections.corrected),
    Entered: driving.noted,
    EntryRefused: driving.noted,
    Left: driving.noted,
    OutputsDriven: driving.outputs_driven,
    SettingChanged: driving.noted,
    SelfTested: driving.noted,
}


def advance(state: TableState, act: Act, rules: Rules, now: int) -> Step:
    """The table after `act` at `now` (ms of the monotonic clock): pure, total, and all there is.

    Every act of every phase is done, refused with a code, or without effect; none raises.
    """
    draft = Draft(state, rules, now)
    if not isinstance(act, Started | Reopened):  # they know nothing of the time before them
        tokens.stuck_tokens(draft)
        tokens.changed_cards(draft)  # what fell due before the act holds against it
    TRANSITIONS[type(act)](draft, act)
    _consequences(draft)
    return draft.step()


def _consequences(draft: Draft) -> None:
    """What follows by itself from where things stand and what time it is."""
    tokens.stuck_tokens(draft)
    tokens.changed_cards(draft)
    driving.drive_ended(draft)
    if draft.state.locked:
        return  # nothing more is accepted or counted
    tokens.collection_ended(draft)
    tray.tray_agrees(draft)


def next_deadline(state: TableState) -> int | None:
    """When `Elapsed` must be asked next (ms of the monotonic clock); None: nothing is due."""
    return tokens.next_deadline(state.deadlines, state.phase in tokens.IN_PLAY, state.locked)
