"""Turns edges of the panel's contacts into events. Pure.

The plug's presence contact overrides all others: from the instant it opens, their changes do not
count, because pulling the plug opens them in any order. The plug counts as back, or lost, after 200
ms (docs/reference/rules.md, section 7), and as lost when it has flapped for a second without
resting so long. A contact that flaps is not believed (`contact_steadiness`).
"""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from devices.change_flow import REST_S
from devices.contact_count import ContactCount
from devices.contact_steadiness import BURST, ContactSteadiness
from devices.debouncer import MAX_SETTLE_S, Debouncer
from devices.device import Device
from devices.figures import InputFigures
from devices.panel_wiring import Contact, PlugContact
from devices.roles import (
    AWAITED_S,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    Event,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
)

KEY_SETTLE_S = 0.020
"""A position counts when it has been the only closed contact for this long."""

UNREADABLE_S = 0.501
"""If no position counts for longer than 500 ms, the key cannot be read."""

KeyEvent = KeyMoved | KeyFound | KeyUnreadable
Contacts = frozenset[KeyPosition]


def only_contact(closed: Contacts) -> KeyPosition | None:
    """The only closed contact; None if there is none, or more than one."""
    if len(closed) != 1:
        return None
    (position,) = closed
    return position


class KeySelector:
    """The key's position. The first position after `seek` is KeyFound, later ones KeyMoved."""

    def __init__(self, closed: Contacts, now: float) -> None:
        self.seek(closed, now)

    def seek(self, closed: Contacts, now: float) -> None:
        """Forget everything; the first position read from `now` on is where the key is found."""
        self._reading = only_contact(closed)
        self._since = now
        self._found = False
        self._position: KeyPosition | None = None
        self._lost_since: float | None = now
        self._unreadable = False

    def resume(self, closed: Contacts, now: float) -> None:
        """The contacts are readable again after a short interruption."""
        self._reading = only_contact(closed)
        self._since = now
        self._lost_since = now if self._reading is None else None

    @property
    def position(self) -> KeyPosition | None:
        """Where it was found; None: not yet, or between two positions."""
        return self._position

    @property
    def words(self) -> str:
        """The position for people: `JPL`, `between`, `unreadable`, `not read yet`."""
        if self._unreadable:
            return "unreadable"
        if not self._found:
            return "not read yet"
        return "between" if self._position is None else self._position.value

    @property
    def deadline(self) -> float | None:
        """When `settle` may have the next event; None: not before a contact changes."""
        deadlines = []
        if not self._found or self._reading != self._position:
            deadlines.append(self._since + KEY_SETTLE_S)
        if self._lost_since is not None and not self._unreadable:
            deadlines.append(self._lost_since + UNREADABLE_S)
        return min(deadlines, default=None)

    def feed(self, closed: Contacts, now: float) -> list[KeyEvent]:
        """Take the contacts closed from `now` on; returns the events that were due before."""
        events = self.settle(now)
        reading = only_contact(closed)
        if reading != self._reading:
            self._reading = reading
            self._since = now
            if reading is None and self._lost_since is None:
                self._lost_since = now
        return events

    def settle(self, now: float) -> list[KeyEvent]:
        """Let time pass; returns the events that are due, in order."""
        events: list[KeyEvent] = []
        if self._lost_since is None and self._reading is self._position:
            return events  # it rests
        if now >= self._since + KEY_SETTLE_S:
            self._count_reading(events)
        lost = self._lost_since
        if lost is not None and not self._unreadable and now >= lost + UNREADABLE_S:
            self._unreadable = True
            events.append(KeyUnreadable())
        return events

    def _count_reading(self, events: list[KeyEvent]) -> None:
        if not self._found:
            events.append(KeyFound(self._reading))
        elif self._reading != self._position:
            events.append(KeyMoved(self._reading))
        self._found = True
        self._position = self._reading
        if self._reading is not None:
            self._lost_since = None
            self._unreadable = False


PRESENCE_SETTLE_S = 0.200

PRESENCE_FLAPS_S = 1.0
"""How long the plug's contact may flap, never at rest, before the panel is lost."""

_NAMES: dict[Contact, str] = {
    **{button: button.value for button in Button},
    **{position: f"key {position.value}" for position in KeyPosition},
    PlugContact.INSPECTOR: "inspector",
    PlugContact.PRESENCE: "plug",
}
"""The contacts' names, in the order of the figures."""

INSPECTOR, PLUG, KEY = "inspector", "plug", "key"

UP = DeviceUp(Device.PANEL)
UNPLUGGED = DeviceLost(Device.PANEL, "its plug's presence contact is open")
FLAPS = DeviceLost(Device.PANEL, "its plug's presence contact flaps")


