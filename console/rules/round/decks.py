"""Decks: used in turn, counted, dealt only while betting is closed.

docs/reference/rules.md, section 8.
"""

from collections.abc import Mapping

from console.rules.acts import DeckReplaced
from console.rules.card_state import DeckMarks
from console.rules.codes import Fault, Phase
from console.rules.round.draft import Draft
from console.rules.state import TableState
from console.rules.structs import replace
from devices.card_reports import Back, DeckState, ShufflerSeen

LAST_HAND = 0xFFFF

BETS_ARE_OPEN = (Phase.BETTING, Phase.SERVICE)
"""Phases in which nothing is dealt."""

DECK_FAULTS = frozenset({Fault.CARD_COUNT, Fault.DECK_REPEATED})
"""Faults of a deck that is not dealt."""

DECK_DECISIONS: Mapping[DeckState, str] = {
    DeckState.EMPTY: "deck-empty",
    DeckState.SHUFFLING: "deck-shuffling",
    DeckState.READY: "deck-ready",
    DeckState.JAMMED: "deck-jammed",
}
"""What is recorded when the deck being prepared comes to a state. No fault: what a jam asks of
people is the finding SHUFFLER_JAMMED."""


def on_shuffler_seen(draft: Draft, act: ShufflerSeen) -> None:
    """Take a report: the dealt cards, the deck in play, the counted cards."""
    if draft.locked:
        draft.no_effect()
        return
    before = draft.deck.seen
    draft.deck = replace(draft.deck, seen=act)
    _note_progress(draft, before, act)
    back = _back_used(draft, before, act)
    if back is not None:
        draft.deck = replace(draft.deck, last_back=back, excused=False)
    judge_decks(draft)


def _note_progress(draft: Draft, before: ShufflerSeen | None, act: ShufflerSeen) -> None:
    if before is None:
        return
    if act.packets != before.packets and act.packets:
        draft.decide("packet-dealt", packet=act.packets, dealt=act.dealt)
    if act.unloaded is not None and before.unloaded is None:
        draft.decide("deck-unloaded", dealt=act.dealt, unloaded=act.unloaded)
    note_preparing(draft, before, act)


def note_preparing(draft: Draft, before: ShufflerSeen, act: ShufflerSeen) -> None:
    """Note what has become of the deck being prepared."""
    if act.preparing is not before.preparing:
        back = act.prepared_back.value if act.prepared_back else None
        draft.decide(DECK_DECISIONS[act.preparing], back=back, counted=act.counted)


def _back_used(draft: Draft, before: ShufflerSeen | None, act: ShufflerSeen) -> Back | None:
    """The back of a deck that came into use with this report: dealt from, or mixed and taken."""
    if draft.rules.game.packets:
        fresh = before is None or before.packets == 0 or before.hand != act.hand
        return _back_of_hand(before, act) if act.packets and fresh else None
    faulty = not DECK_FAULTS.isdisjoint(draft.faults)
    if before is None or faulty or before.counted is None or act.counted is not None:
        return None
    return before.prepared_back


def _back_of_hand(before: ShufflerSeen | None, act: ShufflerSeen) -> Back | None:
    """The back of the hand's deck, even if it was unloaded before the report."""
    if act.playing_back is not None or before is None:
        return act.playing_back
    return before.prepared_back if before.packets else before.playing_back or before.prepared_back


def judge_decks(draft: Draft) -> None:
    """Update CARD_COUNT and DECK_REPEATED, which last while their deck is in the machine."""
    if draft.deck.seen is None and DECK_FAULTS.isdisjoint(draft.faults):
        return  # there is no machine, or it has not reported yet
    draft.set_fault(Fault.CARD_COUNT, _is_miscounted(draft.deck, draft.rules.game.deck_size))
    draft.set_fault(Fault.DECK_REPEATED, is_repeated(draft.deck))


def _is_miscounted(deck: DeckMarks, size: int) -> bool:
    """Whether the prepared deck, or this hand's deck once unloaded, has a wrong count."""
    seen = deck.seen
    if seen is None:
        return False
    if seen.counted is not None and seen.counted != size:
        return True
    of_this_hand = seen.unloaded is not None and seen.hand == deck.hand
    return of_this_hand and seen.dealt + (seen.unloaded or 0) != size


def is_repeated(deck: DeckMarks) -> bool:
    """Whether the prepared deck has the back of the one before, which nobody has excused."""
    seen = deck.seen
    if seen is None or seen.prepared_back is None or deck.excused:
        return False
    return seen.prepared_back in (seen.playing_back, deck.last_back)


def may_begin(state: TableState, size: int) -> bool:
    """Whether the prepared deck may come into play: counted, complete and not repeated.

    A deck that is not counted yet may not: the machine would not wait for the host's judgement.
    """
    seen = state.deck.seen
    return seen is not None and seen.counted == size and DECK_FAULTS.isdisjoint(state.faults)


def begin_next_hand(draft: Draft) -> None:
    """Begin another hand, from another deck; its dealt cards count from 0."""
    draft.deck = replace(draft.deck, hand=next_hand(draft.deck.hand))
    judge_decks(draft)


def next_hand(hand: int) -> int:
    """The number of the next hand at the machine: 1 to 65535, then 1 again."""
    return hand % LAST_HAND + 1


def on_deck_replaced(draft: Draft, _act: DeckReplaced) -> None:
    """The floor manager has replaced a deck: the next one may have the same back."""
    draft.deck = replace(draft.deck, excused=True)
    draft.decide("deck-replaced")
    judge_decks(draft)
