"""Outputs that the technician drives by hand in SERVICE."""

from console.rules.acts import OutputsDriven
from console.rules.codes import Phase, Refusal
from console.rules.round.draft import Draft
from console.rules.round.tokens import STUCK_AFTER_MS, begin_turn, shut_driven_gates
from console.rules.structs import replace


def on_outputs_driven(draft: Draft, act: OutputsDriven) -> None:
    """Drive these outputs while the key stays at S.

    Some gates stay closed, to protect players' tokens: on a locked table every gate; otherwise the
    gate of an awaited token, which would be accepted, and, with a round underneath, the gate under
    a token that lies there.
    """
    drive = act.drive
    if drive is None:
        if draft.drive is None:
            draft.no_effect()
        stop_driving(draft)
    elif not draft.key_is_at_s:
        draft.refuse(Refusal.NOT_IN_SERVICE)
    elif drive.gates and draft.locked:
        draft.refuse(Refusal.LOCKED)
    elif drive.gates & draft.seats.awaited:
        draft.refuse(Refusal.COLLECTING)
    elif draft.phase is not Phase.PAUSED and drive.gates & draft.seats.occupied:
        draft.refuse(Refusal.ALREADY_OPEN)
    else:
        draft.drive = drive
        draft.deadlines = replace(
            draft.deadlines, drive=draft.now + STUCK_AFTER_MS if drive.gates else None
        )
        if drive.gates:
            begin_turn(draft)


def stop_driving(draft: Draft) -> None:
    """Release the outputs: they show the table again."""
    draft.drive = None
    draft.deadlines = replace(draft.deadlines, drive=None)


def end_due_drive(draft: Draft) -> None:
    """The key has left S, or driven gates were open for their time."""
    drive, due = draft.drive, draft.deadlines.drive
    if drive is None:
        return
    if not draft.key_is_at_s:
        stop_driving(draft)
    elif due is not None and draft.now >= due:
        shut_driven_gates(draft)
