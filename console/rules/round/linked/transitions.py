"""A linked table's own transitions: the centre's word, declarations, starts, devices and the key.

docs/reference/link-rules.md, sections 3 and 4.
"""

from console.rules.acts import HandVoid, Reopened, Started
from console.rules.codes import Fault, Phase, Refusal
from console.rules.correction import Corrected
from console.rules.link import Answer, AnyCall, Barred, Claim, Leave, Open
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkWelcomed,
    RecallBegan,
)
from console.rules.round import faults, key
from console.rules.round.declarations import void_hand
from console.rules.round.draft import Draft
from console.rules.round.linked.awards import book_changes, take_claim, turn_to_run
from console.rules.round.linked.membership import take_leave
from console.rules.round.linked.opening import (
    BETWEEN_ROUNDS,
    clear_link_faults,
    give_up_opening,
    take_opening,
)
from console.rules.round.linked.outbox import CODES, is_off_link, link_of, show_refusal
from console.rules.structs import replace
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, KeyMoved, KeyPosition
from jackpot.money import movements
from jackpot.money.accounts import Transaction

FAULTS = {
    Barred.FORKED: Fault.LINK_FORKED,
    Barred.BEHIND: Fault.LINK_BEHIND,
    Barred.SETTINGS: Fault.LINK_SETTINGS,
}
"""The reasons that have a fault of their own; under any other the link is lost."""


def on_answered(draft: Draft, act: LinkAnswered) -> None:
    """The first call that waits is answered; any other answer came before.

    A locked table cannot record it: the call waits on.
    """
    link, answer = link_of(draft), act.answer
    if draft.locked or not link.outbox or link.outbox[0].n != answer.n:
        draft.no_effect()
        return
    draft.link = replace(
        link,
        outbox=link.outbox[1:],
        answered=answer.n,
        answer_hash=answer.hash,
        reading=answer.reading,
        welcomed=True,
        leaving=answer.leaving,
    )
    book_changes(draft, answer.changes, answer.awaited)
    _take(draft, link.outbox[0], answer)


def _take(draft: Draft, call: AnyCall, answer: Answer) -> None:
    match call:
        case Open():
            take_opening(draft, call, answer)
        case Claim():
            take_claim(draft, call, answer)
        case Leave():
            take_leave(draft, answer)
        case _ if answer.refusal is not None:
            show_refusal(draft, CODES[answer.refusal])


def on_shown(draft: Draft, act: LinkShown) -> None:
    """A beat is answered. With nothing left in the outbox, the link is back.

    Of a table that has left, the centre's faults end; the link stays lost.
    """
    if draft.locked or link_of(draft).left is not None:
        draft.no_effect()
        if not draft.locked:
            clear_link_faults(draft, but=Fault.LINK_LOST)
        return
    shown = act.shown
    draft.link = replace(
        link_of(draft), reading=shown.reading, welcomed=True, leaving=shown.leaving
    )
    book_changes(draft, shown.changes, shown.awaited)
    if not link_of(draft).outbox:
        clear_link_faults(draft)


def on_welcomed(draft: Draft, act: LinkWelcomed) -> None:
    """The centre's timeline, to be shown with the next hello (section 3.13)."""
    if draft.locked:
        draft.no_effect()
        return
    draft.link = replace(link_of(draft), timeline=act.timeline)


def on_recall_began(draft: Draft, _act: RecallBegan) -> None:
    """The centre was set back: no play until all its tables have told it what it answered."""
    draft.raise_fault(Fault.LINK_BEHIND)
    give_up_opening(draft)


def on_barred(draft: Draft, act: LinkBarred) -> None:
    """The centre bars the table, until a good hello."""
    draft.raise_fault(FAULTS.get(act.barred, Fault.LINK_LOST))
    give_up_opening(draft)


def on_hand_void(draft: Draft, act: HandVoid) -> None:
    """The seat is out for the round; a returned token is exactly reversed.

    Without the link, a token that an acceptor holds for a later round is given back.
    """
    held = draft.seats.swallowed
    staked = held is not None and 0 < act.seat <= len(held) and held[act.seat - 1] > 0
    if act.returned and staked and draft.phase in BETWEEN_ROUNDS and is_off_link(draft):
        _give_back(draft, act.seat)
    else:
        own = link_of(draft).award or draft.award
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


def on_started(draft: Draft, act: Started) -> None:
    """After a power cut: the link is lost until the centre answers; an opening is given up."""
    faults.on_started(draft, act)
    _distrust_link(draft)
    give_up_opening(draft)


def on_reopened(draft: Draft, act: Reopened) -> None:
    """The journal's state again: its link must be found again, too."""
    faults.on_reopened(draft, act)
    _distrust_link(draft)
    give_up_opening(draft)


def _distrust_link(draft: Draft) -> None:
    draft.link = replace(link_of(draft), welcomed=False)
    draft.raise_fault(Fault.LINK_LOST)


def on_device_lost(draft: Draft, act: DeviceLost) -> None:
    """A device is silent; if it is the link, an opening that was asked is refused."""
    faults.on_device_lost(draft, act)
    if act.device is Device.LINK:
        give_up_opening(draft)


def on_device_up(draft: Draft, act: DeviceUp) -> None:
    """A device is back. The link's faults clear with the next beat that finds nothing waiting."""
    if act.device is Device.LINK:
        draft.link = replace(link_of(draft), welcomed=True)
    else:
        faults.on_device_up(draft, act)


def on_key_moved(draft: Draft, act: KeyMoved) -> None:
    """The key: S is refused while COIN IN waits for its answer."""
    asked = link_of(draft).opening is not None and not draft.locked
    if asked and act.position is KeyPosition.S:
        draft.key = act.position
        draft.clear_fault(Fault.KEY_FAULT)
        draft.refuse(Refusal.LINK_ASKED)
    else:
        key.turn_key(draft, act, turn_to_run)
