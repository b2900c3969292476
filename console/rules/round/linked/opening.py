"""COIN IN and GAME OVER at a linked table (docs/reference/link-rules.md, sections 3.1 and 4)."""

from msgspec import UNSET

from console.rules.codes import LINK_FAULTS, Fault, Phase, Refusal
from console.rules.link import Answer, Leave, Open
from console.rules.link_state import AskedOpening
from console.rules.round.buttons import (
    close_betting,
    open_betting,
    open_or_pause,
    pause_after_round,
    refuse_lost_rail,
)
from console.rules.round.draft import Draft
from console.rules.round.linked.outbox import (
    CODES,
    close_round,
    is_off_link,
    link_of,
    make_call,
    show_refusal,
)
from console.rules.round.stopped_play import refuse_stopped
from console.rules.structs import replace
from devices.roles import KeyPosition

ANSWER_TIMEOUT_MS = 1000
"""COIN IN at a linked table is refused when the centre has not answered by then."""

BETWEEN_ROUNDS = (Phase.PAUSED, Phase.BETTING)


def refuse_while_asked(draft: Draft) -> Refusal | None:
    """Why every button is refused while COIN IN waits for its answer."""
    return Refusal.LINK_ASKED if link_of(draft).opening is not None else None


def ask_opening(draft: Draft) -> None:
    """COIN IN in BETTING: ask the centre. Without a token there is nothing to ask."""
    if refuse_lost_rail(draft):
        return
    if not draft.seats.tokens:
        close_betting(draft)
    elif is_off_link(draft):
        draft.refuse(Refusal.LINK_LOST)
    elif not refuse_stopped(draft):
        shown = link_of(draft).reading
        n = make_call(draft, lambda n: Open(n, draft.round))
        asked = AskedOpening(n, draft.now + ANSWER_TIMEOUT_MS, shown)
        draft.link = replace(link_of(draft), opening=asked)
        draft.decide("opening-asked", call=n)


def take_opening(draft: Draft, call: Open, answer: Answer) -> None:
    """The opening is answered: close betting, with the tokens that are there now.

    A late answer opens nothing.
    """
    link = link_of(draft)
    asked = link.opening
    if asked is None or asked.n != call.n:
        return
    draft.link = replace(link, opening=None, round=call.round)
    if answer.refusal is not None:
        _refuse_opening(draft, call.round, CODES[answer.refusal])
    elif _fell_by_a_tenth(asked, answer):
        _refuse_opening(draft, call.round, Refusal.JACKPOT_CHANGED)
    else:
        close_betting(draft)
        if draft.phase is Phase.BETTING:  # refused, since the rail was lost meanwhile
            close_round(draft, call.round)


def _fell_by_a_tenth(asked: AskedOpening, answer: Answer) -> bool:
    shown = asked.shown
    return shown is not None and answer.reading < shown and answer.reading * 10 <= shown * 9


def _refuse_opening(draft: Draft, round: int, code: Refusal) -> None:
    show_refusal(draft, code)
    close_round(draft, round)


def give_up_opening(draft: Draft) -> None:
    """Refuse a COIN IN that has not been answered; its call waits, and the next one closes it."""
    asked = link_of(draft).opening
    if asked is None:
        return
    draft.link = replace(link_of(draft), opening=None)
    show_refusal(draft, Refusal.LINK_LOST)
    close_round(draft, draft.round)


def give_up_due_opening(draft: Draft) -> None:
    """Give up an opening when its time is over."""
    asked = link_of(draft).opening
    if asked is not None and draft.now >= asked.until and not draft.locked:
        give_up_opening(draft)


def open_from_pause(draft: Draft) -> None:
    """GAME OVER in PAUSED: the next round, but not without the link, nor while the table leaves."""
    leaves = any(isinstance(call, Leave) for call in link_of(draft).outbox)
    code = Refusal.LINK_LOST if is_off_link(draft) else Refusal.LINK_ASKED if leaves else None
    if code is None or draft.key is not KeyPosition.R:
        open_betting(draft)
    elif not refuse_lost_rail(draft):
        draft.refuse(code)


def open_unless_off_link(draft: Draft) -> None:
    """GAME OVER in PLAYING: the next round; without the link the console is paused."""
    if is_off_link(draft):
        pause_after_round(draft)
    else:
        open_or_pause(draft)


def close_ended_round(draft: Draft) -> None:
    """Tell the centre when the round that is open there has ended, by whatever act."""
    link = link_of(draft)
    if draft.phase not in BETWEEN_ROUNDS:
        return
    if link.paid is not None:
        draft.link = link = replace(link, paid=None, paid_envy=UNSET)
    if link.round is not None:
        close_round(draft, link.round)


def clear_link_faults(draft: Draft, but: Fault | None = None) -> None:
    """The centre is in reach again."""
    for fault in sorted(LINK_FAULTS - {but}, key=lambda fault: fault.value):
        draft.clear_fault(fault)
