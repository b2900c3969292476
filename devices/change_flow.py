"""How often a sensor or contact may change before it counts as unsteady. Pure: times in seconds."""

REST_S = 10.0
"""What was unsteady is believed again when it has not changed for this long."""


class ChangeFlow:
    """A bucket of `burst` changes, refilled with one in `refill_s`; more than that is unsteady."""

    __slots__ = ("_burst", "_full_at", "_refill_s", "left_out", "unsteady")

    def __init__(self, burst: int, refill_s: float) -> None:
        self._burst, self._refill_s = burst, refill_s
        self._full_at = 0.0
        self.unsteady = False
        self.left_out = 0

    def take(self, now: float) -> None:
        """Take a change. One that finds the bucket empty, and all after it, are left out.

        They take nothing from the bucket: what was mended is steady, however long it had flapped.
        """
        full_at = max(now, self._full_at) + self._refill_s
        if not self.unsteady and full_at - now > self._burst * self._refill_s:
            self.unsteady, self.left_out = True, 0
        if self.unsteady:
            self.left_out += 1
        else:
            self._full_at = full_at
