"""Awards of a linked jackpot: claimed, agreed, cancelled, and booked as the centre has them.

docs/reference/link-rules.md, sections 3.3 to 3.8.
"""

from console.rules.codes import Fault, Phase, Refusal
from console.rules.link import Agree, Answer, AwardState, Cancel, Change, Claim, LinkedAward
from console.rules.link_state import LinkState, OwnAward
from console.rules.round.buttons import combination_of, find_payable_prize
from console.rules.round.draft import Draft
from console.rules.round.linked.outbox import CODES, MOST_CALLS, link_of, make_call, show_refusal
from console.rules.structs import replace
from devices.roles import Button
from jackpot.money import movements
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import Award

DISTRUSTED = frozenset({Fault.LINK_FORKED, Fault.LINK_BEHIND})
"""Under these not even a fixed award becomes final or is cancelled (section 4)."""

ENDED = (AwardState.FINAL, AwardState.CANCELLED)


def claim_award(draft: Draft) -> None:
    """JPOT in PLAYING: ask for the award. There is no amount before the answer."""
    prize = find_payable_prize(draft, winners=1)
    if prize is None or _too_many_wait(draft):
        return
    draft.phase = Phase.AWARDING
    draft.awards += 1
    own = OwnAward(draft.identity(f"award-{draft.awards}"), prize.combination, 1)
    draft.link = replace(link_of(draft), award=own, paid=None)
    _claim(draft, own)


def claim_one_more(draft: Draft) -> None:
    """JPOT in AWARDING: ask for one winner more of the same award."""
    own = link_of(draft).award
    if own is None:
        draft.no_effect()
        return
    prize = find_payable_prize(draft, winners=own.winners + 1)
    if prize is None:
        return
    if _waits(link_of(draft), Cancel, own.identity):
        draft.refuse(Refusal.LINK_ASKED)
    elif not _too_many_wait(draft):
        more = replace(own, winners=own.winners + 1)
        draft.link = replace(link_of(draft), award=more)
        _claim(draft, more)


def _claim(draft: Draft, own: OwnAward) -> None:
    make_call(draft, lambda n: Claim(n, draft.round, own.identity, own.combination, own.winners))
    draft.decide("award-asked", combination=own.combination, winners=own.winners)


def _too_many_wait(draft: Draft) -> bool:
    if len(link_of(draft).outbox) < MOST_CALLS:
        return False
    draft.refuse(Refusal.LINK_LOST)
    return True


def _waits(link: LinkState, kind: type[Agree | Cancel], identity: str) -> bool:
    return any(isinstance(call, kind) and call.identity == identity for call in link.outbox)


def _may_settle(draft: Draft, link: LinkState) -> bool:
    """Whether the table may end its award without asking (sections 3.4 and 4)."""
    return link.fixed and link.welcomed and DISTRUSTED.isdisjoint(draft.faults)


def turn_to_run(draft: Draft) -> None:
    """The key is back in R: a fixed award is final at once, any other is agreed.

    Before the first answer it does nothing: the key must be turned again.
    """
    link = link_of(draft)
    own = link.award
    if own is None or own.centre is None or _waits(link, Cancel, own.identity):
        return
    settles = _may_settle(draft, link)
    if not _has_agreed(link, own, own.centre):
        make_call(draft, lambda n: Agree(n, own.identity))
        draft.decide("award-agreed", combination=own.combination)
    if settles:
        amount = to_units(_total_of(own.centre))
        draft.move(movements.award_final(f"{own.identity}/final", amount))
        _note_settled(draft, own)
        _finish(draft, own.centre)


def _has_agreed(link: LinkState, own: OwnAward, centre: LinkedAward) -> bool:
    """Whether the centre has this table's word, or will have it, for all winners claimed."""
    last = [
        call
        for call in link.outbox
        if isinstance(call, Claim | Agree) and call.identity == own.identity
    ]
    return isinstance(last[-1], Agree) if last else centre.state is AwardState.AGREED


