"""Counts the edges of a contact or sensor since the start, for finding faults.

Pure: time is passed in, as seconds of the monotonic clock. It decides nothing; `Debouncer` decides
what is a press.
"""

from msgspec import Struct

from devices.figures import InputFigures


class ContactCount(Struct):
    """A contact first read at `since`, `closed` or not, that settles in `settle_s`.

    A contact that opens for less than its settling time has bounced: its pulse continues.
    """

    settle_s: float
    closed: bool
    since: float
    edges: int = 0
    """Changes of level."""
    chatter: int = 0
    """Levels that ended before they settled."""
    pulse_s: float | None = None
    """How long it was closed last."""
    _settled: bool = False
    _closed_at: float = 0.0

    def __post_init__(self) -> None:
        """Accept the first level at once."""
        self._settled = self.closed
        self._closed_at = self.since

    def feed(self, closed: bool, now: float) -> None:
        """Take an edge; an unchanged level counts as none."""
        if closed == self.closed:
            return
        stood = now - self.since >= self.settle_s
        if stood:
            self._settled = self.closed
        elif self.closed != self._settled:
            self.chatter += 1
        self.edges += 1
        if not closed:
            self.pulse_s = now - self._closed_at
        elif stood or self.pulse_s is None:
            self._closed_at = now
        self.closed = closed
        self.since = now

    def figures(self, name: str, now: float) -> InputFigures:
        """The figures for people."""
        pulse_ms = None if self.pulse_s is None else round(self.pulse_s * 1000, 1)
        since_ms = round((now - self.since) * 1000)
        return InputFigures(name, self.closed, since_ms, self.edges, self.chatter, pulse_ms)
