"""The key selector: from four contacts to one position, or none, or a fault.

Pure: time is passed in, as seconds of the monotonic clock (docs/rules.md, section 6).
"""

from devices.roles import KeyFound, KeyMoved, KeyPosition, KeyUnreadable

SETTLE_S = 0.020
"""A position counts when it has been the only closed contact for this long."""

UNREADABLE_S = 0.501
"""If no position counts for longer than 500 ms, the key cannot be read."""

KeyEvent = KeyMoved | KeyFound | KeyUnreadable
Contacts = frozenset[KeyPosition]

NO_CONTACT: Contacts = frozenset()


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
            deadlines.append(self._since + SETTLE_S)
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
        if now >= self._since + SETTLE_S:
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
