"""The round: the effect of each act in each phase, as tables.

docs/reference/rules.md, section 6.
"""

from collections.abc import Callable, Mapping
from typing import Any

from console.rules.acts import (
    KINDS,
    Act,
    Adopted,
    HandVoid,
    Reopened,
    Started,
)
from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkRejoined,
    LinkShown,
    LinkState,
    LinkWelcomed,
    RecallBegan,
    RecallEnded,
)
from console.rules.round import (
    boards,
    buttons,
    decks,
    declarations,
    driving,
    faults,
    key,
    shoe,
    tokens,
)
from console.rules.round.draft import ActOutcome, Draft
from console.rules.round.linked import awards as linked_awards
from console.rules.round.linked import membership, opening, outbox
from console.rules.round.linked import transitions as linked_transitions
from console.rules.round.play import Answer, Buttons, Play, press_by
from console.rules.round.shared import SHARED, do_nothing, record_only, unless_play_locked
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
from devices.device import Device
from devices.roles import (
    COMBINATION_BUTTONS,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    KeyMoved,
    RailSeen,
)

NO_EFFECT = ActOutcome.NO_EFFECT

COIN_IN: Mapping[Phase, Answer] = {
    Phase.PAUSED: Refusal.NOT_OPEN,
    Phase.BETTING: buttons.close_betting,
    Phase.COLLECTING: buttons.retry_stuck,
    Phase.PLAYING: Refusal.NOT_OPEN,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
GAME_OVER: Mapping[Phase, Answer] = {
    Phase.PAUSED: buttons.open_betting,
    Phase.BETTING: Refusal.ALREADY_OPEN,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: buttons.open_or_pause,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}
JPOT: Mapping[Phase, Answer] = {
    Phase.PAUSED: Refusal.NOT_OPEN,
    Phase.BETTING: Refusal.NO_COMBINATION,
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: buttons.begin_award,
    Phase.AWARDING: buttons.add_winner,
}


def _press_combination(
    button: Button, cancel: Callable[[Draft, Button], None]
) -> Mapping[Phase, Answer]:
    """A combination's button; `cancel`: what it does with an award."""
    return {
        Phase.PAUSED: NO_EFFECT,
        Phase.BETTING: NO_EFFECT,
        Phase.COLLECTING: NO_EFFECT,
        Phase.PLAYING: lambda draft: buttons.choose(draft, button),
        Phase.AWARDING: lambda draft: cancel(draft, button),
    }


CONSOLE_BUTTONS: Buttons = {
    Button.COIN_IN: COIN_IN,
    Button.GAME_OVER: GAME_OVER,
    Button.JPOT: JPOT,
    **{one: _press_combination(one, buttons.cancel_award) for one in COMBINATION_BUTTONS},
}

# What differs at a linked table.
LINKED_BUTTONS: Buttons = {
    Button.COIN_IN: {**COIN_IN, Phase.BETTING: opening.ask_opening},
    Button.GAME_OVER: {
        **GAME_OVER,
        Phase.PAUSED: opening.open_from_pause,
        Phase.PLAYING: opening.open_unless_off_link,
    },
    Button.JPOT: {
        **JPOT,
        Phase.PLAYING: linked_awards.claim_award,
        Phase.AWARDING: linked_awards.claim_one_more,
    },
    **{one: _press_combination(one, linked_awards.cancel_claim) for one in COMBINATION_BUTTONS},
}


TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    **dict.fromkeys(KINDS, do_nothing),
    **SHARED,
    Started: faults.on_started,
    Adopted: membership.on_adopted_unlinked,
    ButtonPressed: press_by(CONSOLE_BUTTONS),
    KeyMoved: key.on_key_moved,
    RailSeen: boards.if_believed(Device.RAIL, tokens.on_rail_seen),
    **{act: unless_play_locked(declare) for act, declare in declarations.DECLARED.items()},
    ShufflerSeen: boards.if_believed(Device.SHUFFLER, decks.on_shuffler_seen),
    ShoeSeen: boards.if_believed(Device.SHOE, shoe.on_shoe_seen),
    ShoeLoaded: boards.if_believed(Device.SHOE, shoe.on_shoe_loaded),
    CardDrawn: boards.if_believed(Device.SHOE, shoe.on_card_drawn),
    CardBurnt: boards.if_believed(Device.SHOE, shoe.on_card_burnt),
    CutCardOut: boards.if_believed(Device.SHOE, shoe.on_cut_card_out),
    ResultReported: boards.if_believed(Device.SHOE, shoe.on_result_reported),
    ShoeTrouble: boards.if_believed(Device.SHOE, shoe.on_shoe_trouble),
    ReportsMissed: boards.if_believed(Device.SHOE, shoe.on_reports_missed),
}

LINKED_TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    **TRANSITIONS,
    Started: linked_transitions.on_started,
    Adopted: membership.on_adopted,
    Reopened: linked_transitions.on_reopened,
    ButtonPressed: press_by(LINKED_BUTTONS, opening.refuse_while_asked),
    KeyMoved: linked_transitions.on_key_moved,
    DeviceLost: linked_transitions.on_device_lost,
    DeviceUp: linked_transitions.on_device_up,
    HandVoid: unless_play_locked(linked_transitions.on_hand_void),
    Corrected: unless_play_locked(linked_transitions.refuse_correction),
    LinkAnswered: linked_transitions.on_answered,
    LinkShown: linked_transitions.on_shown,
    LinkWelcomed: linked_transitions.on_welcomed,
    LinkRejoined: membership.on_rejoined,
    LinkBarred: linked_transitions.on_barred,
    RecallBegan: linked_transitions.on_recall_began,
    RecallEnded: record_only,
}


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
    tokens.judge_tray(draft)


def _consequences_linked(draft: Draft) -> None:
    _consequences(draft)
    if not isinstance(draft.link, LinkState):
        return  # it has just begun to play for its own jackpot
    opening.give_up_due_opening(draft)
    outbox.deliver_money(draft)
    opening.close_ended_round(draft)
    membership.leave_when_asked(draft)


def _next_deadline_linked(state: TableState, rules: Rules) -> int | None:
    due = tokens.next_deadline(state, rules)
    link = state.link
    if not isinstance(link, LinkState) or link.opening is None or state.locked:
        return due
    until = link.opening.until
    return until if due is None else min(due, until)


OWN_JACKPOT = Play(TRANSITIONS, _apply_due, _consequences, tokens.next_deadline)
LINKED_JACKPOT = Play(
    LINKED_TRANSITIONS, _apply_due_linked, _consequences_linked, _next_deadline_linked
)


def choose_play(state: TableState) -> Play:
    """How the card games are played: for the table's own jackpot, or for a linked one."""
    return LINKED_JACKPOT if isinstance(state.link, LinkState) else OWN_JACKPOT
