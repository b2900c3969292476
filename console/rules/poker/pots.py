"""The counting of a cash hand's pots, and its rake (docs/reference/poker-rules.md, section 18).

The dealer splits pots, side pots too, and gives odd chips; here they are only counted for the rake.
"""

from collections.abc import Callable

from console.rules.codes import Phase, Refusal
from console.rules.poker.hand import end_hand, hand_of, refuse_key
from console.rules.poker.table import poker_of, settings_of
from console.rules.poker.time_call import end_time_call
from console.rules.poker_settings import Form, PokerSettings
from console.rules.poker_state import PokerState, Pots, Street
from console.rules.round.draft import Draft
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.amounts import Cents
from jackpot.money.rake import EURO, divide_rake

MOST_POTS = 11
MOST_CHIPS = 200
"""Of one pot; a press beyond has no effect."""


def count_pot(draft: Draft) -> None:
    """JPOT in PLAYING: the chips of the main pot are counted."""
    if settings_of(draft).form is Form.TOURNAMENT:
        draft.no_effect()
    elif hand_of(draft).street is Street.PREFLOP:
        draft.refuse(Refusal.NO_FLOP)
    else:
        end_time_call(draft)
        draft.phase = Phase.AWARDING
        _set_pots(draft, ((),))


def begin_side_pot(draft: Draft) -> None:
    """JPOT in AWARDING: the next side pot."""
    pots = poker_of(draft).pots
    if not pots[-1]:
        draft.refuse(Refusal.POT_EMPTY)
    elif len(pots) == MOST_POTS:
        draft.no_effect()
    else:
        _set_pots(draft, (*pots, ()))
        draft.decide("side-pot-begun", pot=len(pots) + 1)


def add_chip(place: int) -> Callable[[Draft], None]:
    """CHIP_1 to CHIP_5 in AWARDING."""

    def press(draft: Draft) -> None:
        *others, last = poker_of(draft).pots
        if len(last) == MOST_CHIPS:
            draft.no_effect()
            return
        chip = settings_of(draft).chips[place]
        _set_pots(draft, (*others, (*last, chip)))
        draft.decide("chip-entered", cents=chip, pot=len(others) + 1)

    return press


def take_entry_back(draft: Draft) -> None:
    """COIN IN in AWARDING: the last chip, or the side pot's opening, or the counting."""
    *others, last = poker_of(draft).pots
    if last:
        _set_pots(draft, (*others, last[:-1]))
        draft.decide("chip-back", cents=last[-1], pot=len(others) + 1)
    elif others:
        _set_pots(draft, tuple(others))
        draft.decide("side-pot-back", pot=len(others) + 1)
    else:
        _set_pots(draft, ())
        draft.phase = Phase.PLAYING


def _set_pots(draft: Draft, pots: Pots) -> None:
    draft.notice = None  # what was refused before is answered
    draft.poker = replace(poker_of(draft), pots=pots)


def reckon_parts(draft: Draft) -> tuple[int, ...]:
    """The rake of what is entered, in euro, a part for each pot."""
    return parts_of(poker_of(draft), settings_of(draft), hand_of(draft).players)


def parts_of(poker: PokerState, settings: PokerSettings, players: int) -> tuple[int, ...]:
    """The same of a state."""
    half = poker.half_rake and settings.halves_rake
    terms = settings.rake_terms(half=half, cap=poker.cap if settings.caps_rake else None)
    return divide_rake(terms, [sum(pot) for pot in poker.pots], players)


def take_rake(draft: Draft) -> None:
    """GAME OVER in AWARDING: the rake is taken, and the hand is over."""
    poker = poker_of(draft)
    if not poker.pots[0]:
        draft.refuse(Refusal.POT_EMPTY)
        return
    if refuse_key(draft):
        return
    if not poker.pots[-1]:
        _set_pots(draft, poker.pots[:-1])
    parts = reckon_parts(draft)
    total = sum(sum(pot) for pot in poker_of(draft).pots)
    _post_rake(draft, draft.identity("rake"), parts)
    draft.decide("rake-taken", parts="+".join(map(str, parts)), pots=total)
    end_hand(draft, parts)


def _post_rake(draft: Draft, identity: str, parts: tuple[int, ...]) -> None:
    """Post it; a rake of 0 moves nothing."""
    if any(parts):
        draft.move(movements.rake(identity, to_cents(parts)))


def to_cents(parts: tuple[int, ...]) -> Cents:
    """The parts' sum, in cents."""
    return Cents(sum(parts) * EURO)


def correct_rake(draft: Draft, parts: tuple[int, ...]) -> None:
    """`rake 5+10+15`, `rake none` (no parts): the last hand's is reversed, and posted anew.

    Not once the next hand has a flop ("substantial action").
    """
    poker = poker_of(draft)
    last, hand = poker.last, poker.hand
    if settings_of(draft).form is Form.TOURNAMENT:
        draft.no_effect()
        return
    if last.closed or (hand is not None and hand.street is not Street.PREFLOP):
        draft.refuse(Refusal.TOO_LATE)
        return
    of_hand = draft.round - (hand is not None)
    number = last.takings + 1
    before = to_cents(last.parts or ())
    if before:
        identity = draft.identity(f"rake/{number}/returned", of_hand)
        draft.move(movements.rake_returned(identity, before))
    what = f"rake/{number}" if last.takings else "rake"
    _post_rake(draft, draft.identity(what, of_hand), parts)
    draft.poker = replace(
        poker, last=replace(last, parts=parts or None, takings=number, shown=bool(parts))
    )
    draft.decide("rake-corrected", hand=of_hand, parts="+".join(map(str, parts)) or "none")
