"""The cabinet's doors: what was opened stops the next round until somebody has said why.

docs/reference/rules.md, section 14.
"""

from console.rules.acts import DoorOpened
from console.rules.codes import Fault, Refusal
from console.rules.round.draft import Draft
from console.rules.state import DoorMarks
from console.rules.structs import replace
from devices.door_reports import DoorContact, DoorsSeen


def on_doors_seen(draft: Draft, act: DoorsSeen) -> None:
    """A door was opened or shut. The fault stays until `declare opened`."""
    before = draft.doors if isinstance(draft.doors, DoorMarks) else DoorMarks()
    for contact in act.open:
        if contact not in before.open:
            _decide_opened(draft, contact, known=before.known)
    for contact in before.open:
        if contact not in act.open:
            latch = contact is DoorContact.LATCH
            draft.decide("latch-reset" if latch else "door-shut", door=contact.value)
    draft.doors = DoorMarks(act.open, known=True)
    if act.open:
        draft.raise_fault(Fault.DOOR_OPEN)


def _decide_opened(draft: Draft, contact: DoorContact, *, known: bool) -> None:
    """A latch that is first seen open at a start was set while the table was off."""
    if contact is not DoorContact.LATCH:
        draft.decide("door-opened", door=contact.value)
    else:
        draft.decide("latch-set" if known else "opened-while-off", door=contact.value)


def on_opened(draft: Draft, act: DoorOpened) -> None:
    """Somebody, the key at S and the doors shut, says why they were opened."""
    doors = draft.doors
    if not draft.key_is_at_s:
        draft.refuse(Refusal.NOT_IN_SERVICE)
    elif Fault.DOOR_OPEN not in draft.faults:
        draft.refuse(Refusal.NOT_CLEARABLE)
    elif isinstance(doors, DoorMarks) and doors.known and doors.open:
        draft.refuse(Refusal.STILL_FAULTY)
    else:
        draft.clear_fault(Fault.DOOR_OPEN)
        draft.decide("opened", reason=act.reason)


def forget_doors(draft: Draft) -> None:
    """After a start nothing is known until the contacts are read: none may be fitted now."""
    if isinstance(draft.doors, DoorMarks):
        draft.doors = replace(draft.doors, known=False)
