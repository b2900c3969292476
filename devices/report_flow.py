"""How many reports of a device are passed on: all, until it floods; then one now and then. Pure."""

BURST = 512
A_SECOND = 40
"""More reports than so many at once, and so many a second from then on, are a flood. Hands at a
table make a tenth of that."""

SPACING_S = 0.08
"""In a flood one report in so long. A tray that counts at its latest is still in time
(docs/wire-protocol.md, "Timing")."""

OVER_AFTER_S = 5.0
"""A flood is over when no report had to wait for so long."""


class ReportFlow:
    """A bucket of `BURST` reports, filled by `A_SECOND`; times in seconds."""

    __slots__ = ("_full_at", "_passed_at")

    def __init__(self) -> None:
        self._full_at = 0.0
        self._passed_at = 0.0

    def ready_at(self, now: float, *, flood: bool) -> float:
        """When the next report may pass: now, or later."""
        if flood:
            return max(now, self._passed_at + SPACING_S)
        return max(now, self._full_at - (BURST - 1) / A_SECOND)

    def note_passed(self, now: float) -> None:
        """A report has passed."""
        self._passed_at = now
        self._full_at = max(now, self._full_at) + 1 / A_SECOND
