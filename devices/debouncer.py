"""A contact's level, accepted once it has been stable for the settling time.

Pure: time is passed in, as seconds of the monotonic clock. A stalled loop loses no press: when an
edge is reported late, the level before it is accepted if it was stable for long enough.
"""

from msgspec import Struct

SETTLE_MS = 5
"""A button's debouncing (settling) time where the configuration names none."""

MAX_SETTLE_MS = 20
"""docs/reference/rules.md, section 1: inputs are debounced in at most 20 ms."""

MAX_SETTLE_S = MAX_SETTLE_MS / 1000


class Debouncer(Struct):
    """`level` is the accepted level, `raw` the contact's reading since `since`."""

    settle_s: float
    level: bool
    raw: bool
    since: float

    @classmethod
    def starting(cls, level: bool, now: float, settle_s: float) -> "Debouncer":
        """A debouncer whose first reading, at `now`, is accepted at once."""
        return cls(settle_s, level, level, now)

    def restart(self, level: bool, now: float) -> None:
        """Start again with the present reading."""
        self.level = self.raw = level
        self.since = now

    @property
    def deadline(self) -> float | None:
        """When the raw level will have settled; None if it has."""
        return None if self.raw == self.level else self.since + self.settle_s

    def feed(self, raw: bool, now: float) -> bool:
        """Take an edge; True if the level before it settled first, so that it is accepted now."""
        accepted = self.settle(now)
        if raw != self.raw:
            self.raw = raw
            self.since = now
        return accepted

    def settle(self, now: float) -> bool:
        """Let time pass; True if the raw level has just been accepted."""
        if self.raw == self.level or now < self.since + self.settle_s:
            return False
        self.level = self.raw
        return True
