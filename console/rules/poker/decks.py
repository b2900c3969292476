"""Decks, dealers and the deck shuffler (docs/reference/poker-rules.md, sections 14 and 17)."""

from console.rules.codes import Fault, Phase, Refusal
from console.rules.poker.hand import begin_hand, deal_hand, end_hand, refuse_beginning
from console.rules.poker.table import house_of, poker_of, settings_of, steps_of
from console.rules.poker_clock import MINUTE_MS
from console.rules.poker_settings import CARDS
from console.rules.poker_state import PokerState
from console.rules.round.decks import is_repeated, next_hand, note_preparing
from console.rules.round.draft import Draft
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from devices.card_reports import Back, DeckState, ShufflerSeen

EARLY_MS = 90 * MINUTE_MS // 60
"""A new dealer in a level's last 90 s is early."""


def push_dealer(draft: Draft) -> None:
    """DEALER in BETTING: a new dealer."""
    house = house_of(draft)
    draft.decide("new-dealer", early=int(_is_early(draft)))
    if house.change_with_dealer and _is_change_old(draft):
        draft.poker = replace(poker_of(draft), change=True)
    if house.dealer_begins and refuse_beginning(draft) is None:
        begin_hand(draft, awaited=True)


def _is_early(draft: Draft) -> bool:
    clock, steps = poker_of(draft).clock, steps_of(draft)
    if clock is None or clock.is_break(steps) or clock.step == len(steps) - 1:
        return False  # the last level has no end
    return clock.reckon_left(steps, draft.now) <= EARLY_MS


def _is_change_old(draft: Draft) -> bool:
    """Whether the last change is so long ago, and so many hands, that one is due."""
    least, poker = house_of(draft).change_after_ms, poker_of(draft)
    if not least:
        return True
    if poker.changed_at is None:
        return False
    hands = draft.round - poker.changed_hand
    return draft.now - poker.changed_at >= least and hands >= poker.players


def change_deck(draft: Draft) -> None:
    """DECK: 52 cards are spread and seen; a change, also where none was due."""
    poker = poker_of(draft)
    draft.decide("deck-changed", due=int(poker.change))
    draft.poker = replace(poker, change=False, changed_at=draft.now, changed_hand=draft.round)


def demand_change(draft: Draft) -> None:
    """A deck change is due."""
    draft.poker = replace(poker_of(draft), change=True)


def note_silence(draft: Draft) -> None:
    """The deck shuffler is not heard from now on."""
    poker = draft.poker
    if isinstance(poker, PokerState) and settings_of(draft).deck_shuffler:
        draft.poker = replace(poker, silent=True)


def hear_again(draft: Draft) -> bool:
    """The deck shuffler is heard; whether it was silent until now."""
    poker = poker_of(draft)
    draft.poker = replace(poker, silent=False)
    return poker.silent


def refuse_green(draft: Draft) -> Refusal | None:
    """Why the shuffler's green button does nothing now, or None.

    It answers both the press and the machine's green light, so that they never differ.
    """
    if draft.play_locked:
        return Refusal.LOCKED
    if draft.service:
        return Refusal.IN_SERVICE
    if draft.phase in CLOSED_TO_GREEN:
        return CLOSED_TO_GREEN[draft.phase]
    refusal = None if _is_awaited(poker_of(draft)) else refuse_beginning(draft)
    return Refusal.NO_DECK if refusal is None and _find_deck(draft) is None else refusal


CLOSED_TO_GREEN = {Phase.PAUSED: Refusal.NOT_OPEN, Phase.AWARDING: Refusal.AWARD_PENDING}


def lights_green(state: TableState, rules: Rules) -> bool:
    """Whether the machine's green light is lit: between hands, or for a deal that is awaited.

    In a hand it is dark, although a press would end it. A press of a machine that is not heard
    comes too late.
    """
    poker = state.poker
    if not isinstance(poker, PokerState) or poker.silent:
        return False
    expected = poker.hand is None or poker.hand.awaited
    return expected and refuse_green(Draft.of(state, rules, now=0)) is None


def press_green(draft: Draft) -> None:
    """The shuffler's green button."""
    refusal, back = refuse_green(draft), _find_deck(draft)
    if refusal is not None:
        draft.refuse(refusal)
        return
    if _is_awaited(poker_of(draft)):
        deal_hand(draft, back)
    else:
        if draft.phase is Phase.PLAYING:
            end_hand(draft)
        begin_hand(draft, back)
    draft.poker = replace(poker_of(draft), asked=back)
    draft.deck = replace(draft.deck, hand=next_hand(draft.deck.hand))


def _is_awaited(poker: PokerState) -> bool:
    """Whether a deal is awaited."""
    return poker.hand is not None and poker.hand.awaited


def _find_deck(draft: Draft) -> Back | None:
    """The back of a deck that may come out: counted, whole, and not the last one's.

    The last one's may come out for the same hand again, or once it was declared replaced. A deck
    that was given out and not taken stands at the exit still.
    """
    seen, poker = draft.deck.seen, poker_of(draft)
    if seen is None or seen.preparing is DeckState.JAMMED or is_giving(poker):
        return None
    if seen.playing_back is not None:
        return seen.playing_back
    if seen.preparing is not DeckState.READY or seen.counted != CARDS:
        return None
    repeated = is_repeated(draft.deck) and not is_dealt_again(poker)
    return None if repeated else seen.prepared_back


def is_giving(poker: PokerState) -> bool:
    """Whether a deck is to come out: the one that GREEN asked for, for the cards now dealt."""
    return poker.asked is not None and poker.hand is not None and poker.hand.back is poker.asked


def is_dealt_again(poker: PokerState) -> bool:
    """Whether the same hand is to be dealt again: a deck of the same back may serve it."""
    hand = poker.hand
    return hand is not None and hand.awaited and hand.deal > 0


def note_report(draft: Draft, act: ShufflerSeen) -> None:
    """Take a report of the deck shuffler: the deck that came out, the one being prepared."""
    before = draft.deck.seen
    draft.deck = replace(draft.deck, seen=act)
    if before is not None:
        note_preparing(draft, before, act)
    back = poker_of(draft).asked
    if back is not None and act.packets and act.hand == draft.deck.hand:
        draft.deck = replace(draft.deck, last_back=back, excused=False)
        poker = poker_of(draft)
        deck_hands = {**poker.deck_hands, back.value: draft.round}
        draft.poker = replace(poker, asked=None, deck_hands=deck_hands)
        draft.decide("deck-given", back=back.value, hand=draft.round)


def judge_decks(draft: Draft) -> None:
    """Update CARD_COUNT and DECK_REPEATED, which last while their deck is in the machine."""
    seen, poker = draft.deck.seen, poker_of(draft)
    if seen is None or draft.locked:
        return
    draft.set_fault(Fault.DECK_REPEATED, is_repeated(draft.deck) and not is_dealt_again(poker))
    wrong = seen.counted is not None and seen.counted != CARDS
    if wrong and Fault.CARD_COUNT not in draft.faults and seen.prepared_back is not None:
        back = seen.prepared_back.value
        last = poker.deck_hands.get(back, "-")
        draft.decide("deck-miscounted", back=back, counted=seen.counted, hand=last)
    draft.set_fault(Fault.CARD_COUNT, wrong)
