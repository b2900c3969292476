"""What a linked table pays itself, of the house's money: envy, and awards without the jackpot.

docs/reference/prizes.md, 2.16 to 2.18. The envy follows the centre's word about its award.
"""

from msgspec import UNSET

from console.rules.link import AwardState, LinkedAward
from console.rules.link_state import EnvyPending
from console.rules.linked_prizes import ENVY
from console.rules.round.draft import Draft
from console.rules.round.linked.outbox import link_of
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.amounts import Cents, to_units
from jackpot.money.awards import Envy, quote
from jackpot.money.prizes import Prize

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
    return quote(prize, award.own, award.reading, others).envy


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
