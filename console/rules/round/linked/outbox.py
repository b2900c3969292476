"""The calls to the centre: made, and answered in their order.

docs/reference/link-rules.md, section 3.
"""

from collections.abc import Callable

from console.rules.codes import LINK_FAULTS, Refusal
from console.rules.link import AnyCall, CentreRefusal, Close, Deliver
from console.rules.link_state import LinkState
from console.rules.round.draft import NOTICE_MS, Draft
from console.rules.state import Notice
from console.rules.structs import replace
from jackpot.money.accounts import Reason

MOST_CALLS = 64
"""With so many calls waiting, JPOT is refused. What follows from earlier acts is still put in."""

DELIVERED = frozenset({Reason.STAKE, Reason.TOKEN_RETURNED})
"""The money that the table moves by itself, and tells the centre."""

CODES = {
    CentreRefusal.ROUND_CLOSED: Refusal.ROUND_CLOSED,
    CentreRefusal.AWARD_FINAL: Refusal.AWARD_FINAL,
    CentreRefusal.NOBODY_ELIGIBLE: Refusal.NOBODY_ELIGIBLE,
    CentreRefusal.AWARD_PENDING: Refusal.AWARD_PENDING,
    CentreRefusal.NOT_THE_TERMS: Refusal.NOT_THE_TERMS,
}


def link_of(draft: Draft) -> LinkState:
    """The link of a linked table. Raises TypeError at any other."""
    if not isinstance(draft.link, LinkState):
        raise TypeError(f"table {draft.rules.table!r} is not linked")
    return draft.link


def is_off_link(draft: Draft) -> bool:
    """Whether the table is offline: the centre is out of reach, or bars it.

    A round that is open is played on, and its calls wait in the outbox; no other is opened. A fixed
    award is paid, unless the table is forked or the centre behind (docs/reference/link-rules.md,
    section 4).
    """
    return not LINK_FAULTS.isdisjoint(draft.faults)


def make_call(draft: Draft, call: Callable[[int], AnyCall]) -> int:
    """Put a call into the outbox, under the next number, which is returned."""
    link = link_of(draft)
    n = link.n + 1
    draft.link = replace(link, n=n, outbox=(*link.outbox, call(n)))
    return n


def show_refusal(draft: Draft, code: Refusal) -> None:
    """Show why something asked earlier came to nothing; the act that tells it is done."""
    draft.refusal = code
    draft.notice = Notice(code, draft.now + NOTICE_MS)
    draft.decide("link-refused", code=code.value)


def deliver_money(draft: Draft) -> None:
    """Put what this act has moved into the outbox; a delivery not sent yet takes it, too."""
    moved = tuple(one for one in draft.transactions if one.reason in DELIVERED)
    if not moved:
        return
    link = link_of(draft)
    last = link.outbox[-1] if len(link.outbox) > 1 else None  # the first one may have been sent
    if isinstance(last, Deliver) and last.round == draft.round:
        more = replace(last, transactions=(*last.transactions, *moved))
        draft.link = replace(link, outbox=(*link.outbox[:-1], more))
        return
    make_call(draft, lambda n: Deliver(n, draft.round, moved))


def close_round(draft: Draft, round: int) -> None:
    """Tell the centre that the round is over, or that its opening came to nothing."""
    make_call(draft, lambda n: Close(n, round))
    draft.link = replace(link_of(draft), round=None)
