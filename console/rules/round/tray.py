"""The tray: its counter compared with the drop sensors, and when it must be counted by hand.

docs/reference/rules.md, sections 2 and 7.
"""

from console.rules.codes import Fault
from console.rules.round.draft import Draft
from console.rules.structs import replace
from devices.roles import RailSeen

TRAY_MS = 1000
"""The longest time of a token between its drop sensor and the tray's mouth."""

COUNTER = 0x10000
HALF = COUNTER // 2


def demand_tray_count(draft: Draft, why: str, seat: int, **facts: int) -> None:
    """Raise TRAY_COUNT: the tray's content is not what is on record."""
    draft.decide(why, seat=seat, **facts)
    draft.raise_fault(Fault.TRAY_COUNT)


def judge_tray(draft: Draft) -> None:
    """Compare the tray's count with the drop sensors', allowing for its delay."""
    marks, rail = draft.rail, draft.rules.rail
    if rail is None or not rail.tray or not marks.known or marks.seen is None:
        return
    gap = gap_of(marks.seen)
    due = draft.deadlines.tray
    if gap == marks.gap:
        if due is not None:
            draft.deadlines = replace(draft.deadlines, tray=None)
    elif draft.service:
        forgive_gap(draft)
    elif due is None:
        if Fault.TRAY_COUNT not in draft.faults:
            draft.deadlines = replace(draft.deadlines, tray=draft.now + TRAY_MS)
    elif draft.now >= due:
        draft.deadlines = replace(draft.deadlines, tray=None)
        draft.decide("tray-differs", tokens=(gap - marks.gap + HALF) % COUNTER - HALF)
        draft.raise_fault(Fault.TRAY_COUNT)


def gap_of(seen: RailSeen) -> int:
    """Drops less tray, modulo 65536."""
    return (sum(seen.drops) - seen.tray) % COUNTER


def forgive_gap(draft: Draft) -> None:
    """Accept the tray's count as it is, because it was counted by hand."""
    marks = draft.rail
    if marks.seen is not None:
        draft.rail = replace(marks, gap=gap_of(marks.seen))
    draft.deadlines = replace(draft.deadlines, tray=None)
