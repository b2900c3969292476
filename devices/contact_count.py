"""What a contact or sensor has done since the start, edge by edge, for whoever looks for a fault.

Pure: time comes in as seconds of the monotonic clock. It decides nothing; what counts as a press
is `Debouncer`'s to say.
"""

from dataclasses import dataclass, field

from devices.figures import InputFigures


@dataclass(slots=True)
class ContactCount:
    """A contact first read at `since`, `closed` or not, that settles in `settle_s`.

    `edges` are its changes; `chatter` counts the levels that were gone before they had settled.
    `pulse_s`: for how long it was closed last. A contact that opens for less than its settling time
    has bounced: the pulse goes on.
    """

    settle_s: float
    closed: bool
    since: float
    edges: int = 0
    chatter: int = 0
    pulse_s: float | None = None
    _settled: bool = field(init=False)
    _closed_at: float = field(init=False)

    def __post_init__(self) -> None:
        """What is read first stands at once."""
        self._settled = self.closed
        self._closed_at = self.since

    def feed(self, closed: bool, now: float) -> None:
        """The contact closed or opened; the same again is nothing."""
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
        """As told to people."""
        pulse_ms = None if self.pulse_s is None else round(self.pulse_s * 1000, 1)
        since_ms = round((now - self.since) * 1000)
        return InputFigures(name, self.closed, since_ms, self.edges, self.chatter, pulse_ms)
