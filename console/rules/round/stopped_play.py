"""What no round begins under: a round in play ends, and what is due is done before the next.

docs/reference/rules.md, sections 14 and 15.
"""

from collections.abc import Mapping

from console.rules.codes import Fault, Refusal
from console.rules.round.draft import Draft
from console.rules.settings import NextJackpot

STOPS_PLAY: Mapping[Fault, Refusal] = {
    Fault.DOOR_OPEN: Refusal.DOOR_OPEN,
    Fault.CONFIGURATION_CHANGED: Refusal.CONFIGURATION_CHANGED,
}
"""What a new round is refused with, under each."""


def find_stop(draft: Draft) -> Refusal | None:
    """Why no round may begin; None: one may."""
    waiting = draft.next_jackpot
    if isinstance(waiting, NextJackpot) and waiting.won:
        return Refusal.SETTINGS_DUE
    for fault, code in STOPS_PLAY.items():
        if fault in draft.faults:
            return code
    return None


def refuse_stopped(draft: Draft) -> bool:
    """Refuse the act if no round may begin."""
    code = find_stop(draft)
    if code is not None:
        draft.refuse(code)
    return code is not None
