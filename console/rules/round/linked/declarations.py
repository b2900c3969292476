"""Declarations and corrections at a linked table.

docs/reference/link-rules.md, sections 3.9 and 4.
"""

from console.rules.acts import HandVoid
from console.rules.codes import Phase, Refusal
from console.rules.correction import Corrected
from console.rules.round.declarations import void_hand
from console.rules.round.draft import Draft
from console.rules.round.linked.opening import BETWEEN_ROUNDS
from console.rules.round.linked.outbox import is_off_link, link_of
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.accounts import Transaction


def on_hand_void(draft: Draft, act: HandVoid) -> None:
    """The seat is out for the round; a returned token is exactly reversed.

    Without the link, a token that an acceptor holds for a later round is given back.
    """
    held = draft.seats.swallowed
    staked = held is not None and 0 < act.seat <= len(held) and held[act.seat - 1] > 0
    if act.returned and staked and draft.phase in BETWEEN_ROUNDS and is_off_link(draft):
        _give_back(draft, act.seat)
    else:
        own = link_of(draft).award
        claimed = own.winners if own is not None and draft.phase is Phase.AWARDING else 0
        void_hand(draft, act, claimed, _take_back)


def _take_back(draft: Draft, identity: str) -> Transaction:
    return movements.stake_reversed(draft.rules.money, identity)


def _give_back(draft: Draft, seat: int) -> None:
    """Nothing is booked: the token was never accepted."""
    held = draft.seats.swallowed or ()
    draft.seats = replace(
        draft.seats,
        swallowed=tuple(count - (place == seat) for place, count in enumerate(held, 1)),
    )
    draft.decide("token-given-back", seat=seat)


def refuse_correction(draft: Draft, _act: Corrected) -> None:
    """Corrections of a linked jackpot are made at the centre, by two operators."""
    draft.refuse(Refusal.LINKED)
