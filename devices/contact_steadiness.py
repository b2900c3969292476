"""Which of the panel's contacts flap, and what is believed of them. Pure: times are in seconds.

A contact that changes more often than people work it is *unsteady*. What it says is then only
counted, until it has rested: a button is not pressed, the key is unreadable, the inspector absent.
"""

from collections.abc import Iterable

from devices.change_flow import ChangeFlow
from devices.panel_reports import ContactSteady, ContactUnsteady
from devices.roles import (
    Event,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyUnreadable,
)

BURST = 120
REFILL_S = 1.0
"""More than `BURST` presses at once, and one in `REFILL_S` afterwards, are no person's: a croupier
who counts chips presses a button 110 times in 30 s, and 40 times in 20 s again and again."""


class ContactSteadiness:
    """The panel's contacts by their names; the four of the key are one. `burst`: see `BURST`."""

    def __init__(self, contacts: Iterable[str], burst: int = BURST) -> None:
        self._flows = {contact: ChangeFlow(burst, REFILL_S) for contact in contacts}
        self._unsteady: dict[str, ChangeFlow] = {}
        self.unsteady: tuple[str, ...] = ()
        """Contacts that flap, by name."""

    def take(self, contact: str, event: Event, now: float) -> list[Event]:
        """Take what a contact says; returns what is believed of it."""
        flow = self._flows[contact]
        flow.take(now)
        if not flow.unsteady:
            return [event]
        if contact in self._unsteady:
            return []
        self._unsteady[contact] = flow
        self.unsteady = tuple(sorted(self._unsteady))
        return [ContactUnsteady(contact, self.unsteady), *_in_place_of(event)]

    def believe(self, contact: str, event: Event) -> Event:
        """What is believed of a contact that is read anew, which is no change of it."""
        return next(iter(_in_place_of(event)), event) if contact in self._unsteady else event

    def trust(self, contact: str) -> ContactSteady:
        """Believe a contact again, which has rested."""
        flow = self._unsteady.pop(contact)
        self.unsteady = tuple(sorted(self._unsteady))
        flow.unsteady = False
        return ContactSteady(contact, flow.left_out, self.unsteady)

    @property
    def state(self) -> dict[str, str]:
        """The unsteady contacts with their changes left out, for people; nothing if there are
        none."""
        counts = [f"{contact} ({self._unsteady[contact].left_out})" for contact in self.unsteady]
        return {"unsteady": ", ".join(counts)} if counts else {}


def _in_place_of(event: Event) -> list[Event]:
    if isinstance(event, KeyMoved | KeyFound | KeyUnreadable):
        return [KeyUnreadable()]
    return [InspectorSeen(False)] if isinstance(event, InspectorSeen) else []
