"""Awards of a linked jackpot: claimed, agreed, cancelled, and booked as the centre has them.

docs/reference/link-rules.md, sections 3.3 to 3.8. What the table pays itself, of the house's money,
is envy and awards without the jackpot (docs/reference/prizes.md, 2.16 to 2.18): the envy follows
the centre's word about its award.
"""

from collections.abc import Callable

from msgspec import UNSET

from console.rules.codes import Fault, Phase, Refusal
from console.rules.link import Agree, Answer, AwardState, Cancel, Change, Claim, LinkedAward
from console.rules.link_state import EnvyPending, LinkState, OwnAward
from console.rules.linked_prizes import ENVY
from console.rules.round.buttons import (
    add_winner,
    cancel_award,
    combination_of,
    decide_award,
    find_payable_prize,
    finish_award,
    freeze_award,
)
from console.rules.round.draft import Draft
from console.rules.round.linked.outbox import CODES, MOST_CALLS, link_of, make_call, show_refusal
from console.rules.structs import replace
from devices.roles import Button
from jackpot.money import movements
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import Award, Envy, compute_award
from jackpot.money.prizes import Prize

DISTRUSTED = frozenset({Fault.LINK_FORKED, Fault.LINK_BEHIND})
"""Under these not even a fixed award becomes final or is cancelled (section 4)."""

ENDED = (AwardState.FINAL, AwardState.CANCELLED)


def claim_award(draft: Draft) -> None:
    """JPOT in PLAYING: ask for the award. There is no amount before the answer.

    What is wholly the house's is asked of nobody.
    """
    prize = find_payable_prize(draft, winners=1)
    if prize is None or (not prize.wholly_by_house and _too_many_wait(draft)):
        return
    draft.link = replace(link_of(draft), paid=None, paid_envy=UNSET)
    if prize.wholly_by_house:
        freeze_award(draft, prize)
        return
    draft.phase = Phase.AWARDING
    draft.awards += 1
    others = (count_others(draft, prize, winners=1),) if prize.envy else UNSET
    own = OwnAward(draft.identity(f"award-{draft.awards}"), prize.combination, 1, others=others)
    draft.link = replace(link_of(draft), award=own)
    _claim(draft, own)


def claim_one_more(draft: Draft) -> None:
    """JPOT in AWARDING: ask for one winner more of the same award."""
    own = link_of(draft).award
    if own is None:
        add_winner(draft)
        return
    prize = find_payable_prize(draft, winners=own.winners + 1)
    if prize is None:
        return
    if _waits(link_of(draft), Cancel, own.identity):
        draft.refuse(Refusal.LINK_ASKED)
    elif not _too_many_wait(draft):
        winners = own.winners + 1
        others = own.others and (*own.others, count_others(draft, prize, winners))
        more = replace(own, winners=winners, others=others)
        draft.link = replace(link_of(draft), award=more)
        _claim(draft, more)


def _claim(draft: Draft, own: OwnAward) -> None:
    others = own.others_for(own.winners) if is_envy_from_jackpot(draft, own.combination) else UNSET
    make_call(
        draft,
        lambda n: Claim(n, draft.round, own.identity, own.combination, own.winners, others),
    )
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
    return link.fixed and _is_trusted(draft)


def _is_trusted(draft: Draft) -> bool:
    """Whether the centre has taken this card's hello since the start, and has not barred it."""
    return link_of(draft).welcomed and DISTRUSTED.isdisjoint(draft.faults)


def turn_to_run(draft: Draft) -> None:
    """The key is back in R: a fixed award is final at once, any other is agreed.

    Before the first answer it does nothing: the key must be turned again.
    """
    link = link_of(draft)
    own = link.award
    if own is None:
        _end_own_award(draft, finish_award)
        return
    if own.centre is None or _waits(link, Cancel, own.identity):
        return
    settles = _may_settle(draft, link)
    if not _has_agreed(link, own, own.centre):
        make_call(draft, lambda n: Agree(n, own.identity))
        draft.decide("award-agreed", combination=own.combination)
    if settles:
        amount = to_units(own.centre.paying)
        draft.move(movements.award_final(f"{own.identity}/final", amount))
        _note_settled(draft, own)
        end_envy(draft, own.identity, AwardState.FINAL)
        _finish(draft, own.centre)


def _end_own_award(draft: Draft, end: Callable[[Draft], None]) -> None:
    """End what is wholly the house's: no older card may pay it twice, so only if it is trusted."""
    award = draft.award
    if not _is_trusted(draft):
        draft.refuse(Refusal.LINK_LOST)
        return
    end(draft)
    if award is not None and end is finish_award:
        _show_paid(draft, award.each, award.envy)


def _show_paid(draft: Draft, each: Cents, envy: Envy | None) -> None:
    """What the winners of the final award get, till GAME OVER, and each other seat."""
    draft.link = replace(link_of(draft), paid=each, paid_envy=UNSET if envy is None else envy)


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
    chosen = own or draft.award
    if chosen is None or combination_of(draft, button) != chosen.combination:
        draft.no_effect()
        return
    if own is None:
        _end_own_award(draft, lambda draft: cancel_award(draft, button))
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
        amount = to_units(own.centre.paying)
        draft.move(movements.award_cancelled(f"{own.identity}/cancelled", amount))
        _note_settled(draft, own)
        end_envy(draft, own.identity, AwardState.CANCELLED)
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
            others = own.others and own.others[:winners]
            kept = replace(own, winners=winners, others=others)
            draft.link = replace(link_of(draft), award=kept)
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
    own = link.award
    if own is not None and own.identity == award.identity:
        APPLIED[award.state](draft, award)
    if award.state in ENDED:
        end_envy(draft, award.identity, award.state)


