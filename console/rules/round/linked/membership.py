"""A table joins, leaves, and rejoins in a new epoch.

docs/reference/link-rules.md, 3.12 and 3.14.
"""

from msgspec.structs import astuple

from console.rules.acts import (
    Adopted,
)
from console.rules.codes import Fault, Phase
from console.rules.link import Answer, AnyCall, Deliver, Join, Leave
from console.rules.link_state import (
    LeftLink,
    LinkRejoined,
    LinkState,
)
from console.rules.round import faults
from console.rules.round.buttons import end_round, return_award
from console.rules.round.draft import Draft
from console.rules.round.linked.opening import BETWEEN_ROUNDS, clear_link_faults
from console.rules.round.linked.outbox import CODES, is_off_link, link_of, make_call, show_refusal
from console.rules.state import NONE
from console.rules.structs import replace
from jackpot.money import movements
from jackpot.money.accounts import Balances


def on_adopted_unlinked(draft: Draft, act: Adopted) -> None:
    """Other settings are in force. If they name a linked jackpot, the table joins it."""
    faults.on_adopted(draft, act)
    if not draft.locked and isinstance(draft.rules.link, str):
        draft.link = (
            _join(draft.link, draft.balances)
            if isinstance(draft.link, LeftLink)
            else (LinkState(n=1, outbox=(Join(1, draft.balances),)))
        )
        draft.raise_fault(Fault.LINK_LOST)
        draft.decide("link-joined", jackpot=draft.rules.link)


def _join(left: LeftLink, balances: Balances) -> LinkState:
    """Join again, with what the table has made since it left."""
    n = left.n + 1
    made = Balances(
        *(now - then for now, then in zip(astuple(balances), astuple(left.balances), strict=True))
    )
    return LinkState(
        left.epoch,
        n,
        (Join(n, made),),
        left.answered,
        left.answer_hash,
        left.act,
        timeline=left.timeline,
    )


def on_adopted(draft: Draft, act: Adopted) -> None:
    """Other settings are in force. A table that has left plays for its own jackpot."""
    faults.on_adopted(draft, act)
    link = link_of(draft)
    if draft.locked or link.left is None or isinstance(draft.rules.link, str):
        return
    clear_link_faults(draft)
    draft.link = LeftLink(
        link.epoch, link.n, link.answered, link.answer_hash, link.act, link.timeline, link.left
    )


def leave_when_asked(draft: Draft) -> None:
    """A table that was asked to leave does, paused, with nothing that waits for the centre."""
    link = link_of(draft)
    idle = draft.phase is Phase.PAUSED and not link.outbox and link.award is None
    if link.leaving and link.left is None and idle and not draft.locked and not is_off_link(draft):
        make_call(draft, Leave)
        draft.decide("leave-asked")


def take_leave(draft: Draft, answer: Answer) -> None:
    """The table has left: its jackpot and reserve go to the house; the money is the centre's."""
    if answer.refusal is not None:
        show_refusal(draft, CODES[answer.refusal])
        return
    identity = f"{draft.rules.table}/leave-{answer.n}"
    draft.move(movements.departure(identity, draft.balances))
    draft.link = replace(link_of(draft), left=draft.balances, leaving=False, reading=None)
    draft.raise_fault(Fault.LINK_LOST)
    draft.decide("link-left")


def on_rejoined(draft: Draft, act: LinkRejoined) -> None:
    """Two operators let the table rejoin: a new epoch, and a round that was running is void.

    The centre has what waited in the outbox, but for tokens that came after the list was made.
    While a gate is open, and while nothing can be recorded, the centre is asked again.
    """
    link, rejoined = link_of(draft), act.rejoined
    if draft.locked or draft.seats.collecting or rejoined.epoch <= link.epoch:
        draft.no_effect()
        return
    _end_void_round(draft)
    draft.round = max(draft.round, rejoined.round)
    draft.link = LinkState(
        rejoined.epoch,
        rejoined.n,
        (),
        rejoined.n,
        rejoined.hash,
        link.act,
        settled=link.settled,
        timeline=link.timeline,
        envy=link.envy,
    )
    for call in link.outbox:
        _deliver_rest(draft, call, frozenset(rejoined.handled))
    draft.decide("link-rejoined", epoch=rejoined.epoch)


def _end_void_round(draft: Draft) -> None:
    """The tokens stay in the tray; nobody is paid but by what the centre says."""
    if draft.award is not None and link_of(draft).award is None:
        return_award(draft, draft.award)
    if draft.phase not in BETWEEN_ROUNDS:
        end_round(draft)
    draft.phase = Phase.PAUSED
    draft.award = None
    draft.seats = replace(draft.seats, stuck=NONE)
    draft.clear_fault(Fault.TOKEN_STUCK)  # the void round awaits none


def _deliver_rest(draft: Draft, call: AnyCall, handled: frozenset[str]) -> None:
    if not isinstance(call, Deliver):
        return
    rest = tuple(one for one in call.transactions if one.identity not in handled)
    if rest:
        make_call(draft, lambda n: Deliver(n, call.round, rest))
