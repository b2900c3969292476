"""How many reports of a device are passed on: all, or in a flood one now and then. Pure."""

BURST = 512
A_SECOND = 40
"""More reports than `BURST` at once, and `A_SECOND` per second afterwards, are a flood. People at a
table cause a tenth of that."""

SPACING_S = 0.08
"""In a flood one report passes in this time. A token counted in the tray at the latest moment is
still in time (docs/wire-protocol.md, "Timing")."""

OVER_AFTER_S = 5.0
"""A flood is over when no report had to wait for this time."""


class ReportFlow:
    """A token bucket of `BURST` reports, refilled with `A_SECOND` per second; times in seconds."""

    __slots__ = ("_full_at", "_passed_at")

    def __init__(self) -> None:
        self._full_at = 0.0
        self._passed_at = 0.0

    def ready_at(self, now: float, *, flood: bool) -> float:
        """When the next report may pass: `now`, or later."""
        if flood:
            return max(now, self._passed_at + SPACING_S)
        return max(now, self._full_at - (BURST - 1) / A_SECOND)

    def note_passed(self, now: float) -> None:
        """Note that a report passes now."""
        self._passed_at = now
        self._full_at = max(now, self._full_at) + 1 / A_SECOND