def _stand(draft: Draft, award: LinkedAward) -> None:
    """The award is pending, or agreed: what each gets as it stands."""
    link = link_of(draft)
    if link.award is None:
        return
    own = replace(link.award, centre=award, winners=max(link.award.winners, award.own))
    draft.link = replace(link, award=own)
    by_house = _choose_envy(draft, own, award)
    book_envy(draft, award, by_house)
    draft.award = _award_of(award, by_house)
    decide_award(draft, f"award-{award.state.value}", draft.award)


def _choose_envy(draft: Draft, own: OwnAward, award: LinkedAward) -> Envy | None:
    """As it stands; another table's part of the award changes nothing of it."""
    booked = find_envy(draft, own.identity)
    if booked is not None and booked.winners == award.own and draft.award is not None:
        return draft.award.envy
    return quote_envy(draft, award, own.others_for(award.own))


def _award_of(award: LinkedAward, by_house: Envy | None) -> Award:
    """This table's part of it; its envy is the jackpot's or the house's."""
    paid = by_house.seats * by_house.each if by_house is not None else 0
    return Award(
        award.combination,
        award.own,
        award.reading,
        award.each,
        Cents(award.each * award.own),
        whole=False,
        envy=by_house or award.paid_envy,
        by_house=Cents(paid),
    )


def _finish(draft: Draft, award: LinkedAward) -> None:
    """The award is final: its winners are paid, and their places used up."""
    by_house = draft.award.envy if draft.award is not None and draft.award.by_house else None
    paid = _award_of(award, by_house)
    draft.places_used += award.own
    _drop(draft)
    _show_paid(draft, award.each, paid.envy)
    decide_award(draft, "award-final", paid)


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


APPLIED = {
    AwardState.PENDING: _stand,
    AwardState.AGREED: _stand,
    AwardState.FINAL: _finish,
    AwardState.CANCELLED: _cancel,
}


NOTHING = to_units(Cents(0))


def count_others(draft: Draft, prize: Prize, winners: int) -> int:
    """The seats here that envy goes to, with so many winners; 0 where there is none."""
    return max(len(draft.seats.eligible) - winners, 0) if prize.envy else 0


def is_envy_from_jackpot(draft: Draft, combination: str) -> bool:
    """Whether the prize has envy that the centre divides."""
    prizes = draft.rules.prizes
    prize = prizes.of(combination) if prizes is not None else None
    return prize is not None and bool(prize.envy) and not prize.by_house


def quote_envy(draft: Draft, award: LinkedAward, others: int) -> Envy | None:
    """The envy that the house pays at this table, for this table's winners; None: none."""
    prizes = draft.rules.prizes
    prize = prizes.of(award.combination) if prizes is not None else None
    if prize is None or not prize.by_house or not award.own:
        return None
    return compute_award(prize, award.own, award.reading, others).envy


def book_envy(draft: Draft, award: LinkedAward, envy: Envy | None) -> None:
    """The award is pending: the house gives its envy; the difference, with one winner more."""
    total = envy.seats * envy.each if envy is not None else 0
    pending = find_envy(draft, award.identity)
    more = pending is not None
    if not (total or more) or (pending is not None and pending.winners == award.own):
        return
    name = f"winner-{award.own}" if more else "pending"
    identity = f"{award.identity}/{ENVY}{name}"
    difference = to_units(Cents(total - (pending.total if pending is not None else 0)))
    draft.move(movements.award_pending(identity, NOTHING, more=more, by_house=difference))
    _keep(draft, award.identity, EnvyPending(award.identity, award.own, Cents(total)))


def end_envy(draft: Draft, identity: str, state: AwardState) -> None:
    """The award is final, or cancelled: its envy is paid, or returns to the house."""
    pending = find_envy(draft, identity)
    if pending is None:
        return
    units = to_units(pending.total)
    if state is AwardState.FINAL:
        draft.move(movements.award_final(f"{identity}/{ENVY}final", units))
    else:
        name = f"{identity}/{ENVY}cancelled"
        draft.move(movements.award_cancelled(name, NOTHING, by_house=units))
    _keep(draft, identity, None)


def find_envy(draft: Draft, identity: str) -> EnvyPending | None:
    """What is pending as the envy of this award; None: nothing."""
    kept = link_of(draft).envy
    found = () if kept is UNSET else kept
    return next((one for one in found if one.identity == identity), None)


def _keep(draft: Draft, identity: str, pending: EnvyPending | None) -> None:
    link = link_of(draft)
    kept = () if link.envy is UNSET else link.envy
    rest = tuple(one for one in kept if one.identity != identity)
    now = rest if pending is None else (*rest, pending)
    draft.link = replace(link, envy=now or UNSET)
