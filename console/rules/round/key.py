"""The key selector: turning it to R or S is an act, any other turn is only recorded.

docs/reference/rules.md, sections 3 and 6.
"""

from collections.abc import Callable

from console.rules.codes import Fault, Phase, Refusal
from console.rules.round.boards import is_foreign
from console.rules.round.buttons import finish_award
from console.rules.round.draft import Draft
from console.rules.round.stopped_play import find_stop
from devices.roles import KeyFound, KeyMoved, KeyPosition, KeyUnreadable

SERVICE_REFUSED = {
    Phase.COLLECTING: Refusal.COLLECTING,
    Phase.PLAYING: Refusal.ALREADY_OPEN,
    Phase.AWARDING: Refusal.AWARD_PENDING,
}


def on_key_found(draft: Draft, act: KeyFound) -> None:
    """A key found at the start, in any position, acts only after it was turned."""
    draft.key = act.position
    if act.position is not None:
        draft.clear_fault(Fault.KEY_FAULT)


def on_key_unreadable(draft: Draft, _act: KeyUnreadable) -> None:
    """No contact, or more than one, for longer than 500 ms."""
    draft.key = None
    draft.raise_fault(Fault.KEY_FAULT)


def on_key_moved(draft: Draft, act: KeyMoved) -> None:
    """The key has reached a position, which may act."""
    turn_key(draft, act, finish_award)


def turn_key(draft: Draft, act: KeyMoved, pay: Callable[[Draft], None]) -> None:
    """The key has reached a position; `pay`: what R does with an award."""
    draft.key = act.position
    if act.position is not None:
        draft.clear_fault(Fault.KEY_FAULT)
    if act.position is KeyPosition.R:
        _turn_to_r(draft, pay)
    elif act.position is KeyPosition.S:
        _turn_to_s(draft)


def _turn_to_r(draft: Draft, pay: Callable[[Draft], None]) -> None:
    """R ends SERVICE and returns to the phase underneath.

    Otherwise it pays an award.
    """
    if draft.service:
        draft.service = False
        draft.decide("service-ended", phase=draft.phase.value)
    elif draft.phase is Phase.AWARDING and not draft.play_locked:
        pay(draft)


def _turn_to_s(draft: Draft) -> None:
    """S begins SERVICE in PAUSED; if locked, or with a board to be enrolled, in any phase.

    While no round may begin, it also does so in BETTING with tokens: an acceptor gives none back.
    """
    if draft.service:
        return
    if not draft.play_locked and not is_foreign(draft) and not _keeps_tokens(draft):
        if draft.phase is Phase.BETTING and draft.seats.tokens:
            draft.refuse(Refusal.ALREADY_OPEN)
            return
        if draft.phase in SERVICE_REFUSED:
            draft.refuse(SERVICE_REFUSED[draft.phase])
            return
        draft.phase = Phase.PAUSED
    draft.service = True
    draft.decide("service-begun", phase=draft.phase.value)


def _keeps_tokens(draft: Draft) -> bool:
    """Whether tokens wait in BETTING because no round may begin."""
    betting = draft.phase is Phase.BETTING and bool(draft.seats.tokens)
    return betting and find_stop(draft) is not None
