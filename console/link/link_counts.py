"""What the link counts about itself; no decision depends on it."""

from devices.figures import LineCounts


class LinkCounts:
    """Counts since the service started."""

    def __init__(self) -> None:
        self.sent = self.received = self.bad = self.connections = 0
        self._trips = self._last_ms = self._total_ms = 0.0

    def note_answer(self, round_trip_ms: float) -> None:
        """Note an answer, and how long it took."""
        self.received += 1
        self._trips += 1
        self._last_ms = round_trip_ms
        self._total_ms += round_trip_ms

    def figures(self) -> LineCounts:
        """As every device has them."""
        return LineCounts(
            received=self.received,
            bad=self.bad,
            sent=self.sent,
            connections=self.connections,
            round_trip_ms=round(self._last_ms, 1) if self._trips else None,
            round_trip_mean_ms=round(self._total_ms / self._trips, 1) if self._trips else None,
        )
