"""What the centre says to a linked table (docs/reference/link-rules.md, sections 3 and 4)."""

from console.rules.codes import Fault
from console.rules.link import Answer, AnyCall, Barred, Claim, Leave, Open
from console.rules.link_acts import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkWelcomed,
    RecallBegan,
)
from console.rules.round.draft import Draft
from console.rules.round.linked.awards import book_changes, take_claim
from console.rules.round.linked.membership import take_leave
from console.rules.round.linked.opening import clear_link_faults, give_up_opening, take_opening
from console.rules.round.linked.outbox import CODES, link_of, show_refusal
from console.rules.structs import replace

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

    A table that has left is barred no more, and stays without the link.
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