class PanelInputs:
    """The contacts since they were first read; times are seconds of the loop's clock.

    Edges are counted whether the plug is in or not.
    """

    def __init__(
        self,
        closed: frozenset[Contact],
        now: float,
        *,
        settle_s: float,
        inspector_fitted: bool,
        burst: int = BURST,
    ) -> None:
        if not 0 <= settle_s <= MAX_SETTLE_S:
            raise ValueError(f"buttons settle in 0 to {MAX_SETTLE_S:g} s, not {settle_s:g}")
        self._counts = {
            contact: ContactCount(settles, contact in closed, now)
            for contact, settles in _settling_times(settle_s).items()
            if inspector_fitted or contact is not PlugContact.INSPECTOR
        }
        self._attached = PlugContact.PRESENCE in closed
        self._lost = False
        self._steadiness = ContactSteadiness({_name(one) for one in self._counts}, burst)
        self._presence_deadline = None if self._attached else now + AWAITED_S
        self._flaps_at: float | None = None  # when it is lost, if it has not settled by then
        self._key = KeySelector(self._key_contacts(), now)
        self._buttons = {
            button: Debouncer.starting(button in closed, now, settle_s) for button in Button
        }
        self._moving: dict[Button, Debouncer] = {}  # that have not settled, while the plug is in
        self._inspector: Debouncer | None = None
        if inspector_fitted:
            present = PlugContact.INSPECTOR in closed
            self._inspector = Debouncer.starting(present, now, MAX_SETTLE_S)
        self._rest_due = self._find_rest_due()

    @property
    def deadline(self) -> float | None:
        """When `advance` must be called, unless a contact changes before; None: never."""
        due = self._rest_due
        for button in self._moving.values():
            settles = button.since + button.settle_s
            if due is None or settles < due:
                due = settles
        return due

    def on_change(self, contact: Contact, closed: bool, now: float) -> list[Event]:
        """Take a contact's change; returns the events due by now."""
        events = self.advance(now)
        self._counts[contact].feed(closed, now)
        if isinstance(contact, Button):
            if self._attached:
                self._move_button(contact, closed, now, events)
            return events
        if contact is PlugContact.PRESENCE:
            self._presence_changed(closed, now)
        elif self._attached:
            self._feed(contact, closed, now, events)
        self._rest_due = self._find_rest_due()
        return events

    def read_anew(self, now: float, read: Callable[[Contact], bool]) -> list[Event]:
        """Take each contact's level, when edges were missed; returns the events due by now."""
        events: list[Event] = []
        for contact, count in self._counts.items():
            closed = read(contact)
            if closed != count.closed:
                events += self.on_change(contact, closed, now)
        return events

    def advance(self, now: float) -> list[Event]:
        """Let time pass; returns the events due by now."""
        events: list[Event] = []
        if self._moving:
            self._settle_buttons(now, events)
        if self._rest_due is not None and now >= self._rest_due:
            self._advance_rest(now, events)
            self._rest_due = self._find_rest_due()
        return events

    def _advance_rest(self, now: float, events: list[Event]) -> None:
        """Plug, key, inspector, and what flaps."""
        due = self._presence_deadline
        if due is not None and now >= due:
            self._presence_deadline = None
            if self._counts[PlugContact.PRESENCE].closed:
                self._plug_in(now, events)
            elif not self._lost:
                self._lose(UNPLUGGED, events)
        elif self._flaps_at is not None and now >= self._flaps_at:
            self._lose(FLAPS, events)
        if self._attached:
            self._settle(now, events)

    def input_figures(
        self, now: float, read: Callable[[Contact], bool]
    ) -> tuple[InputFigures, ...]:
        """The figures of every fitted contact. `read`: whether a contact is closed now."""
        fitted = []
        for contact, count in self._counts.items():
            figures = count.figures(_NAMES[contact], now)
            closed = read(contact)
            if closed != figures.closed:  # its edge is still on its way, or was lost
                figures = replace(figures, closed=closed, since_ms=0)
            fitted.append(figures)
        return tuple(fitted)

    def state(self) -> dict[str, str]:
        """Key and inspector as they count now, for people."""
        words = {"key": self._key.words}
        if self._inspector is not None:
            words["inspector"] = "present" if self._inspector.level else "absent"
        return words | self._steadiness.state

    def _presence_changed(self, closed: bool, now: float) -> None:
        if not self._lost and self._flaps_at is None:
            self._attached, self._flaps_at = False, now + PRESENCE_FLAPS_S
            self._moving.clear()
        self._presence_deadline = None if self._lost and not closed else now + PRESENCE_SETTLE_S

    def _plug_in(self, now: float, events: list[Event]) -> None:
        """The plug is in: it is back, unless its contact flaps."""
        if PLUG in self._steadiness.unsteady and now >= self._rests_at(PLUG):
            self._trust(PLUG, events)
            self._attach(now)
            return
        believed = self._steadiness.take(PLUG, UP, now)
        if believed == [UP]:
            self._attach(now)
            return
        events += believed
        if not self._lost:
            self._lose(FLAPS, events)
        self._presence_deadline = self._rests_at(PLUG)

    def _lose(self, lost: DeviceLost, events: list[Event]) -> None:
        self._lost, self._flaps_at = True, None
        events.append(lost)

    def _attach(self, now: float) -> None:
        """The plug is back: a button held down now does nothing until it is released."""
        self._attached, self._flaps_at = True, None
        for button, debouncer in self._buttons.items():
            debouncer.restart(self._counts[button].closed, now)
        if self._lost:
            self._key.seek(self._key_contacts(), now)
            if self._inspector is not None:
                self._inspector.restart(self._counts[PlugContact.INSPECTOR].closed, now)
        else:
            self._key.resume(self._key_contacts(), now)
            if self._inspector is not None:
                self._inspector.feed(self._counts[PlugContact.INSPECTOR].closed, now)
        self._lost = False

    def _feed(self, contact: Contact, closed: bool, now: float, events: list[Event]) -> None:
        if isinstance(contact, KeyPosition):
            self._take_key(self._key.feed(self._key_contacts(), now), now, events)
        elif self._inspector is not None:
            self._inspector.feed(closed, now)

    def _move_button(self, button: Button, closed: bool, now: float, events: list[Event]) -> None:
        """Only the button's own debouncer is concerned."""
        debouncer = self._buttons[button]
        debouncer.feed(closed, now)
        if debouncer.raw is debouncer.level:
            self._moving.pop(button, None)  # it has bounced
            return
        self._moving[button] = debouncer
        if debouncer.settle_s == 0:
            self._settle_buttons(now, events)

    def _settle_buttons(self, now: float, events: list[Event]) -> None:
        for button, debouncer in tuple(self._moving.items()):
            if not debouncer.settle(now):
                continue
            del self._moving[button]
            if debouncer.level:
                events += self._steadiness.take(_NAMES[button], ButtonPressed(button), now)
                if self._steadiness.unsteady:
                    self._rest_due = self._find_rest_due()

    def _settle(self, now: float, events: list[Event]) -> None:
        self._take_key(self._key.settle(now), now, events)
        if self._inspector is not None and self._inspector.settle(now):
            events += self._steadiness.take(INSPECTOR, InspectorSeen(self._inspector.level), now)
        for contact in self._steadiness.unsteady:  # not the plug: it is in
            if now >= self._rests_at(contact):
                self._trust(contact, events)

    def _take_key(self, found: list[KeyEvent], now: float, events: list[Event]) -> None:
        for event in found:
            if not isinstance(event, KeyFound):
                events += self._steadiness.take(KEY, event, now)
                continue
            events.append(self._steadiness.believe(KEY, event))
            if self._inspector is not None:
                seen = InspectorSeen(self._inspector.level)
                events.append(self._steadiness.believe(INSPECTOR, seen))
            events.append(UP)

    def _rests_at(self, contact: str) -> float:
        changed = [count.since for one, count in self._counts.items() if _name(one) == contact]
        return max(changed) + REST_S

    def _trust(self, contact: str, events: list[Event]) -> None:
        """Believe a contact again, and report what it says now."""
        events.append(self._steadiness.trust(contact))
        if contact == KEY and self._key.position is not None:
            events.append(KeyFound(self._key.position))
        elif contact == INSPECTOR and self._inspector is not None:
            events.append(InspectorSeen(self._inspector.level))

    def _key_contacts(self) -> frozenset[KeyPosition]:
        return frozenset(position for position in KeyPosition if self._counts[position].closed)

    def _find_rest_due(self) -> float | None:
        """When something other than a button is due; None: nothing before a contact changes."""
        return min(self._deadlines(), default=None)

    def _deadlines(self) -> Iterator[float]:
        if self._presence_deadline is not None:
            yield self._presence_deadline
        if self._flaps_at is not None:
            yield self._flaps_at
        if not self._attached:
            return
        yield from map(self._rests_at, self._steadiness.unsteady)
        for deadline in (
            self._key.deadline,
            None if self._inspector is None else self._inspector.deadline,
        ):
            if deadline is not None:
                yield deadline


def _name(contact: Contact) -> str:
    """The name under which a contact is believed or not: the four of the key have one."""
    return KEY if isinstance(contact, KeyPosition) else _NAMES[contact]


def _settling_times(buttons_s: float) -> dict[Contact, float]:
    times = {
        contact: KEY_SETTLE_S if isinstance(contact, KeyPosition) else buttons_s
        for contact in _NAMES
    }
    times[PlugContact.INSPECTOR] = MAX_SETTLE_S
    times[PlugContact.PRESENCE] = PRESENCE_SETTLE_S
    return times
