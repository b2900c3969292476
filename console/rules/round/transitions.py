"""The round: the effect of each act in each phase, as tables (docs/rules.md, section 6)."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

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
    LinkAnswered,
    LinkBarred,
    LinkRejoined,
    LinkShown,
    LinkWelcomed,
    OutputsDriven,
    RecallBegan,
    RecallEnded,
    Reopened,
    RoundVoid,
    ShoeReplaced,
    Started,
    TrayCounted,
)
from console.rules.board_marks import BoardEnrolled, BoardsExpected
from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.ledger_acts import Begun, HeadAsked, HeadSigned, WitnessChanged
from console.rules.link_state import LinkState
from console.rules.round import (
    boards,
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
    written,
)
from console.rules.round.draft import ActOutcome, Draft, Transition
from console.rules.round.linked import awards as linked_awards
from console.rules.round.linked import centre, membership, opening, outbox
from console.rules.round.linked import declarations as linked_declarations
from console.rules.round.linked import faults as linked_faults
from console.rules.self_tested import SelfTested
from console.rules.settings import SettingChanged, SettingsFound
from console.rules.state import Rules, TableState
from devices.boards import BoardFound
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
from devices.device import Device
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
    SensorSteady,
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

# What differs at a linked table.
LINKED_BUTTONS = {
    Button.COIN_IN: {**COIN_IN, Phase.BETTING: opening.ask_opening},
    Button.GAME_OVER: {
        **GAME_OVER,
        Phase.PAUSED: opening.open_from_pause,
        Phase.PLAYING: opening.open_or_pause,
    },
    Button.JPOT: {
        **JPOT,
        Phase.PLAYING: linked_awards.claim_award,
        Phase.AWARDING: linked_awards.claim_one_more,
    },
}
LINKED_COMBINATION = {**COMBINATION, Phase.AWARDING: linked_awards.cancel_claim}


def _no_refusal(_draft: Draft) -> Refusal | None:
    return None


def _press_or_refuse(
    console: Mapping[Button, Mapping[Phase, Done | Refusal]],
    combinations: Mapping[Phase, DoneWith | ActOutcome],
    refusal: Callable[[Draft], Refusal | None],
) -> Callable[[Draft, ButtonPressed], None]:
    """What does or refuses a press, by these tables; `refusal`: what refuses every button."""

    def press(draft: Draft, act: ButtonPressed) -> None:
        if draft.locked:
            draft.refuse(Refusal.LOCKED)
        elif draft.service:
            draft.refuse(Refusal.IN_SERVICE)
        elif (code := refusal(draft)) is not None:
            draft.refuse(code)
        elif (phases := console.get(act.button)) is not None:
            entry = phases[draft.phase]
            if isinstance(entry, Refusal):
                draft.refuse(entry)
            else:
                entry(draft)
        else:
            combination = combinations[draft.phase]
            if isinstance(combination, ActOutcome):
                draft.no_effect()
            else:
                combination(draft, act.button)

    return press


def _set_inspector(draft: Draft, act: InspectorSeen) -> None:
    draft.inspector = act.present


def _do_nothing(draft: Draft, _act: Any) -> None:
    draft.no_effect()


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
    Begun: _record_only,
    Started: faults.on_started,
    HeadSigned: _record_only,
    HeadAsked: _record_only,
    Adopted: membership.on_adopted_unlinked,
    Reopened: faults.on_reopened,
    Elapsed: _record_only,
    ButtonPressed: _press_or_refuse(CONSOLE_BUTTONS, COMBINATION, _no_refusal),
    KeyMoved: key.on_key_moved,
    KeyFound: key.on_key_found,
    KeyUnreadable: key.on_key_unreadable,
    InspectorSeen: _set_inspector,
    RailSeen: boards.if_believed(Device.RAIL, tokens.on_rail_seen),
    BoardsExpected: boards.on_boards_expected,
    BoardFound: boards.on_board_found,
    BoardEnrolled: boards.on_board_enrolled,
    LinkLost: faults.on_link_lost,
    LinkUp: faults.on_link_up,
    FloodBegan: _record_only,
    FloodOver: _record_only,
    SensorSteady: _record_only,
    HandVoid: _unless_locked(declarations.on_hand_void),
    RoundVoid: _unless_locked(declarations.on_round_void),
    LastHands: _unless_locked(declarations.on_last_hands),
    TrayCounted: _unless_locked(declarations.on_tray_counted),
    Cleared: faults.on_cleared,
    WitnessChanged: faults.on_witness_changed,
    ShufflerSeen: boards.if_believed(Device.SHUFFLER, decks.on_shuffler_seen),
    ShoeSeen: boards.if_believed(Device.SHOE, shoe.on_shoe_seen),
    ShoeLoaded: boards.if_believed(Device.SHOE, shoe.on_shoe_loaded),
    CardDrawn: boards.if_believed(Device.SHOE, shoe.on_card_drawn),
    CardBurnt: boards.if_believed(Device.SHOE, shoe.on_card_burnt),
    CutCardOut: boards.if_believed(Device.SHOE, shoe.on_cut_card_out),
    ResultReported: boards.if_believed(Device.SHOE, shoe.on_result_reported),
    ShoeTrouble: boards.if_believed(Device.SHOE, shoe.on_shoe_trouble),
    ReportsMissed: boards.if_believed(Device.SHOE, shoe.on_reports_missed),
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
    SettingChanged: written.on_setting_changed,
    SettingsFound: written.on_settings_found,
    SelfTested: _record_only,
    LinkAnswered: _do_nothing,
    LinkShown: _do_nothing,
    LinkWelcomed: _do_nothing,
    LinkRejoined: _do_nothing,
    LinkBarred: _do_nothing,
    RecallBegan: _do_nothing,
    RecallEnded: _do_nothing,
}

LINKED_TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    **TRANSITIONS,
    Started: linked_faults.on_started,
    Adopted: membership.on_adopted,
    Reopened: linked_faults.on_reopened,
    ButtonPressed: _press_or_refuse(LINKED_BUTTONS, LINKED_COMBINATION, opening.refuse_while_asked),
    KeyMoved: linked_faults.on_key_moved,
    LinkLost: linked_faults.on_link_lost,
    LinkUp: linked_faults.on_link_up,
    HandVoid: _unless_locked(linked_declarations.on_hand_void),
    Corrected: _unless_locked(linked_declarations.refuse_correction),
    LinkAnswered: centre.on_answered,
    LinkShown: centre.on_shown,
    LinkWelcomed: centre.on_welcomed,
    LinkRejoined: membership.on_rejoined,
    LinkBarred: centre.on_barred,
    RecallBegan: centre.on_recall_began,
    RecallEnded: _record_only,
}


WITHOUT_A_PAST = (Started, Reopened)
"""Acts before which nothing was due."""


def _apply_due(draft: Draft) -> None:
    """What was due before the act counts first."""
    tokens.note_stuck_tokens(draft)
    tokens.note_changed_cards(draft)


def _apply_due_linked(draft: Draft) -> None:
    _apply_due(draft)
    opening.give_up_due_opening(draft)


def _consequences(draft: Draft) -> None:
    """What follows by itself from the state and the time."""
    tokens.note_stuck_tokens(draft)
    tokens.note_changed_cards(draft)
    driving.end_due_drive(draft)
    if draft.locked:
        return  # nothing more is accepted or counted
    tokens.end_due_collection(draft)
    tray.judge_tray(draft)


def _consequences_linked(draft: Draft) -> None:
    _consequences(draft)
    if not isinstance(draft.link, LinkState):
        return  # it has just begun to play for its own jackpot
    opening.give_up_due_opening(draft)
    outbox.deliver_money(draft)
    opening.close_ended_round(draft)
    membership.leave_when_asked(draft)


class Play(Struct, frozen=True):
    """How a table is played: what each act does, what comes before it, and what follows."""

    transitions: Mapping[type[Act], Callable[[Draft, Any], None]]
    apply_due: Callable[[Draft], None]
    consequences: Callable[[Draft], None]


OWN_JACKPOT = Play(TRANSITIONS, _apply_due, _consequences)
LINKED_JACKPOT = Play(LINKED_TRANSITIONS, _apply_due_linked, _consequences_linked)


def advance(state: TableState, act: Act, rules: Rules, now: int) -> Transition:
    """The table after `act` at `now` (ms of the monotonic clock): pure and total.

    Every act in every phase is done, refused with a code, or without effect; none raises an error.
    """
    play = LINKED_JACKPOT if isinstance(state.link, LinkState) else OWN_JACKPOT
    draft = Draft.of(state, rules, now)
    if type(act) not in WITHOUT_A_PAST:
        play.apply_due(draft)
    play.transitions[type(act)](draft, act)
    play.consequences(draft)
    return draft.step()


def next_deadline(state: TableState) -> int | None:
    """When `Elapsed` is due next (ms of the monotonic clock); None: not at all."""
    due = tokens.next_deadline(state.deadlines, state.phase in tokens.IN_PLAY, state.locked)
    link = state.link
    if not isinstance(link, LinkState) or link.opening is None or state.locked:
        return due
    until = link.opening.until
    return until if due is None else min(due, until)
