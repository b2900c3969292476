"""How old what a server shows may be: its position against those that the primary had."""

from collections import deque

KEPT_S = 120.0


class PrimaryPositions:
    """Where the primary was, and when. Times are seconds of the monotonic clock."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, int]] = deque()

    def add(self, asked_at: float, position: int) -> None:
        """The primary, asked then, was here: what was answered before is not behind it.

        A position that is lower is another history's, after a restore.
        """
        if self._marks and position < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((asked_at, position))
        while self._marks[0][0] < asked_at - KEPT_S:
            self._marks.popleft()

    def find_lag(self, position: int) -> float | None:
        """How long the primary had been beyond this position when it was last asked.

        None: longer than anybody remembers.
        """
        reached = self.find_time(position)
        return None if reached is None else self._marks[-1][0] - reached

    def find_time(self, position: int) -> float | None:
        """All that was answered before this time is at this position; None: nobody knows."""
        reached = [asked_at for asked_at, at in self._marks if at <= position]
        return reached[-1] if reached else None
