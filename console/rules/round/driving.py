"""Outputs that the technician drives by hand in SERVICE."""

from console.rules.acts import OutputsDriven
from console.rules.codes import Phase, Refusal
from console.rules.round.draft import Draft
from console.rules.round.gate_turns import GATE_MS, begin_turn
from console.rules.round.tokens import shut_driven_gates
from devices.roles import KeyPosition


def on_outputs_driven(draft: Draft, act: OutputsDriven) -> None:
    """Show what the technician asks for, as long as the key stays at S.

    A locked table opens no gate: tokens that are still awaited lie behind them. Nor does a mended
    one where a token is awaited: it would be accepted. Nor, with a round underneath, any gate under
    a token that lies there: it is a player's, and would be gone when the round goes on.
    """
    drive = act.drive
    if drive is None:
        if draft.state.drive is None:
            draft.no_effect()
        stop_driving(draft)
    elif not draft.state.service or draft.state.key is not KeyPosition.S:
        draft.refuse(Refusal.NOT_IN_SERVICE)
    elif drive.gates and draft.state.locked:
        draft.refuse(Refusal.LOCKED)
    elif drive.gates & draft.state.seats.awaited:
        draft.refuse(Refusal.COLLECTING)
    elif draft.state.phase is not Phase.PAUSED and drive.gates & draft.state.seats.occupied:
        draft.refuse(Refusal.ALREADY_OPEN)
    else:
        draft.set(drive=drive)
        draft.due(drive=draft.now + GATE_MS if drive.gates else None)
        if drive.gates:
            begin_turn(draft)


def stop_driving(draft: Draft) -> None:
    """Outputs show the table again."""
    draft.set(drive=None)
    draft.due(drive=None)


def end_due_drive(draft: Draft) -> None:
    """The key has left S, or gates driven open have been open for their time."""
    drive, due = draft.state.drive, draft.state.deadlines.drive
    if drive is None:
        return
    if not draft.state.service or draft.state.key is not KeyPosition.S:
        stop_driving(draft)
    elif due is not None and draft.now >= due:
        shut_driven_gates(draft)
