"""A contact's level, accepted once it has been stable for the settling time.

Pure: time comes in as seconds of the monotonic clock. An edge that is told late, after a level
has stood long enough, still finds that level accepted: a stalled loop loses no press.
"""

from dataclasses import dataclass

MAX_SETTLE_S = 0.020
"""docs/rules.md, section 1: inputs are debounced in at most 20 ms."""


@dataclass(slots=True)
class Debouncer:
    """`level` is accepted; `raw` is what the contact reads since `since`."""

    settle_s: float
    level: bool
    raw: bool
    since: float

    @classmethod
    def starting(cls, level: bool, now: float, settle_s: float) -> "Debouncer":
        """A contact first read at `now`: its level stands at once."""
        return cls(settle_s, level, level, now)

    def restart(self, level: bool, now: float) -> None:
        """Begin anew with the level read now."""
        self.level = self.raw = level
        self.since = now

    @property
    def deadline(self) -> float | None:
        """When the raw level will have settled; None when nothing is in the air."""
        return None if self.raw == self.level else self.since + self.settle_s

    def feed(self, raw: bool, now: float) -> bool:
        """Take an edge; True if the level before it had settled meanwhile, and is accepted now."""
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
