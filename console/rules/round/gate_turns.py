"""The turns of the gates: each opening has a number, and a board opens once for each."""

from console.rules.round.draft import Draft
from console.rules.structs import replace

STUCK_AFTER_MS = 2000
"""How long a drop is awaited; then the token is stuck. The board closes its gate by itself, too."""

LAST_TURN = 0xFFFF


def begin_turn(draft: Draft) -> None:
    """Begin a new turn of the gates, with another number than the last."""
    draft.turn = draft.turn % LAST_TURN + 1


def skip_served_turn(draft: Draft, served: int) -> None:
    """Begin the next turn if the board has served this one already, for an earlier ledger."""
    if not served or served != draft.turn:
        return
    if draft.drive is not None and draft.drive.gates:
        draft.deadlines = replace(draft.deadlines, drive=draft.now + STUCK_AFTER_MS)
    elif draft.seats.collecting:
        draft.deadlines = replace(draft.deadlines, gates=draft.now + STUCK_AFTER_MS)
    else:
        return
    draft.decide("turn-served", turn=served)
    begin_turn(draft)