def cancel_claim(draft: Draft, button: Button) -> None:
    """The combination pressed in AWARDING: cancel the award, or what was asked (section 3.8)."""
    link = link_of(draft)
    own = link.award
    if own is None or combination_of(draft, button) != own.combination:
        draft.no_effect()
        return
    if _waits(link, Cancel, own.identity):
        draft.no_effect()
        return
    # An agreement under way may have made it final already: then only the centre knows.
    settles = _may_settle(draft, link) and not _waits(link, Agree, own.identity)
    make_call(draft, lambda n: Cancel(n, own.identity))
    draft.decide("cancel-asked", combination=own.combination)
    if own.centre is None:
        _drop(draft)
    elif settles:
        amount = to_units(_total_of(own.centre))
        draft.move(movements.award_cancelled(f"{own.identity}/cancelled", amount))
        _note_settled(draft, own)
        _cancel(draft, own.centre)


def _note_settled(draft: Draft, own: OwnAward) -> None:
    link = link_of(draft)
    draft.link = replace(link, settled=(*link.settled, own.identity))


def take_claim(draft: Draft, call: Claim, answer: Answer) -> None:
    """A claim is answered. Refused, the award stays what the centre has; without one: PLAYING."""
    if answer.refusal is None:
        return
    own = link_of(draft).award
    if own is not None and own.identity == call.identity:
        if own.centre is None:
            _return_to_play(draft)
        else:
            waiting = [claim.winners for claim in link_of(draft).claims_of(own.identity)]
            winners = max([own.centre.own, *waiting])
            draft.link = replace(link_of(draft), award=replace(own, winners=winners))
    show_refusal(draft, CODES[answer.refusal])


def book_changes(draft: Draft, changes: tuple[Change, ...], awaited: int) -> None:
    """Book what the centre's acts changed here, each once, in their order.

    `awaited`: other tables that this table's award waits for, as of now.
    """
    for change in changes:
        if change.act > link_of(draft).act:
            _book(draft, change)
    link = link_of(draft)
    own = link.award
    if own is not None and own.centre is not None and own.centre.awaited != awaited:
        centre = replace(own.centre, awaited=awaited)
        draft.link = replace(link, award=replace(own, centre=centre))


def _book(draft: Draft, change: Change) -> None:
    link = replace(link_of(draft), act=change.act)
    award = change.award
    draft.link = link
    if award.identity in link.settled and award.state in ENDED:
        left = tuple(one for one in link.settled if one != award.identity)
        draft.link = replace(link, settled=left)  # this table has booked it itself
        return
    draft.move(change.transaction)
    if link.award is not None and link.award.identity == award.identity:
        APPLIED[award.state](draft, award)


def _stand(draft: Draft, award: LinkedAward) -> None:
    """The award is pending, or agreed: what each gets as it stands."""
    link = link_of(draft)
    if link.award is None:
        return
    own = replace(link.award, centre=award, winners=max(link.award.winners, award.own))
    draft.link = replace(link, award=own)
    draft.award = Award(
        award.combination, award.own, award.reading, award.each, _total_of(award), whole=False
    )
    _decide(draft, f"award-{award.state.value}", award)


def _finish(draft: Draft, award: LinkedAward) -> None:
    """The award is final: its winners are paid, and their places used up."""
    draft.places_used += award.own
    _drop(draft)
    draft.link = replace(link_of(draft), paid=award.each)
    _decide(draft, "award-final", award)


def _cancel(draft: Draft, award: LinkedAward) -> None:
    _drop(draft)
    draft.decide("award-cancelled", combination=award.combination)


def _drop(draft: Draft) -> None:
    """The award has ended, and its combination is not chosen any more."""
    _return_to_play(draft)
    draft.choice = None


def _return_to_play(draft: Draft) -> None:
    draft.phase = Phase.PLAYING
    draft.award = None
    draft.link = replace(link_of(draft), award=None)


def _total_of(award: LinkedAward) -> Cents:
    """What this table's winners get."""
    return Cents(award.each * award.own)


def _decide(draft: Draft, what: str, award: LinkedAward) -> None:
    draft.decide(what, combination=award.combination, winners=award.own, each=award.each)


APPLIED = {
    AwardState.PENDING: _stand,
    AwardState.AGREED: _stand,
    AwardState.FINAL: _finish,
    AwardState.CANCELLED: _cancel,
}
