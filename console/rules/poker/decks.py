"""Decks, dealers and the deck shuffler (docs/poker-rules.md, sections 14 and 17)."""

from console.rules.codes import Phase, Refusal
from console.rules.poker.clock import MINUTE_MS
from console.rules.poker.hand import begin_hand, deal_hand, end_hand, refuse_beginning
from console.rules.poker.settings import CARDS
from console.rules.poker.table import house_of, poker_of, steps_of
from console.rules.round.draft import Draft
from console.rules.structs import replace
from devices.card_reports import Back, DeckState

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
    if clock is None or not clock.ticks(steps) or steps[clock.step].blinds is None:
        return False
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


def press_green(draft: Draft) -> None:
    """The shuffler's green button, in BETTING and PLAYING."""
    poker = poker_of(draft)
    awaited = poker.hand is not None and poker.hand.awaited
    refusal = None if awaited else refuse_beginning(draft)
    again = poker.hand is not None and awaited and poker.hand.deal > 0
    back = _find_deck(draft, same=again)
    if refusal is None and back is None:
        refusal = Refusal.NO_DECK
    if refusal is not None:
        draft.refuse(refusal)
        return
    if awaited:
        deal_hand(draft, back)
    else:
        if draft.phase is Phase.PLAYING:
            end_hand(draft)
        begin_hand(draft, back)
    draft.poker = replace(poker_of(draft), last_back=back)


def _find_deck(draft: Draft, *, same: bool) -> Back | None:
    """The back of a deck that may come out: counted, whole, and the other one or the `same`."""
    seen = draft.deck.seen
    if seen is None or seen.preparing is not DeckState.READY or seen.counted != CARDS:
        return None
    repeated = seen.prepared_back is poker_of(draft).last_back
    return None if repeated and not same else seen.prepared_back
