"""Turns edges of the doors' contacts into reports. Pure: time is passed in, in seconds.

An opening counts after 20 ms. A door counts as shut once its contact has rested for a second, so
that a loose contact makes at most about one report a second.
"""

from collections.abc import Collection, Iterable

from devices.contact_count import ContactCount
from devices.debouncer import MAX_SETTLE_S, Debouncer
from devices.door_reports import DoorContact, DoorsSeen, name_contact
from devices.figures import InputFigures

OPENS_S = MAX_SETTLE_S
SHUTS_S = 1.0


class DoorInputs:
    """The contacts that are fitted, of which some are `closed` when they are first read."""

    def __init__(
        self, fitted: Iterable[DoorContact], closed: Collection[DoorContact], now: float
    ) -> None:
        self._levels = {one: Debouncer.starting(one in closed, now, OPENS_S) for one in fitted}
        self._counts = {one: ContactCount(OPENS_S, one in closed, now) for one in self._levels}

    @property
    def seen(self) -> DoorsSeen:
        """The contacts as they count now."""
        levels = self._levels
        return DoorsSeen(
            tuple(one for one in DoorContact if one in levels and not levels[one].level)
        )

    @property
    def deadline(self) -> float | None:
        """When `advance` must be called, unless a contact changes before; None: never."""
        due = (level.deadline for level in self._levels.values())
        return min((one for one in due if one is not None), default=None)

    def on_change(self, contact: DoorContact, closed: bool, now: float) -> list[DoorsSeen]:
        """Take a contact's change; returns what is to be reported by now."""
        reports = self.advance(now)
        self._counts[contact].feed(closed, now)
        level = self._levels[contact]
        level.feed(closed, now)
        level.settle_s = SHUTS_S if closed else OPENS_S
        return reports

    def advance(self, now: float) -> list[DoorsSeen]:
        """Let time pass; returns what is to be reported by now."""
        changed = [level.settle(now) for level in self._levels.values()]
        return [self.seen] if any(changed) else []

    def figures(self, now: float) -> tuple[InputFigures, ...]:
        """The figures of every contact, for people."""
        return tuple(count.figures(name_contact(one), now) for one, count in self._counts.items())
