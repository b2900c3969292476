"""The round: the effect of each act in each phase, as tables (docs/rules.md, section 6)."""

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
from console.rules.round.draft import ActOutcome, Draft, Transition
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
NO_EFFECT = ActOutcome.NO_EFFECT

# Buttons by phase: a function does it, a code refuses it.
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
COMBINATION: Mapping[Phase, DoneWith | ActOutcome] = {
    Phase.PAUSED: NO_EFFECT,
    Phase.BETTING: NO_EFFECT,
    Phase.COLLECTING: NO_EFFECT,
    Phase.PLAYING: buttons.choose,
    Phase.AWARDING: buttons.cancel_award,
}
CONSOLE_BUTTONS = {Button.COIN_IN: COIN_IN, Button.GAME_OVER: GAME_OVER, Button.JPOT: JPOT}


def _press_or_refuse(draft: Draft, act: ButtonPressed) -> None:
    """Do what the button does in this phase. A locked table and SERVICE refuse every button."""
    if draft.locked:
        draft.refuse(Refusal.LOCKED)
    elif draft.service:
        draft.refuse(Refusal.IN_SERVICE)
    elif (phases := CONSOLE_BUTTONS.get(act.button)) is not None:
        entry = phases[draft.phase]
        if isinstance(entry, Refusal):
            draft.refuse(entry)
        else:
            entry(draft)
    else:
        combination = COMBINATION[draft.phase]
        if isinstance(combination, ActOutcome):
            draft.no_effect()
        else:
            combination(draft, act.button)


def _set_inspector(draft: Draft, act: InspectorSeen) -> None:
    draft.inspector = act.present


def _record_only(_draft: Draft, _act: Any) -> None:
    """Record the act, which has only the consequences that every act has."""


def _unless_locked(declare: Callable[[Draft, Any], None]) -> Callable[[Draft, Any], None]:
    def declare_unless_locked(draft: Draft, act: Any) -> None:
        if draft.locked:
            draft.refuse(Refusal.LOCKED)
        else:
            declare(draft, act)

    return declare_unless_locked


TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    Started: faults.on_started,
    Adopted: faults.on_adopted,
    Reopened: faults.on_reopened,
    Elapsed: _record_only,
    ButtonPressed: _press_or_refuse,
    KeyMoved: key.on_key_moved,
    KeyFound: key.on_key_found,
    KeyUnreadable: key.on_key_unreadable,
    InspectorSeen: _set_inspector,
    RailSeen: tokens.on_rail_seen,
    LinkLost: faults.on_link_lost,
    LinkUp: faults.on_link_up,
    FloodBegan: _record_only,
    FloodOver: _record_only,
    HandVoid: _unless_locked(declarations.on_hand_void),
    RoundVoid: _unless_locked(declarations.on_round_void),
    LastHands: _unless_locked(declarations.on_last_hands),
    TrayCounted: _unless_locked(declarations.on_tray_counted),
    Cleared: faults.on_cleared,
    ShufflerSeen: decks.on_shuffler_seen,
    ShoeSeen: shoe.on_shoe_seen,
    ShoeLoaded: shoe.on_shoe_loaded,
    CardDrawn: shoe.on_card_drawn,
    CardBurnt: shoe.on_card_burnt,
    CutCardOut: shoe.on_cut_card_out,
    ResultReported: shoe.on_result_reported,
    ShoeTrouble: shoe.on_shoe_trouble,
    ReportsMissed: shoe.on_reports_missed,
    DeckReplaced: _unless_locked(decks.on_deck_replaced),
    CoupVoid: _unless_locked(shoe.on_coup_void),
    CoupWithoutStakes: _unless_locked(shoe.on_coup_without_stakes),
    CardAnnulled: _unless_locked(shoe.on_card_annulled),
    ShoeReplaced: _unless_locked(shoe.on_shoe_replaced),
    Corrected: _unless_locked(corrections.on_corrected),
    Entered: _record_only,
    EntryRefused: _record_only,
    Left: _record_only,
    OutputsDriven: driving.on_outputs_driven,
    SettingChanged: _record_only,
    SelfTested: _record_only,
}


WITHOUT_A_PAST = (Started, Reopened)
"""Acts before which nothing was due."""


def advance(state: TableState, act: Act, rules: Rules, now: int) -> Transition:
    """The table after `act` at `now` (ms of the monotonic clock): pure and total.

    Every act in every phase is done, refused with a code, or without effect; none raises an error.
    """
    draft = Draft.of(state, rules, now)
    if type(act) not in WITHOUT_A_PAST:
        tokens.note_stuck_tokens(draft)
        tokens.note_changed_cards(draft)  # what was due before the act counts first
    TRANSITIONS[type(act)](draft, act)
    _consequences(draft)
    return draft.step()


def _consequences(draft: Draft) -> None:
    """What follows by itself from the state and the time."""
    tokens.note_stuck_tokens(draft)
    tokens.note_changed_cards(draft)
    driving.end_due_drive(draft)
    if draft.locked:
        return  # nothing more is accepted or counted
    tokens.end_due_collection(draft)
    tray.judge_tray(draft)


def next_deadline(state: TableState) -> int | None:
    """When `Elapsed` is due next (ms of the monotonic clock); None: not at all."""
    return tokens.next_deadline(state.deadlines, state.phase in tokens.IN_PLAY, state.locked)
