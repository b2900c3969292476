"""Decisions of the floor manager that no sensor can see (docs/reference/rules.md, section 4)."""

from collections.abc import Callable, Mapping
from typing import Any

from console.rules.acts import (
    AwardVerified,
    CardAnnulled,
    CoupVoid,
    CoupWithoutStakes,
    Declaration,
    HandVoid,
    LastHands,
    RoundVoid,
    ShoeReplaced,
    TrayCounted,
)
from console.rules.codes import Phase, Refusal
from console.rules.round import shoe
from console.rules.round.decks import begin_next_hand
from console.rules.round.draft import Draft
from console.rules.round.tokens import take_back_token
from console.rules.state import LastHandsCount
from console.rules.structs import replace
from jackpot.money.accounts import Transaction
from jackpot.money.amounts import to_units


def _no_hand(draft: Draft) -> bool:
    """Refuse if no hand is being played."""
    phase = draft.phase
    if phase in (Phase.PAUSED, Phase.BETTING):
        draft.refuse(Refusal.NO_HAND)
    elif phase is Phase.COLLECTING:
        draft.refuse(Refusal.COLLECTING)
    else:
        return False
    return True


def on_hand_void(draft: Draft, act: HandVoid) -> None:
    """The seat is out for the round; its token stays, or is returned and its posting reversed."""
    void_hand(draft, act, draft.award.winners if draft.award else 0, take_back_token)


def void_hand(
    draft: Draft, act: HandVoid, awarded: int, take_back: Callable[[Draft, str], Transaction]
) -> None:
    """Void a hand. `awarded`: winners of the award in hand; `take_back`: reverses a stake."""
    if _no_hand(draft):
        return
    voided = act.seat in draft.seats.void - draft.seats.returned
    if act.seat not in draft.seats.playing and not (act.returned and voided):
        draft.refuse(Refusal.SEAT_NOT_PLAYING)
        return
    promised = draft.places_used + awarded
    left = draft.seats.eligible - {act.seat}
    if awarded and left != draft.seats.eligible and promised > len(left):
        draft.refuse(Refusal.AWARD_PENDING)
        return
    draft.seats = replace(draft.seats, void=draft.seats.void | {act.seat})
    if act.returned:
        draft.seats = replace(draft.seats, returned=draft.seats.returned | {act.seat})
        identity = draft.identity(f"seat-{act.seat}/returned")
        draft.move(take_back(draft, identity))
    draft.decide("hand-void", seat=act.seat, returned=int(act.returned))


def on_round_void(draft: Draft, _act: RoundVoid) -> None:
    """All hands are void and dealt again: tokens stay, a chosen combination does not.

    Also in PAUSED, where a hand without stakes is played.
    """
    if draft.phase is not Phase.PAUSED and _no_hand(draft):
        return
    if draft.phase is Phase.AWARDING:
        draft.refuse(Refusal.AWARD_PENDING)
        return
    draft.choice = None
    begin_next_hand(draft)
    draft.decide("round-void")


def on_award_verified(draft: Draft, act: AwardVerified) -> None:
    """Who has seen the winning hand of a seat; it moves nothing, and no award needs it."""
    if draft.phase is not Phase.AWARDING:
        draft.refuse(Refusal.NO_AWARD)
    elif act.seat not in draft.seats.eligible:
        draft.refuse(Refusal.SEAT_NOT_PLAYING)
    else:
        draft.decide("award-verified", seat=act.seat, who=act.who)


def on_last_hands(draft: Draft, act: LastHands) -> None:
    """The display counts the last hands from now on; one in play does not count."""
    draft.last_hands = LastHandsCount(act.hands)
    draft.decide("last-hands", hands=act.hands)


def on_tray_counted(draft: Draft, act: TrayCounted) -> None:
    """The hand count at closing, and its difference from the tokens on record since the last."""
    if draft.phase is not Phase.PAUSED:
        draft.refuse(Refusal.ALREADY_OPEN)
        return
    taken = draft.tray_mark - draft.balances.tray
    expected = taken // to_units(draft.rules.money.token)
    draft.tray_mark = draft.balances.tray
    draft.decide(
        "tray-counted",
        counted=act.tokens,
        expected=expected,
        difference=act.tokens - expected,
    )


DECLARED: Mapping[type[Declaration], Callable[[Draft, Any], None]] = {
    HandVoid: on_hand_void,
    RoundVoid: on_round_void,
    TrayCounted: on_tray_counted,
    AwardVerified: on_award_verified,
    CoupVoid: shoe.on_coup_void,
    CoupWithoutStakes: shoe.on_coup_without_stakes,
    CardAnnulled: shoe.on_card_annulled,
    ShoeReplaced: shoe.on_shoe_replaced,
}
"""What each declaration does at a dealer's game, unless the table is locked."""
