"""The poker table: the effect of each act in each phase, as tables.

docs/reference/poker-rules.md 13.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UnsetType

from console.rules.acts import KINDS, Act, Adopted, Reopened, Started
from console.rules.codes import Phase, Refusal
from console.rules.poker import decks, declarations, hand, levels, pots, shared_clock, time_call
from console.rules.poker.table import poker_of, settings_of
from console.rules.poker_acts import ClockShown
from console.rules.poker_clock import begin_clock
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState, Street
from console.rules.round import driving, faults, key
from console.rules.round.boards import if_believed
from console.rules.round.draft import ActOutcome, Draft
from console.rules.round.play import (
    Answer,
    Buttons,
    Play,
    press_by,
)
from console.rules.round.shared import SHARED, do_nothing, unless_play_locked
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from devices.card_reports import ShufflerSeen
from devices.device import Device
from devices.roles import COMBINATION_BUTTONS, Button, ButtonPressed, DeviceLost, KeyMoved
from firmware_bridge.counter import CYCLE, HALF_CYCLE

NO_EFFECT = ActOutcome.NO_EFFECT


PHASES = (Phase.PAUSED, Phase.BETTING, Phase.PLAYING, Phase.AWARDING)


def _press_fifth(draft: Draft) -> None:
    """TIME in PLAYING; while the deal is awaited, DECK."""
    if hand.hand_of(draft).awaited:
        decks.change_deck(draft)
    else:
        time_call.press_time(draft)


# The five lit buttons from the left: PAUSED, BETTING, PLAYING, AWARDING.
LIT: tuple[tuple[Answer, Answer, Answer, Answer], ...] = (
    (Refusal.NOT_OPEN, hand.press_hand, hand.misdeal, pots.add_chip(0)),
    (NO_EFFECT, hand.change_players(-1), hand.press_street(Street.FLOP), pots.add_chip(1)),
    (NO_EFFECT, hand.change_players(1), hand.press_street(Street.TURN), pots.add_chip(2)),
    (NO_EFFECT, decks.push_dealer, hand.press_street(Street.RIVER), pots.add_chip(3)),
    (NO_EFFECT, decks.change_deck, _press_fifth, pots.add_chip(4)),
)

BUTTONS: Buttons = {
    Button.COIN_IN: {
        Phase.PAUSED: Refusal.NOT_OPEN,
        Phase.BETTING: hand.close_table,
        Phase.PLAYING: Refusal.NOT_OPEN,
        Phase.AWARDING: pots.take_entry_back,
    },
    Button.GAME_OVER: {
        Phase.PAUSED: hand.open_table,
        Phase.BETTING: Refusal.ALREADY_OPEN,
        Phase.PLAYING: hand.press_game_over,
        Phase.AWARDING: pots.take_rake,
    },
    Button.JPOT: {
        Phase.PAUSED: Refusal.NOT_OPEN,
        Phase.BETTING: Refusal.NO_HAND,
        Phase.PLAYING: pots.count_pot,
        Phase.AWARDING: pots.begin_side_pot,
    },
    **{
        button: dict(zip(PHASES, answers, strict=True))
        for button, answers in zip(COMBINATION_BUTTONS, LIT, strict=True)
    },
}


def _on_shuffler_seen(draft: Draft, act: ShufflerSeen) -> None:
    """A report of the deck shuffler; a press of its green button is told by its counter."""
    before = draft.deck.seen
    presses = 0 if before is None else _count_more(before.presses, act.presses)
    late = 0 if before is None else min(presses, _count_more(before.late_presses, act.late_presses))
    if draft.locked:
        draft.no_effect()
        if before is not None and presses:
            seen = replace(before, presses=act.presses, late_presses=act.late_presses)
            draft.deck = replace(draft.deck, seen=seen)
            draft.refuse(Refusal.LOCKED)
        return
    decks.note_report(draft, act)
    if decks.hear_again(draft):
        late = presses
    if late:  # nobody knows for which hand it was
        draft.decide("green-too-late", presses=late)
    if presses > late:
        draft.decide("green-pressed", presses=presses - late)
        decks.press_green(draft)
    elif late:
        draft.no_effect()


def _count_more(before: int | UnsetType, now: int | UnsetType) -> int:
    """The presses of the green button since the last report, also those across a restart.

    None are known of a machine that is seen for the first time; a counter that went back belongs to
    one that has lost its memory. Of several presses all but the first would find no deck ready.
    """
    if not isinstance(before, int) or not isinstance(now, int):
        return 0
    presses = (now - before) % CYCLE
    return presses if presses < HALF_CYCLE else 0


def _on_adopted(draft: Draft, act: Adopted) -> None:
    """The first settings open the table; a clock beyond its structure begins anew."""
    before = draft.settings.poker if draft.settings is not None else None
    faults.on_adopted(draft, act)
    if draft.locked:
        return
    settings = settings_of(draft)
    if not isinstance(draft.poker, PokerState):
        draft.poker = PokerState(players=settings.players)
    poker = poker_of(draft)
    if isinstance(before, PokerSettings) and before.players != settings.players:
        poker = replace(poker, players=settings.players)
    steps = settings.structure
    known = poker.clock is not None and poker.clock.step < len(steps)
    if steps and not known:
        poker = replace(poker, clock=begin_clock(steps))
    draft.poker = poker if steps else replace(poker, clock=None)
    shared_clock.begin_sharing(draft)


def _on_started(draft: Draft, act: Started) -> None:
    """After a power cut all is as it was, but a running time call, and the clock stands."""
    faults.on_started(draft, act)
    if not isinstance(draft.poker, PokerState):
        return
    time_call.end_time_after_power(draft)
    levels.stop_after_power(draft)
    hand.count_dispute_anew(draft)
    shared_clock.forget_row(draft)
    decks.note_silence(draft)
    draft.poker = replace(poker_of(draft), players_until=None, changed_at=_restart(draft))


def _on_reopened(draft: Draft, act: Reopened) -> None:
    """A press at the locked table was refused: its machine is heard anew."""
    faults.on_reopened(draft, act)
    decks.note_silence(draft)


def _restart(draft: Draft) -> int | None:
    """Nobody knows how long the power was away: an old deck change counts from the start."""
    return None if poker_of(draft).changed_at is None else draft.now


def _on_device_lost(draft: Draft, act: DeviceLost) -> None:
    shared_clock.on_device_lost(draft, act)
    if act.device is Device.SHUFFLER:
        decks.note_silence(draft)


def _on_key_moved(draft: Draft, act: KeyMoved) -> None:
    key.turn_key(draft, act, lambda _: None)
    if draft.phase is Phase.PAUSED and isinstance(draft.poker, PokerState):
        hand.close_last_hand(draft)


def _apply_due(draft: Draft) -> None:
    """What was due before the act counts first."""
    if not isinstance(draft.poker, PokerState):
        return
    time_call.apply_due_time(draft)
    levels.apply_due_steps(draft)
    last = draft.poker.last
    if last.disputed_until is not None and draft.now >= last.disputed_until:
        hand.end_dispute(draft)
        draft.decide("dispute-over")
    if draft.poker.players_until is not None and draft.now >= draft.poker.players_until:
        draft.poker = replace(poker_of(draft), players_until=None)


def _consequences(draft: Draft) -> None:
    _apply_due(draft)
    if isinstance(draft.poker, PokerState):
        decks.judge_decks(draft)
    driving.end_due_drive(draft)


def _next_deadline(state: TableState, rules: Rules) -> int | None:
    poker = state.poker
    if not isinstance(poker, PokerState):
        return None
    due = [state.deadlines.drive, poker.players_until, poker.last.disputed_until]
    if poker.time_call is not None and poker.time_call.until:
        due.append(poker.time_call.until + time_call.TIE_MS)
    if isinstance(rules.poker, PokerSettings):
        due.append(levels.next_step_due(poker.clock, rules.poker.structure))
    return min((each for each in due if each is not None), default=None)


TRANSITIONS: Mapping[type[Act], Callable[[Draft, Any], None]] = {
    **dict.fromkeys(KINDS, do_nothing),
    **SHARED,
    Started: _on_started,
    Reopened: _on_reopened,
    Adopted: _on_adopted,
    KeyMoved: _on_key_moved,
    DeviceLost: _on_device_lost,
    ClockShown: shared_clock.on_clock_shown,
    ButtonPressed: press_by(BUTTONS),
    ShufflerSeen: if_believed(Device.SHUFFLER, _on_shuffler_seen),
    **{act: unless_play_locked(declare) for act, declare in declarations.DECLARED.items()},
}

POKER = Play(TRANSITIONS, _apply_due, _consequences, _next_deadline)


def choose_poker(_state: TableState) -> Play:
    """Poker is played in one way."""
    return POKER
